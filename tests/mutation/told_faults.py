"""Deliberate faults in what is told of evictions."""

from __future__ import annotations

from tests.mutation.fault import Fault

TOLD = "tests/engine/cache/view/test_departures.py"

TOLD_FAULTS = (
    Fault(
        "cache/view/departures.py",
        'plane = "both" if gone.provenance else "kv"',
        'plane = "kv"',
        "a leaf that went with its state is told without it",
        TOLD,
    ),
    Fault(
        "cache/view/departures.py",
        '        left.provenance = ""',
        "        pass",
        "a tombstone that goes is told with a state",
        TOLD,
    ),
    Fault(
        "cache/view/departures.py",
        "lower.above, lower.start, lower.tokens = upper, split.position, last",
        "lower.above, lower.tokens = upper, last",
        "a split node is told with its old span",
        TOLD,
    ),
    Fault(
        "cache/view/departures.py",
        "first, last = lower.tokens[:at], lower.tokens[at:]",
        "first, last = lower.tokens[:at], lower.tokens",
        "a split node's place is looked for by the wrong tokens",
        TOLD,
    ),
    Fault(
        "cache/view/departures.py",
        "        self._taken = departures.total\n        return fresh",
        "        return fresh",
        "an eviction is told again in each snapshot",
        TOLD,
    ),
    Fault(
        "cache/view/departures.py",
        "return fresh, since - len(fresh)",
        "return fresh, 0",
        "what could not be held is not counted",
        TOLD,
    ),
    Fault(
        "cache/eviction/evictor.py",
        "self._tell(NodeRemoved(leaf.id, cause, copy))",
        "self._tell(NodeRemoved(leaf.id, cause))",
        "a leaf that moved down is told as lost",
        TOLD,
    ),
    Fault(
        "cache/eviction/evictor.py",
        "self._tell(CheckpointDropped(node.id, node.end, cause, copy))",
        "self._tell(CheckpointDropped(node.id, node.end, cause))",
        "a state that moved down is told as lost",
        TOLD,
    ),
    Fault(
        "cache/tiers/tiers.py",
        'return "disk" if self.disk is not None and self.disk.holds(holding.tokens) else None',
        'return "disk" if self.disk is not None else None',
        "a copy is claimed that the disk did not take",
        TOLD,
    ),
    Fault(
        "cache/view/overlay.py",
        "if len(rest) and inside < len(at.tokens):",
        "if len(rest) and inside == 0:",
        "a sequence that parts inside a node is taken to go on",
        TOLD,
    ),
    Fault(
        "cache/view/spots.py",
        "point = view.checkpoint if spot.at_end else None",
        "point = view.checkpoint",
        "another position's state passes for a copy",
        TOLD,
    ),
    Fault(
        "run/watch.py",
        "departure.node_before = spots.shown(departure)",
        "departure.node_before = None",
        "what went is not found where it was shown",
        "tests/engine/run/test_snapshot.py",
    ),
    Fault(
        "run/watch.py",
        "went, unlisted = ((), 0) if reader is None else reader.take()",
        "went, unlisted = ((), 0) if reader is None else (reader.take()[0][1:], 0)",
        "the first of several evictions is not told",
        "tests/engine/run/test_snapshot.py",
    ),
)
