"""Many entries as one string of bytes, and back: quick both ways, and small.

Almost all records consist of numbers and names, which marshal takes as they are; a state is taken
field by field. The few that hold other records are pickled.
"""

from __future__ import annotations

import marshal
import pickle
import zlib
from itertools import chain
from typing import Any, get_args, get_type_hints

from engine.cache.journal.changes import Change, CheckpointStored
from engine.cache.journal.journal import Entry
from engine.stored_state import StoredState

_KINDS: tuple[Any, ...] = get_args(Change)
_STORED, _PICKLED = _KINDS.index(CheckpointStored), -1
_PLAIN = {int, int | None, float, str, bool, bytes}
_TAKEN = {int, float, str, bool, bytes, type(None)}
_CODES = {
    kind: code for code, kind in enumerate(_KINDS) if {*get_type_hints(kind).values()} <= _PLAIN
}


def packed(entries: list[Entry]) -> bytes:
    """Entries that were made here; compressed."""
    codes, fields = [], []
    for _, _, _, what in entries:
        code = _CODES.get(type(what))
        known: Any = what
        if code is None:
            code, known = _holder(what)
        codes.append(code)
        fields.append(tuple(known))
    seqs, times, tiers = ([entry[place] for entry in entries] for place in range(3))
    # Of a number of numpy's, marshal would keep the bytes.
    if {*map(type, chain(seqs, times, tiers, *fields))} <= _TAKEN:
        data = marshal.dumps((seqs, times, tiers, codes, fields))
    else:
        data = marshal.dumps(pickle.dumps(entries, 5))
    return zlib.compress(data, 1)


def unpacked(data: bytes) -> list[Entry]:
    """The entries again. Only for bytes that `packed` made in this process."""
    loaded = marshal.loads(zlib.decompress(data))
    if isinstance(loaded, bytes):
        # Packed here from our own records, so there is nothing to fear from unpacking them.
        entries: list[Entry] = pickle.loads(loaded)
        return entries
    seqs, times, tiers, codes, fields = loaded
    whats: list[Any] = []
    for code, known in zip(codes, fields, strict=True):
        if code == _STORED:
            node, slot, hits, *state = known
            whats.append(CheckpointStored(node, slot, hits, StoredState(*state)))
        elif code == _PICKLED:
            whats.append(pickle.loads(*known))
        else:
            whats.append(_KINDS[code]._make(known))
    return list(map(Entry, seqs, times, tiers, whats))


def _holder(what: Any) -> tuple[int, Any]:
    """The code and the fields of a record that holds others."""
    if type(what) is not CheckpointStored or what.state.verdict is not None:
        return _PICKLED, (pickle.dumps(what, 5),)
    state = what.state
    known = (
        what.node,
        what.slot,
        what.hits,
        state.position,
        state.provenance,
        state.cut_hash,
        state.has_hidden,
        state.stored,
        state.error,
        state.tier,
        None,
        state.why,
    )
    return _STORED, known
