"""The marks of a node: one table for the painter, the legend, the filter and the hover. Without Qt.

Every mark is recognizable without colour: by a shape, a hatching, a letter or a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.core.words.tr import tr
from engine.snapshot import CacheSnapshot, CheckpointView, NodeView

Group = Literal["kv", "state", "origin", "audit", "held", "why"]


@dataclass(frozen=True, slots=True)
class MarkKind:
    """One mark.

    Attributes:
        key: its name in code; for a reason, the engine's name.
        group: marks of a group exclude or complement one another.
        word: its name in the legend.
        meaning: its tooltip, without a full stop.
        letter: the letter drawn for a reason; "" for marks with a shape.
    """

    key: str
    group: Group
    word: str
    meaning: str
    letter: str = ""


MARKS = (
    MarkKind("resident", "kv", tr("on device"), tr("Keys and values are in device memory")),
    MarkKind(
        "lower", "kv", tr("host or disk"), tr("Keys and values are loaded when needed: an outline")
    ),
    MarkKind(
        "doubtful",
        "kv",
        tr("in doubt"),
        tr("May be gone: the engine's events were lost, and it was not heard of since: dashed"),
    ),
    MarkKind(
        "untold",
        "state",
        tr("not told"),
        tr("The engine does not say whether it has a checkpoint: crossed hatching"),
    ),
    MarkKind(
        "tombstone",
        "state",
        tr("tombstone"),
        tr("Keys and values without a checkpoint on any tier: hatched"),
    ),
    MarkKind("device", "state", tr("on device"), tr("A checkpoint in device memory: a diamond")),
    MarkKind("host", "state", tr("on host"), tr("A checkpoint in host memory: underlined once")),
    MarkKind("disk", "state", tr("on disk"), tr("A checkpoint on disk: underlined twice")),
    MarkKind(
        "prefill", "origin", tr("prefill"), tr("Taken while reading a prompt: a filled diamond")
    ),
    MarkKind(
        "decode", "origin", tr("decode"), tr("Taken while writing an answer: a hollow diamond")
    ),
    MarkKind(
        "fork", "origin", tr("fork"), tr("Taken where a conversation forked: a half-filled diamond")
    ),
    MarkKind("compressed", "origin", tr("compressed"), tr("Stored in fewer bits: a flat diamond")),
    MarkKind(
        "verified", "audit", tr("verified"), tr("An audit found no difference that matters: a tick")
    ),
    MarkKind("unclear", "audit", tr("unclear"), tr("An audit could not tell: a question mark")),
    MarkKind(
        "drifted", "audit", tr("drifted"), tr("An audit found a harmless difference: a tilde")
    ),
    MarkKind(
        "quarantined",
        "audit",
        tr("quarantined"),
        tr("An audit found it wrong, so nothing uses it: a cross"),
    ),
    MarkKind(
        "locked", "held", tr("in use"), tr("Held by the running request: a line below, a ring")
    ),
    MarkKind("pinned", "held", tr("pinned"), tr("Kept until it is unpinned: a pin")),
    MarkKind(
        "running", "held", tr("running"), tr("The running request has come this far: an arrowhead")
    ),
    MarkKind("system end", "why", tr("system end"), tr("Kept at the end of the system text"), "S"),
    MarkKind("user start", "why", tr("user start"), tr("Kept where a user message starts"), "U"),
    MarkKind(
        "before thinking", "why", tr("before thinking"), tr("Kept where thinking is cut off"), "T"
    ),
    MarkKind("answer start", "why", tr("answer start"), tr("Kept where an answer starts"), "A"),
    MarkKind("tool call", "why", tr("tool call"), tr("Kept at a tool call"), "C"),
    MarkKind("interval", "why", tr("interval"), tr("Kept after so many tokens"), "I"),
    MarkKind("branch", "why", tr("branch point"), tr("Kept where two conversations part"), "B"),
    MarkKind("end of prompt", "why", tr("end of prompt"), tr("Kept at the end of a prompt"), "P"),
    MarkKind("end of answer", "why", tr("end of answer"), tr("Kept at the end of an answer"), "E"),
    MarkKind("stopped", "why", tr("stopped"), tr("Kept where a request was stopped"), "X"),
    MarkKind("asked for", "why", tr("asked for"), tr("Kept because you asked for it"), "Y"),
)
# The caption of each group in the legend.
CAPTIONS: dict[Group, str] = {
    "kv": "KV",
    "state": tr("Checkpoint"),
    "origin": tr("Taken in"),
    "audit": tr("Audit"),
    "held": tr("Held"),
    "why": tr("Kept for"),
}
KINDS = {kind.key: kind for kind in MARKS}
BITS = {kind.key: 1 << number for number, kind in enumerate(MARKS)}
_ORIGINS = {"prefill": "prefill", "decode": "decode", "branch": "fork"}
_TOMBSTONE, _RESIDENT, _LOWER = BITS["tombstone"], BITS["resident"], BITS["lower"]


def of_group(group: Group) -> int:
    """The bits of all marks of a group."""
    return sum(BITS[kind.key] for kind in MARKS if kind.group == group)


# The marks that decide how a checkpoint is drawn.
DRAWN = of_group("state") | of_group("origin") | of_group("audit") | of_group("why")


def marks_of(node: NodeView) -> int:
    """The bits of a node's marks; it does not know whether a request runs at its end."""
    if node.parent is None or node.lane:
        return 0
    bits = _RESIDENT if node.tier == "device" else _LOWER
    point = node.checkpoint
    if point is not None:
        bits |= _checkpoint_marks(point)
    else:
        bits |= _TOMBSTONE if node.state_told else BITS["untold"]
    if node.doubtful:
        bits |= BITS["doubtful"]
    if node.kv_lock or node.state_lock:
        bits |= BITS["locked"]
    return bits | BITS["pinned"] if node.pinned else bits


def _checkpoint_marks(point: CheckpointView) -> int:
    state = point.state
    bits = BITS[state.tier] | BITS[_ORIGINS[state.provenance]]
    if state.stored != "none":
        bits |= BITS["compressed"]
    if state.verdict is not None:
        bits |= BITS[state.verdict.status]
    # A trace of a later version may have reasons that this table lacks.
    return bits | BITS.get(point.why, 0)


def kinds_of(bits: int) -> Iterator[MarkKind]:
    """The marks of some bits, in the table's order."""
    return (kind for kind in MARKS if bits & BITS[kind.key])


def letter_of(bits: int) -> str:
    """The letter of the reason in some bits, "" without one."""
    return next((kind.letter for kind in kinds_of(bits) if kind.letter), "")


def counts(snapshot: CacheSnapshot) -> dict[str, int]:
    """The number of nodes by mark, for each mark that occurs."""
    found: dict[int, int] = {}
    for node in snapshot.nodes:
        bits = marks_of(node)
        found[bits] = found.get(bits, 0) + 1
    made = {
        kind.key: sum(many for bits, many in found.items() if bits & BITS[kind.key])
        for kind in MARKS
    }
    made["running"] = int(snapshot.live is not None)
    return {key: many for key, many in made.items() if many}


def masks(wanted: Collection[str]) -> tuple[int, ...]:
    """The wanted bits of each group that has any."""
    groups: dict[Group, int] = {}
    for key in wanted:
        kind = KINDS[key]
        groups[kind.group] = groups.get(kind.group, 0) | BITS[key]
    return tuple(groups.values())


def are_wanted(marks: NDArray[np.int64], groups: Iterable[int]) -> NDArray[np.bool_]:
    """Whether each row has a wanted mark of each group; `groups` from `masks`."""
    found = np.ones(len(marks), dtype=np.bool_)
    for group in groups:
        found &= marks & group > 0
    return found
