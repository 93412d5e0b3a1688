"""Checks whether a snapshot adds up, and formats checks as lines. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.cache.logic.planes import parts, total_bytes
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import listed
from app.core.words.tr import tr
from engine.snapshot import CacheSnapshot, Checked, InvariantName, NodeView, PoolView

SENTENCES: dict[InvariantName, str] = {
    "tree": tr(
        "Every node begins where its parent ends, has tokens and as many KV slots, "
        "and begins with another token than its siblings"
    ),
    "KV owners": tr(
        "Every KV slot of the tree belongs to one node, and every cached slot to a node"
    ),
    "KV pool": tr("Free, live and cached KV slots are all there are, and the free ones are listed"),
    "states": tr(
        "Every cached state slot is the checkpoint of one node; with the free and "
        "live ones they are all there are"
    ),
    "locks": tr(
        "Every lock count is the number of locks held there, and KV is locked wherever a state is"
    ),
    "tombstones": tr("No leaf that nobody holds is a tombstone, whose KV no state could use"),
}


NAMES: dict[InvariantName, str] = {
    "tree": tr("tree"),
    "KV owners": tr("KV owners"),
    "KV pool": tr("KV pool"),
    "states": tr("states"),
    "locks": tr("locks"),
    "tombstones": tr("tombstones"),
}


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One line: an invariant or a sum.

    Attributes:
        figures: the duration of the check, or both sides of the sum.
        problem: what is violated and where, "" if it holds.
    """

    name: str
    sentence: str
    figures: str
    problem: str

    @property
    def holds(self) -> bool:
        return not self.problem


def invariant_rows(checked: Iterable[Checked]) -> list[CheckRow]:
    return [
        CheckRow(
            f"{NAMES[one.name]} · {said(one.tier)}",
            SENTENCES[one.name],
            f"{1e3 * one.seconds:.2f} ms",
            one.problem,
        )
        for one in checked
    ]


def sum_rows(sums: Iterable[Sum]) -> list[CheckRow]:
    return [
        CheckRow(
            one.name,
            one.sentence,
            one.figures,
            "" if one.holds else tr("{figures} here").format(figures=one.figures),
        )
        for one in sums
    ]


def status(
    checked: tuple[Checked, ...], sums: Iterable[Sum], moments: int, bad: int
) -> tuple[str, ...]:
    """A summary in a sentence or two; `bad` of `moments` that were on screen did not add up."""
    violated = [one.problem for one in checked if one.problem]
    wrong = [one.name for one in sums if not one.holds]
    if violated:
        return (tr("Violated: {violated}.").format(violated=violated[0]),)
    if wrong:
        return (tr("This moment does not add up: {wrong}.").format(wrong=listed(wrong)),)
    lines = []
    if checked:
        took = sum(one.seconds for one in checked)
        lines.append(
            tr("All {checked} invariants hold, checked in {took:.1f} ms.").format(
                checked=len(checked), took=1000.0 * took
            )
        )
    if moments:
        seen = fmt.plural(moments, "moment")
        sure = tr("all of them add up") if not bad else tr("{bad:,} did not add up").format(bad=bad)
        lines.append(tr("{seen} seen, {sure}.").format(seen=seen, sure=sure))
    return tuple(lines) or (tr("Nothing has been checked yet."),)


@dataclass(frozen=True, slots=True)
class Sum:
    """One equation; it holds if both figures are equal.

    Attributes:
        sentence: what must equal what.
        is_, should: the two figures, in tokens, slots or bytes.
    """

    name: str
    sentence: str
    is_: int
    should: int

    @property
    def holds(self) -> bool:
        return self.is_ == self.should

    @property
    def figures(self) -> str:
        """ "1,864 = 1,864" """
        sign = "=" if self.holds else "≠"
        return f"{fmt.count(self.is_)} {sign} {fmt.count(self.should)}"


def sums(snapshot: CacheSnapshot) -> tuple[Sum, ...]:
    """Every equation, of a live snapshot or of a moment of a tape."""
    made = [*_pool("KV", snapshot.kv), *_pool(tr("state"), snapshot.state)]
    if snapshot.host is not None:
        made += [
            *_pool(tr("host KV"), snapshot.host.kv),
            *_pool(tr("host state"), snapshot.host.state),
        ]
    made += _nodes(snapshot)
    made += _bytes(snapshot)
    return tuple(made)


def broken(made: Iterable[Sum]) -> list[Sum]:
    return [one for one in made if not one.holds]


def _pool(name: str, pool: PoolView) -> Iterator[Sum]:
    yield Sum(
        tr("{name} slots").format(name=name),
        tr("Free, live and cached {name} slots are all slots of the pool").format(name=name),
        pool.free + pool.live + pool.cached,
        pool.total,
    )


def _nodes(snapshot: CacheSnapshot) -> Iterator[Sum]:
    """What the canvas draws equals what the allocator has given to the tree."""
    here = [node for node in snapshot.nodes if node.tier == "device"]
    yield Sum(
        tr("KV of the tree"),
        tr("The tokens of all nodes on the device are its cached KV slots"),
        _tokens(here),
        snapshot.kv.cached,
    )
    yield Sum(
        tr("locked KV"),
        tr("The tokens of all locked nodes are the locked KV slots"),
        _tokens(node for node in here if node.kv_lock),
        snapshot.kv.locked,
    )
    held = [
        node
        for node in here
        if node.checkpoint is not None and node.checkpoint.state.tier == "device"
    ]
    yield Sum(
        tr("states of the tree"),
        tr("The checkpoints on the device are its cached state slots"),
        len(held),
        snapshot.state.cached,
    )
    slots = {node.checkpoint.slot for node in held if node.checkpoint is not None}
    yield Sum(tr("slots apart"), tr("No two checkpoints share a slot"), len(slots), len(held))


def _bytes(snapshot: CacheSnapshot) -> Iterator[Sum]:
    memory, bar = snapshot.memory, parts(snapshot)
    yield Sum(
        tr("KV plane"),
        tr("Bytes of the KV plane are those of its slots"),
        memory.kv_plane,
        snapshot.kv.total * snapshot.kv.slot_bytes,
    )
    yield Sum(
        tr("state plane"),
        tr("Bytes of the state plane are those of its slots"),
        memory.state_plane,
        snapshot.state.total * snapshot.state.slot_bytes,
    )
    yield Sum(
        tr("planes bar"),
        tr("The parts of the planes bar are all that the engine holds"),
        sum(part.bytes for part in bar),
        total_bytes(snapshot),
    )
    cached = {"kv_cached", "kv_locked", "state_cached", "state_locked"}
    pools = snapshot.kv.cached * snapshot.kv.slot_bytes
    pools += snapshot.state.cached * snapshot.state.slot_bytes
    yield Sum(
        tr("cached bytes"),
        tr("What the planes bar shows as cached is what the pools hold for the tree"),
        sum(part.bytes for part in bar if part.key in cached),
        pools,
    )


def _tokens(nodes: Iterable[NodeView]) -> int:
    return sum(node.end - node.start for node in nodes)
