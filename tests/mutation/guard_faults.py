"""Deliberate faults in the safeguards: for texts, settings, files, and commands that fail."""

from __future__ import annotations

from tests.mutation.fault import Fault

DISARMER = "tests/engine/text/test_disarmer.py"
CONTROL = "tests/engine/text/test_control_tokens.py tests/engine/text/test_disarmer.py"
SANDBOX = "tests/engine/text/test_template.py tests/engine/text/sandbox"
LOOP = "tests/engine/test_loop.py"

GUARD_FAULTS = (
    Fault(
        "text/disarmer.py",
        "content=self._text(message.content, True),",
        "content=message.content,",
        "pasted text forges a turn",
        DISARMER,
    ),
    Fault(
        "text/disarmer.py",
        "thinking=self._text(message.thinking, True),",
        "thinking=message.thinking,",
        "thinking that quotes a marker ends there",
        DISARMER,
    ),
    Fault(
        "text/disarmer.py",
        "return {field: self._value(value, True) for field, value in call.items()}",
        "return dict(call)",
        "an argument of a tool call forges a turn",
        DISARMER,
    ),
    Fault(
        "text/disarmer.py",
        "found |= {start for k in range(1, longest + 1) if head[:k] in self._tails}",
        "found |= set()",
        "a marker split over two messages becomes whole",
        DISARMER,
    ),
    Fault(
        "text/control_tokens.py",
        "        if not is_encodable(text):",
        "        if not text:",
        "a template can write the stand-in for a sealed token",
        CONTROL,
    ),
    Fault(
        "text/probes.py",
        "self._slow += time.perf_counter() - began > SLOW_SECONDS",
        "self._slow += 0",
        "a template that is slow with dummies blocks the engine for minutes",
        "tests/engine/text/test_probes.py",
    ),
    Fault(
        "text/sandbox/operators.py",
        "        if bits > MAX_NUMBER_BITS:",
        "        if bits > MAX_NUMBER_BITS << 24:",
        "a power blocks the interpreter",
        SANDBOX,
    ),
    Fault(
        "text/sandbox/meter.py",
        "        if chars > self.largest:\n            raise",
        "        if chars > self.largest << 6:\n            raise",
        "one call creates a text of gigabytes",
        SANDBOX,
    ),
    Fault(
        "field_check.py",
        "return isinstance(value, int) and not isinstance(value, bool)",
        "return isinstance(value, int)",
        "True passes for a number of tokens",
        "tests/engine/test_config.py",
    ),
    Fault(
        "model/safetensors_file.py",
        "    _refuse_overlaps(name, entries)",
        "    pass",
        "a small file fills the memory",
        "tests/engine/model/test_loader.py",
    ),
    Fault(
        "run/answers.py",
        "self._failures.attempt(NAMES[type(command)], lambda: self._ask(command, core))",
        "self._ask(command, core)",
        "a failing query ends the engine",
        LOOP,
    ),
    Fault(
        "loop.py",
        "            self._over.set()\n            self._fail_pending()",
        "            self._over.set()",
        "a caller waits forever for an engine that has ended",
        LOOP,
    ),
    Fault(
        "run/verify_line.py",
        "verdict = core.verify(node, lambda: wanted() or self._stopped)",
        "verdict = core.verify(node, lambda: False)",
        "an audit does not yield",
        LOOP,
    ),
    Fault(
        "api.py",
        "        self._cancel()\n        for _ in self:",
        "        for _ in self:",
        "a closed iterator leaves its request running",
        "tests/engine/test_api.py",
    ),
    Fault(
        "run/core.py",
        "return self.tiers.version, self.store.departures.total, pending, self._live",
        "return self.cache.version, self._live",
        "the window shows too few files",
        "tests/engine/run/test_disk_tier.py tests/engine/run/test_snapshot.py",
    ),
    Fault(
        "run/core.py",
        "done = plan.cut_at(plan.reused + filled.ran)",
        "done = plan",
        "a cancelled request reports what never ran",
        "tests/engine/run/test_reasons.py",
    ),
)
