"""Deliberate faults in how evictions are reported."""

from __future__ import annotations

from tests.mutation.fault import Fault

REPORT = "tests/engine/cache/view/test_departures.py"
WHY = "tests/engine/run/test_why.py tests/engine/plan tests/engine/test_stored_state.py"
SPEECH = "tests/engine/text/test_speech.py"

NEEDS = "tests/engine/trace/test_ledger.py"
WHAT_IF = "tests/engine/trace/test_what_if.py"

REPORT_FAULTS = (
    Fault(
        "trace/needs.py",
        "after = self._began - lost.began",
        "after = self._began - lost.began + 1",
        "an eviction counts as needed a request later than it was",
        NEEDS,
    ),
    Fault(
        "trace/replay.py",
        "self._tiers.device.resize(tuned.kv_slots, tuned.state_slots)",
        "pass",
        "a replay overlooks that the budget was changed",
        WHAT_IF,
    ),
    Fault(
        "cache/view/departures.py",
        'plane = "both" if stretch.provenance else "kv"',
        'plane = "kv"',
        "a leaf evicted with its state is reported without it",
        REPORT,
    ),
    Fault(
        "cache/view/departures.py",
        '        stretch.provenance = ""',
        "        pass",
        "an evicted tombstone is reported with a state",
        REPORT,
    ),
    Fault(
        "cache/view/departures.py",
        "lower.above, lower.start, lower.tokens = upper, split.position, last",
        "lower.above, lower.tokens = upper, last",
        "a split node is reported with its old span",
        REPORT,
    ),
    Fault(
        "cache/view/departures.py",
        "first, last = lower.tokens[:at], lower.tokens[at:]",
        "first, last = lower.tokens[:at], lower.tokens",
        "a split node is located by the wrong tokens",
        REPORT,
    ),
    Fault(
        "cache/view/departures.py",
        "        self._taken = departures.total\n        return fresh",
        "        return fresh",
        "an eviction is reported again in each snapshot",
        REPORT,
    ),
    Fault(
        "cache/view/departures.py",
        "return fresh, since - len(fresh)",
        "return fresh, 0",
        "evictions that did not fit are not counted",
        REPORT,
    ),
    Fault(
        "cache/eviction/evictor.py",
        "self._log_change(NodeRemoved(leaf.id, cause, copy))",
        "self._log_change(NodeRemoved(leaf.id, cause))",
        "a demoted leaf is reported as lost",
        REPORT,
    ),
    Fault(
        "cache/eviction/evictor.py",
        "self._log_change(CheckpointDropped(node.id, node.end, cause, copy))",
        "self._log_change(CheckpointDropped(node.id, node.end, cause))",
        "a demoted state is reported as lost",
        REPORT,
    ),
    Fault(
        "cache/tiers/tiers.py",
        'return "disk" if self.disk is not None and self.disk.holds(holding.tokens) else None',
        'return "disk" if self.disk is not None else None',
        "a copy is claimed that the disk did not take",
        REPORT,
    ),
    Fault(
        "cache/view/overlay.py",
        "if len(rest) and inside < len(at.tokens):",
        "if len(rest) and inside == 0:",
        "a sequence that diverges inside a node is taken to continue",
        REPORT,
    ),
    Fault(
        "cache/view/overlay.py",
        "point = view.checkpoint if spot.at_end else None",
        "point = view.checkpoint",
        "another position's state counts as a copy",
        REPORT,
    ),
    Fault(
        "run/watch.py",
        "departure.node_before = spots.shown(departure)",
        "departure.node_before = None",
        "an evicted node is not located where it was shown",
        "tests/engine/run/test_snapshot.py",
    ),
    Fault(
        "run/watch.py",
        "fresh, unlisted = ((), 0) if reader is None else reader.take()",
        "fresh, unlisted = ((), 0) if reader is None else (reader.take()[0][1:], 0)",
        "the first of several evictions is not reported",
        "tests/engine/run/test_snapshot.py",
    ),
    Fault(
        "run/watch.py",
        "self._tell(tokens, node.start, *above[node.parent])",
        "self._tell(tokens, node.start, SILENT, above[node.parent][1])",
        "a node does not know who spoke when the one above it ended",
        SPEECH,
    ),
    Fault(
        "speech.py",
        'name == "think" and voice.role == "assistant" and voice.blank',
        'name == "think"',
        "a thinking tag in anybody's text counts",
        SPEECH,
    ),
    Fault(
        "speech.py",
        'voice.role == "tool" or (voice.role == "user" and voice.blank)',
        'voice.role == "tool"',
        "a tool's result in the user's turn is the user's",
        SPEECH,
    ),
    Fault(
        "plan/cuts.py",
        "at: kinds[at] if at in kinds else _grid(at, plan.cuts[-1], interval)",
        "at: _grid(at, plan.cuts[-1], interval)",
        "a state at an anchor does not say what the anchor is",
        WHY,
    ),
    Fault(
        "cache/lease.py",
        'why="branch" if position == branch else why or self._whys.get(position, ""),',
        'why=why or self._whys.get(position, ""),',
        "a state at a branch does not say so",
        WHY,
    ),
    Fault(
        "storage/segment_file.py",
        'why=next((why for why in get_args(Why) if why == said.why), ""),',
        "",
        "a state forgets in its file why it is kept",
        WHY,
    ),
    Fault(
        "trace/replay.py",
        "if above is None or len(own) != told.end - told.start or len(above) != told.start:",
        "if above is None:",
        "a simulated disk begins with a file whose tokens are not known",
        "tests/engine/trace/test_disks.py",
    ),
    Fault(
        "trace/predictions.py",
        "return isinstance(what, SegmentAdded) and what.found",
        "return isinstance(what, SegmentAdded)",
        "a prediction begins with files that were written later",
        "tests/engine/trace/test_disks.py",
    ),
)
