"""The nodes of a snapshot as numpy columns, updated incrementally. Without Qt.

A snapshot shares the records of unchanged nodes with the one before it. So only the others are
read again, and a change of one node among thousands costs no loop over all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from app.cache.logic.arrays import Flags, Floats, Ints, Xs
from app.cache.logic.mark_table import marks_of
from engine.snapshot import TIERS, CacheSnapshot, CheckpointView, NodeView

# UNKNOWN: the engine has not said. TEMPLATE: tokens outside all messages.
UNKNOWN, TEMPLATE = 0, 1
SPEAKERS = ("", "template", "system", "user", "thinking", "tool", "assistant")
KINDS = {"": TEMPLATE} | {name: kind for kind, name in enumerate(SPEAKERS) if kind > TEMPLATE}
# How a checkpoint is marked; "wrong" is one that an audit quarantined.
PROVENANCES = ("", "prefill", "decode", "branch", "wrong")

# Start, kind, whether it opens, and text of a stretch.
Part = tuple[int, int, bool, str]
_Keys = NDArray[np.uint64]
_MOST_BITS = 64
# numpy sorts 16 bits by counting, which its vector instructions do not beat on every processor.
_DIGIT = 16
# With so few rows out of order, it costs next to nothing to merge the others.
_RUN = 16
# Numbers this dense, or in a range this small, are looked up in a direct-address table.
_SPARSE, _ORDERING_FEW = 8, 1024


def order_by(*keys: Ints | Floats) -> Ints:
    """Sort rows by the first key, then by the next ones, then by row number.

    Like `np.lexsort` with the keys in reverse order.
    """
    order = np.arange(len(keys[0]))
    for column in _packed(keys):
        order = order[_sorted(column[order])]
    return order


def _packed(keys: tuple[Ints | Floats, ...]) -> Iterator[_Keys]:
    """The keys, last first, packed so that as many as fit are sorted as one column."""
    packed, used = np.zeros(len(keys[0]), dtype=np.uint64), 0
    for key in keys[::-1]:
        column = _whole(key)
        bits = int(column.max(initial=0)).bit_length()
        if used + bits > _MOST_BITS:
            yield packed
            packed, used = column, bits
        elif bits:
            packed = packed + (column << np.uint64(used))
            used += bits
    yield packed


def _whole(key: Ints | Floats) -> _Keys:
    """A key mapped to unsigned integers from 0 on, in the same order."""
    if key.dtype.kind == "f":
        # The bits of floats of one sign sort as integers; adding 0.0 merges both zeros.
        bits = (key.astype(np.float64) + 0.0).view(np.int64)
        key = bits ^ ((bits >> 63) & np.int64(2**63 - 1))
    # Modulo 2**64, so that no difference is too large.
    return key.astype(np.uint64) - (key.min().astype(np.uint64) if len(key) else np.uint64(0))


def _sorted(values: _Keys) -> Ints:
    """A stable argsort."""
    turns = np.count_nonzero(values[1:] < values[:-1])
    if _RUN * turns < len(values) or len(values) < _ORDERING_FEW:
        return np.argsort(values, kind="stable")
    order = np.arange(len(values))
    for low in range(0, int(values.max()).bit_length(), _DIGIT):
        digit = (values >> np.uint64(low)).astype(np.uint16)
        if (digit != digit[0]).any():
            order = order[np.argsort(digit[order], kind="stable")]
    return order


def one_of_each(values: Ints) -> Ints:
    """The index of the first occurrence of each distinct value, sorted by value."""
    order = order_by(values)
    ordered = values[order]
    return order[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(order) else order


def find(known: Ints, wanted: Ints) -> Ints:
    """The index of each wanted number in `known`, which must be sorted and distinct; else -1."""
    made = np.full(len(wanted), -1, dtype=np.int64)
    if not len(known):
        return made
    least, most = int(known[0]), int(known[-1])
    if most - least < _ORDERING_FEW + _SPARSE * len(known):
        places = np.full(most - least + 1, -1, dtype=np.int64)
        places[known - least] = np.arange(len(known))
        inside = np.flatnonzero((wanted >= least) & (wanted <= most))
        made[inside] = places[wanted[inside] - least]
        return made
    # Searching for sorted values is ten times as fast.
    order = order_by(wanted)
    at = np.searchsorted(known, wanted[order])
    at[at == len(known)] = 0
    made[order] = np.where(known[at] == wanted[order], at, -1)
    return made


@dataclass(frozen=True, slots=True, eq=False)
class NodeColumns:
    """One line per node, in the order of the snapshot.

    Attributes:
        parent: line of the parent, -1 for the root.
        provenance: index into PROVENANCES; 0 is a tombstone.
        tier: index into TIERS: where the KV is stored.
        marks: bits of app.cache.logic.mark_table.
        owners: index into `groups`.
        groups: sets of conversations that use a node, as NodeView names them.
        kv_bytes, state_bytes: of the node alone.
        created: seconds.
        told: the engine has reported who speaks in it.
        first, count: its stretches in `said`.
        said: of these nodes, and possibly of removed ones.
    """

    ids: Ints
    parent: Ints
    start: Ints
    end: Ints
    provenance: Ints
    tier: Ints
    kv_lock: Ints
    state_lock: Ints
    marks: Ints
    owners: Ints
    kv_bytes: Ints
    state_bytes: Ints
    created: Xs
    told: Flags
    first: Ints
    count: Ints
    groups: tuple[tuple[int, ...], ...]
    said: SaidColumns

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class SaidColumns:
    """Stretches by one speaker, a line each; those of a node are contiguous.

    Attributes:
        kind: index into SPEAKERS.
        opens: the message, or its thinking, begins here.
        text: first decoded characters.
    """

    start: Ints
    kind: Ints
    opens: Flags
    text: list[str]


_ARRAYS = tuple(field.name for field in fields(NodeColumns) if field.name not in ("groups", "said"))
_TYPES = {"created": np.float64, "told": np.bool_}
# Lines of `said` per line in use before all are read again, once there are more than _FEW.
_MOST_STALE, _FEW = 3, 1000


class ColumnReader:
    """Reads one snapshot after another; keeps the last one."""

    def __init__(self) -> None:
        self._nodes: tuple[NodeView, ...] = ()
        self._addresses = np.zeros(0, dtype=np.int64)
        self._made: NodeColumns | None = None
        # The index of each line in the previous columns; -1 if it was read again.
        self._was = self._addresses
        self._groups: dict[tuple[int, ...], int] = {}
        self._said = _Said()

    def read(self, snapshot: CacheSnapshot) -> NodeColumns:
        """The columns of a snapshot."""
        nodes = snapshot.nodes
        if nodes is self._nodes and self._made is not None:
            self._was = np.arange(len(nodes))
            return self._made
        # The last snapshot's records are still alive, so an address identifies one of them.
        addresses = np.fromiter(map(id, nodes), np.int64, len(nodes))
        was = _places(self._addresses, addresses)
        # Without a model there are no nodes.
        if not self._made or self._stale(self._made):
            self._said, self._groups, self._made = _Said(), {}, None
            was = np.full(len(nodes), -1, dtype=np.int64)
        self._made = self._merged(nodes, was)
        self._nodes, self._addresses, self._was = nodes, addresses, was
        return self._made

    def moved(self, lines: Ints) -> Ints:
        """The current indices of all previous lines, in the given order, then the new lines."""
        kept = np.flatnonzero(self._was >= 0)
        now = np.full(len(lines), -1, dtype=np.int64)
        now[self._was[kept]] = kept
        made = now[lines]
        return np.concatenate([made[made >= 0], np.flatnonzero(self._was < 0)])

    def _stale(self, made: NodeColumns) -> bool:
        """Whether most stretches, or most groups, belong to removed nodes."""
        said = len(self._said) > _FEW and len(self._said) > _MOST_STALE * int(made.count.sum())
        return said or len(self._groups) > _FEW + _MOST_STALE * len(made)

    def _merged(self, nodes: tuple[NodeView, ...], was: Ints) -> NodeColumns:
        """Columns that copy previous lines where `was` is not -1, and read the others."""
        before = self._made
        fresh = np.flatnonzero(was < 0)
        lines = [self._line(nodes[at]) for at in fresh.tolist()]
        columns = {}
        for number, name in enumerate(_ARRAYS):
            kind = _TYPES.get(name, np.int64)
            column = (
                np.zeros(len(nodes), dtype=kind) if before is None else getattr(before, name)[was]
            )
            if lines:
                column[fresh] = np.array([line[number] for line in lines], dtype=kind)
            columns[name] = column
        columns["parent"] = self._parents(nodes, was, fresh, columns["ids"])
        return NodeColumns(**columns, groups=tuple(self._groups), said=self._said.columns())

    def _parents(self, nodes: tuple[NodeView, ...], was: Ints, fresh: Ints, ids: Ints) -> Ints:
        """Lines of the parents; a node whose parent is missing hangs below the root."""
        before = self._made
        made = np.full(len(nodes), -1, dtype=np.int64)
        kept = np.flatnonzero(was >= 0)
        if before is not None and len(kept):
            # The current index of each line of the last columns.
            now = np.full(len(before) + 1, -1, dtype=np.int64)
            now[was[kept]] = kept
            made[kept] = now[before.parent[was[kept]]]
        unsure = [at for at in np.flatnonzero(made < 0).tolist() if nodes[at].parent is not None]
        if unsure:
            wanted = np.array([nodes[at].parent or 0 for at in unsure], dtype=np.int64)
            order = order_by(ids)
            found = find(ids[order], wanted)
            made[unsure] = np.where(found >= 0, order[found], 0)
        return made

    def _line(self, node: NodeView) -> tuple[object, ...]:
        """The values of a node, in the order of _ARRAYS; its parent is set later."""
        point = node.checkpoint
        first, count = self._said.add(parts_of(node))
        return (
            node.id,
            -1,
            node.start,
            node.end,
            _mark(point),
            TIERS.index(node.tier),
            node.kv_lock,
            node.state_lock,
            marks_of(node),
            self._groups.setdefault(node.owners, len(self._groups)),
            node.kv_bytes,
            0 if point is None else point.bytes,
            node.created,
            bool(node.speech),
            first,
            count,
        )


class _Said:
    """The stretches read so far; only new ones are converted to columns."""

    def __init__(self) -> None:
        self._fresh: list[Part] = []
        self._made = SaidColumns(
            np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.bool_), []
        )

    def __len__(self) -> int:
        return len(self._made.start) + len(self._fresh)

    def add(self, parts: list[Part]) -> tuple[int, int]:
        """Append stretches; returns the index of the first, and their number."""
        first = len(self)
        self._fresh += parts
        return first, len(parts)

    def columns(self) -> SaidColumns:
        if self._fresh:
            starts, kinds, opens, texts = zip(*self._fresh, strict=True)
            made = self._made
            # The list is append-only, so earlier columns may share it.
            made.text.extend(texts)
            self._made = replace(
                made,
                start=np.concatenate([made.start, np.array(starts, dtype=np.int64)]),
                kind=np.concatenate([made.kind, np.array(kinds, dtype=np.int64)]),
                opens=np.concatenate([made.opens, np.array(opens, dtype=np.bool_)]),
            )
            self._fresh = []
        return self._made


def parts_of(node: NodeView) -> list[Part]:
    """The stretches of a node; text without a known speaker is a message of its own."""
    if not node.speech:
        return [(node.start, UNKNOWN, True, node.text)]
    parts = [
        (said.start, KINDS.get(said.role, UNKNOWN), said.opens, said.text) for said in node.speech
    ]
    if parts[0][0] > node.start:
        parts.insert(0, (node.start, TEMPLATE, False, ""))
    return parts


def _places(known: Ints, wanted: Ints) -> Ints:
    """The index of each wanted number among the known ones, or -1.

    Both are long, and mostly equal.
    """
    made = np.full(len(wanted), -1, dtype=np.int64)
    least = min(len(known), len(wanted))
    if not least:
        return made
    differs = np.flatnonzero(known[:least] != wanted[:least])
    head = int(differs[0]) if len(differs) else least
    rest = least - head
    differs = np.flatnonzero(known[len(known) - rest :][::-1] != wanted[len(wanted) - rest :][::-1])
    tail = int(differs[0]) if len(differs) else rest
    made[:head] = np.arange(head)
    made[len(wanted) - tail :] = np.arange(len(known) - tail, len(known))
    old = known[head : len(known) - tail].tolist()
    line_of = dict(zip(old, range(head, head + len(old)), strict=True))
    new = wanted[head : len(wanted) - tail].tolist()
    made[head : head + len(new)] = [line_of.get(one, -1) for one in new]
    return made


def _mark(point: CheckpointView | None) -> int:
    if point is None:
        return 0
    return PROVENANCES.index("wrong" if point.state.quarantined else point.state.provenance)
