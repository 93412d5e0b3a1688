"""Deliberate faults in the safeguards: for texts, settings, files, and commands that fail."""

from __future__ import annotations

from tests.mutation.fault import Fault

NEUTRAL = "tests/engine/text/test_neutral.py"
CONTROL = "tests/engine/text/test_control_tokens.py tests/engine/text/test_neutral.py"
SANDBOX = "tests/engine/text/test_template.py tests/engine/text/sandbox"
LOOP = "tests/engine/test_loop.py"
STREAM = "tests/engine/run/test_stream.py"
BEGUN = "tests/engine/text/test_begun.py"

OWNED = "tests/engine/run/test_owned_nodes.py"

GUARD_FAULTS = (
    Fault(
        "text/sandbox/environment.py",
        "        return self._spell(text)",
        "        return text",
        "a template's own control tokens become text",
        CONTROL,
    ),
    Fault(
        "text/sandbox/environment.py",
        "        if not is_encodable(text):",
        "        if not text:",
        "a template can write the stand-in for a sealed token",
        CONTROL,
    ),
    Fault(
        "text/text_model.py",
        "pieces = bool(own(messages, add_generation_prompt))",
        "pieces = True",
        "pasted tokens are refused under every template",
        NEUTRAL,
    ),
    Fault(
        "text/text_model.py",
        "                if own(messages, add_generation_prompt) != found:",
        "                if not found:",
        "pasted text forges a turn under a template that puts tokens together",
        NEUTRAL,
    ),
    Fault(
        "text/neutral.py",
        "return {_neutral(name, kept): _neutral(part, kept) for name, part in value.items()}",
        "return {name: _neutral(part, kept) for name, part in value.items()}",
        "a name in a schema becomes a control token",
        NEUTRAL,
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
        "run/decode.py",
        "known = max(len(self._text[channel]), len(self._old[channel]))",
        "known = len(self._text[channel])",
        "what a cut answer held back is shown twice",
        STREAM,
    ),
    Fault(
        "run/decode.py",
        'self._text["answer"] = self._stops.resume(self._splitter.answer)',
        'self._text["answer"] = self._splitter.answer',
        "a stop string across the cut is missed",
        STREAM,
    ),
    Fault(
        "run/core.py",
        "self.sampler = Sampler(sampling, head, device, self._earlier)",
        "self.sampler = Sampler(sampling, head, device)",
        "an answer that goes on repeats itself unpunished",
        "tests/engine/test_continue.py",
    ),
    Fault(
        "run/core.py",
        "ids = self._earlier + new",
        "ids = new",
        "an answer that went on forgets the ids of its first part",
        "tests/engine/test_continue.py",
    ),
    Fault(
        "text/text_model.py",
        "            if _says(message, thinking, text):",
        "            if True:",
        "an answer goes on from the text that it had before it was edited",
        BEGUN,
    ),
    Fault(
        "text/text_model.py",
        "if not opened and not (thinks and thinking):",
        "if not opened:",
        "an answer that goes on loses its thinking where the model opens it itself",
        BEGUN,
    ),
    Fault(
        "text/text_model.py",
        "complete += [complete[-1]] * (len(data) + 1 - len(complete))",
        "pass",
        "an answer that was cut inside a character cannot be put back",
        "tests/engine/text/test_begun.py tests/engine/text/test_faithful.py",
    ),
    Fault(
        "run/token_counter.py",
        "        self._orders.pop(command.number, None)\n",
        "",
        "a count that takes the place of another comes before what was asked meanwhile",
        "tests/engine/run/test_token_counter.py",
    ),
    Fault(
        "loop.py",
        "        self._answers.go_on(core)\n        self._tell_cache()",
        "        self._tell_cache()",
        "tokens are not counted while a request runs",
        "tests/engine/run/test_token_counter.py",
    ),
    Fault(
        "run/core.py",
        "done = plan.cut_at(plan.reused + filled.ran)",
        "done = plan",
        "a cancelled request reports what never ran",
        "tests/engine/run/test_reasons.py",
    ),
)
