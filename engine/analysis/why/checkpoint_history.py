"""The history of one checkpoint: every event in the life of a prefix's state, on all tiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from engine.analysis.why.lives import Life, Lives, Place
from engine.cache.eviction.cause import PRESSURE, Cause
from engine.cache.tiers.lower import FileCause
from engine.journal.tape import Tape
from engine.prefix_key import PrefixKey
from engine.snapshot import NodeView

# A copy on the host is logged so many entries before what it is a copy of leaves the device.
_NEAR = 8
_PRESSURE = frozenset({*PRESSURE, FileCause.NO_ROOM})


class Event(StrEnum):
    """What happened to a checkpoint."""

    FOUND = "found"
    STORED = "stored"
    RESUMED = "resumed from"
    VERIFIED = "verified"
    QUARANTINED = "quarantined"
    COPIED = "copied down"
    MOVED_DOWN = "moved down"
    PROMOTED = "promoted"
    REPLACED = "replaced"
    # Another tier still had it, or none did.
    EVICTED = "evicted"
    LOST = "lost"
    REMOVED = "removed"


# Before these it was still there, after the others it is there.
GOING = frozenset({Event.MOVED_DOWN, Event.REPLACED, Event.EVICTED, Event.LOST, Event.REMOVED})


@dataclass(frozen=True, slots=True)
class Chapter:
    """One event of a checkpoint.

    Attributes:
        index: of its entry.
        tier: where it happened.
        other: the tier that it came from or went to, "" for none.
        named: the journal's name of the cause, the verdict or the provenance; "" for none.
        request: number of the request that resumed from it, or that ran when it left.
    """

    index: int
    event: Event
    tier: str
    other: str = ""
    named: str = ""
    request: int | None = None

    @property
    def moment(self) -> int:
        """The moment to look at: before it left, or after anything else."""
        return self.index if self.event in GOING else self.index + 1


def prefix_of(tape: Tape, index: int, node: NodeView, lives: Lives) -> str:
    """The key of a node's prefix in the snapshot after `index` entries; "" if it is unknown.

    A recording without tokens names nodes by number only, so their checkpoints' own places serve.
    """
    if node.key:
        return node.key
    numbers = tape.numbers(index, node.id)
    for life in reversed(lives.lives):
        there = life.stored < index and (life.gone is None or life.gone.index >= index)
        if there and life.place.end == node.end and numbers.get(life.tier) == life.node:
            return _key(tape, life.place)
    return ""


def history_of(lives: Lives, prefix: str, end: int) -> tuple[Chapter, ...]:
    """What happened to the state after a prefix of `end` tokens, in order; () if unknown."""
    if not prefix:
        return ()
    tape = lives.tape
    own = [one for one in lives.lives if one.place.end == end and _key(tape, one.place) == prefix]
    chapters = [chapter for life in own for chapter in _life(life)]
    chapters += _files(lives, prefix, end)
    chapters += _resumed(lives, own, prefix, end)
    chapters.sort(key=lambda one: one.index)
    return tuple(_told(chapters))


def _life(life: Life) -> Iterator[Chapter]:
    if not life.origin:
        yield Chapter(life.stored, Event.FOUND, life.tier, named=life.provenance)
    elif life.origin == life.tier:
        yield Chapter(life.stored, Event.STORED, life.tier, named=life.provenance)
    else:
        up = life.tier == "device"
        event = Event.PROMOTED if up else Event.COPIED
        yield Chapter(life.stored, event, life.tier, life.origin)
    for index, status in life.verdicts:
        event = Event.QUARANTINED if status == "quarantined" else Event.VERIFIED
        yield Chapter(index, event, life.tier, named=status)
    gone = life.gone
    if gone is None:
        return
    if gone.cause == Cause.SUPERSEDED:
        event = Event.REPLACED
    elif gone.copy:
        event = Event.MOVED_DOWN
    else:
        event = Event.EVICTED if gone.cause in _PRESSURE else Event.REMOVED
    yield Chapter(gone.index, event, life.tier, gone.copy, gone.cause, gone.during)


def _files(lives: Lives, prefix: str, end: int) -> Iterator[Chapter]:
    for filed in lives.files:
        if filed.end != end or filed.key != prefix:
            continue
        yield Chapter(filed.added, Event.FOUND if filed.found else Event.COPIED, "disk")
        if filed.gone is not None:
            index, cause = filed.gone
            left = Event.EVICTED if cause in _PRESSURE else Event.REMOVED
            event = Event.REPLACED if cause == FileCause.SUPERSEDED else left
            yield Chapter(index, event, "disk", named=cause)


def _resumed(lives: Lives, own: list[Life], prefix: str, end: int) -> Iterator[Chapter]:
    requests = lives.tape.requests
    for taped in requests:
        if taped.bare.reused != end or not taped.bare.resumed_from:
            continue
        if PrefixKey().then(taped.tokens[:end]).text == prefix:
            began = lives.began.get(taped.number, taped.index)
            tier = taped.bare.resumed_from
            yield Chapter(began, Event.RESUMED, tier, request=taped.number)


def _told(chapters: list[Chapter]) -> Iterator[Chapter]:
    """Without copies that are told by what follows, and with what was lost for good."""
    held: set[str] = set()
    for at, one in enumerate(chapters):
        after = chapters[at + 1] if at + 1 < len(chapters) else None
        if one.event in GOING and one.event is not Event.REPLACED:
            held.discard(one.tier)
        else:
            held.add(one.tier)
        if (
            one.event is Event.COPIED
            and after is not None
            and after.event is Event.MOVED_DOWN
            and after.other == one.tier
            and after.index - one.index <= _NEAR
        ):
            continue
        if one.event is Event.EVICTED and not held:
            yield Chapter(one.index, Event.LOST, one.tier, "", one.named, one.request)
        else:
            yield one


def _key(tape: Tape, place: Place) -> str:
    if place.key is None:
        tokens = place.tokens
        if tokens is None and 0 <= place.request < len(tape.requests):
            tokens = tape.requests[place.request].tokens[: place.end]
        if tokens is None:
            # Its request is still running.
            return ""
        place.key = PrefixKey().then(tokens).text
    return place.key
