"""Locates an entry of a tape in the tree: its node, or its closest ancestor. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.session.passages import way_to
from app.core.words.tr import tr
from engine.cache.journal import changes
from engine.cache.journal.journal import Entry
from engine.journal.tape import Tape
from engine.snapshot import CacheSnapshot

# A request's own last entries are just before its end.
_LOOKED_BACK = 4096
# Their node exists after the entry, that of others before it.
_MAKES = (changes.NodeAdded, changes.NodeSplit, changes.CheckpointStored)
_ENDS_OF_PATHS = (changes.KvUnlocked, changes.CheckpointStored, changes.RequestAt)
ENDS = (changes.NodeRemoved, changes.CheckpointDropped)


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """A node of the tree on screen.

    Attributes:
        node: of the entry, or its deepest ancestor on screen; None for neither.
        sentence: why it is not the entry's own, "" if it is.
    """

    node: int | None = None
    sentence: str = ""


def entry_place(tape: Tape, index: int, shown: CacheSnapshot, moment: int) -> EntryPlace:
    """The place of an entry in the cache as it was after the first `moment` entries."""
    known = _node(tape, index)
    if known is None:
        return EntryPlace()
    entry, node = known
    here = {one.id: one for one in shown.nodes}
    then = index + 1 if isinstance(entry.what, _MAKES) else index
    before = tape.snapshot(then)
    named = tape.shown_id(then, entry.tier, node)
    if named is None:
        return EntryPlace()
    keys = {one.key: one.id for one in shown.nodes if one.key}
    way = way_to(named, {one.id: one for one in before.nodes})
    for depth, one in enumerate(reversed(way)):
        found = one.id if one.id in here else keys.get(one.key)
        if found is not None:
            return EntryPlace(found, _left(depth, index, moment))
    return EntryPlace(None, _left(len(way), index, moment))


def path_end(tape: Tape, index: int) -> int | None:
    """The last entry that named the deepest node of a request's path; `index`: of the request."""
    for at in range(index - 1, max(index - _LOOKED_BACK, tape.first) - 1, -1):
        entry = tape.entry(at)
        if entry.tier == "device" and isinstance(entry.what, _ENDS_OF_PATHS) and entry.what.node:
            return at
    return None


def last_sight(tape: Tape, index: int) -> tuple[int, int | None] | None:
    """The last moment of what an entry removed, and its node; None if it removed nothing."""
    known = _node(tape, index)
    if known is None or not isinstance(known[0].what, ENDS):
        return None
    return index, tape.shown_id(index, known[0].tier, known[1])


def _node(tape: Tape, index: int) -> tuple[Entry, int] | None:
    """An entry and its node, as numbered by its tier."""
    if not tape.first <= index < len(tape):
        return None
    entry = tape.entry(index)
    node = getattr(entry.what, "node", None)
    if entry.tier not in ("device", "host") or not isinstance(node, int) or node <= 0:
        return None
    return entry, node


def _left(depth: int, index: int, moment: int) -> str:
    if not depth:
        return ""
    if index >= moment:
        return tr("That node is not in the cache yet at this moment; what it continues is chosen.")
    return tr(
        "That node is not in the cache any more; what is left of the way to it "
        "is chosen. Double-click the event to go to just before."
    )
