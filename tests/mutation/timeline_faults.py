"""Deliberate faults in what the timeline shows and what leaves the debugger."""

from __future__ import annotations

from tests.mutation.fault import Fault

SAVED = "tests/engine/trace/test_saving.py"
COLUMNS = "tests/app/debug/timeline/test_columns.py"
INTERVAL = "tests/app/debug/timeline/test_interval.py"
CLOCK = "tests/app/debug/timeline/test_clock.py"
EVENTS = "tests/app/debug/export/test_trace_events.py"

TIMELINE_FAULTS = (
    Fault(
        "trace/saving.py",
        "hashed=hashed or not text",
        "hashed=hashed",
        "a trace saved without text holds the token ids",
        SAVED,
    ),
    Fault(
        "trace/saving.py",
        "hashed=wanted.hashed and not hashed",
        "hashed=wanted.hashed",
        "hashes are hashed again, and two copies of a trace can no longer be compared",
        SAVED,
    ),
    Fault(
        "trace/saving.py",
        "            return entry.time\n",
        "            return 0.0\n",
        "a saved trace counts its times from when the machine started",
        SAVED,
    ),
    Fault(
        "../app/debug/timeline/levels.py",
        "self._spans[what.upper] = (start, what.position)",
        "self._spans[what.upper] = (start, end)",
        "the upper part of a split node takes its bytes along twice",
        COLUMNS,
    ),
    Fault(
        "../app/debug/timeline/levels.py",
        "        self._tokens -= end - start\n        self._held.discard(what.node)",
        "        self._tokens -= end - start",
        "the state of a removed leaf is still drawn",
        COLUMNS,
    ),
    Fault(
        "../app/debug/timeline/columns.py",
        "replayed = min(ran.replayed, done)",
        "replayed = ran.replayed",
        "a cancelled prompt counts tokens that never ran",
        COLUMNS,
    ),
    Fault(
        "../app/debug/timeline/viewport.py",
        "idle &= starts < running.began",
        "idle &= starts <= running.began",
        "a long prefill is drawn as a pause while it runs",
        CLOCK,
    ),
    Fault(
        "../app/debug/timeline/cards.py",
        'np.searchsorted(requests.ended, end, side="right")',
        'np.searchsorted(requests.began, end, side="right")',
        "an interval counts requests that end after it",
        INTERVAL,
    ),
    Fault(
        "../app/debug/export/trace_events.py",
        "* 1e6).astype(np.int64)\n    for number",
        "* 1e3).astype(np.int64)\n    for number",
        "requests are exported in milliseconds",
        EVENTS,
    ),
    Fault(
        "../app/session/applied.py",
        "return (frozenset(known.values) & self.fixed) - known.fresh",
        "return frozenset()",
        "what was applied once goes before the command line",
        "tests/app/session/test_applied.py",
    ),
    Fault(
        "../app/session/applied.py",
        "            self._known[folder] = former.pop()",
        "            former.pop()",
        "Undo leaves what was applied in the file",
        "tests/app/session/test_applied.py",
    ),
    Fault(
        "../app/words/node_actions.py",
        "return node.start + 1, node.end if node.checkpoint is None else node.end - 1",
        "return node.start, node.end",
        "a checkpoint is offered where one is, or in the node above",
        "tests/app/words/test_node_actions.py",
    ),
    Fault(
        "../app/lab/tables.py",
        "yield head, first + at, share, answered[at] if answered else None",
        "yield head, at, share, answered[at] if answered else None",
        "the queries of the recall table begin at 0",
        "tests/app/lab/test_tables.py",
    ),
)
