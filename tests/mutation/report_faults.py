"""Deliberate faults in how evictions are reported."""

from __future__ import annotations

from tests.mutation.fault import Fault

REPORT = "tests/engine/trace/test_evictions.py"
WHY = "tests/engine/run/test_why.py tests/engine/plan tests/engine/test_stored_state.py"
SPEECH = "tests/engine/text/test_speech.py"

NEEDS = "tests/engine/trace/test_ledger.py"
WHAT_IF = "tests/engine/trace/test_what_if.py"

REPORT_FAULTS = (
    Fault(
        "trace/keyframe.py",
        'plane="state" if stays else "both" if held else "kv"',
        'plane="state" if stays else "kv"',
        "a leaf evicted with its state is reported without it",
        REPORT,
    ),
    Fault(
        "trace/keyframe.py",
        "state_bytes=state_bytes if stays or held else 0",
        "state_bytes=state_bytes",
        "an evicted tombstone is reported with a state",
        REPORT,
    ),
    Fault(
        "trace/tape.py",
        "unlisted, self._listed = first - self._listed, total",
        "unlisted = first - self._listed",
        "an eviction is reported again in each snapshot",
        REPORT,
    ),
    Fault(
        "trace/tape.py",
        "return replace(found, time=time, evictions=placed, unlisted=unlisted)",
        "return replace(found, time=time, evictions=placed)",
        "evictions that did not fit are not counted",
        REPORT,
    ),
    Fault(
        "trace/merged.py",
        "yield child, before + (start + _shared(child.tokens, data, start)) // BYTES",
        "yield child, before + (start + len(child.tokens)) // BYTES",
        "a sequence that diverges inside a node is taken for that node",
        REPORT,
    ),
    Fault(
        "trace/mirror.py",
        "elif whole and end == piece.end:",
        "elif whole:",
        "another position's state counts as a copy",
        REPORT,
    ),
    Fault(
        "trace/merged.py",
        "upper.owners, upper.more, upper.seen = piece.owners.copy(), piece.more, piece.seen",
        "upper.owners, upper.more = piece.owners.copy(), piece.more",
        "what was split before it left is not found where it was shown",
        REPORT,
    ),
    Fault(
        "trace/mirror.py",
        "node_before=spot.seen",
        "node_before=None",
        "an evicted node is not located",
        REPORT,
    ),
    Fault(
        "trace/piece_owners.py",
        "        self._asked = True\n",
        "",
        "a conversation of an earlier start is named only once the cache changes",
        "tests/engine/trace/test_owned_nodes.py",
    ),
    Fault(
        "trace/mirror.py",
        "if self._drawn is None or self._drawn_of != drawn_of or self._held is not held:",
        "if self._drawn is None or self._drawn_of != drawn_of:",
        "whose a node is stays as it was until the tree changes",
        "tests/engine/trace/test_owned_nodes.py",
    ),
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
