"""The life of every checkpoint of a tape: its prefix, and when and why it was removed.

The journal names nodes, not tokens. But a node is always added by the running request, along that
request's own path, and a host node is a copy of the device node that is removed next. So a request
and a position identify a checkpoint's prefix.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.cache.journal.changes import (
    ByUser,
    CacheFound,
    CacheOpened,
    CheckpointCopied,
    CheckpointDropped,
    CheckpointSkipped,
    CheckpointStored,
    Cleared,
    EntriesLost,
    Forgot,
    NodeAdded,
    NodeRemoved,
    NodeSplit,
    RequestBegan,
    SegmentAdded,
    SegmentRemoved,
    Stamped,
    Tuned,
)
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import NO_TOKENS, TokenArray
from engine.cache.node import ROOT_ID
from engine.journal.lines import TraceEntry
from engine.journal.tape import Tape, TapedRequest
from engine.prefix_key import PrefixKey
from engine.snapshot import NodeView

# How many entries are followed between two checks of the clock.
STRIDE = 256
UNKNOWN = -1
DEVICE = "device"
# Tolerance between the clocks of a request and of the nodes it adds.
SLACK_S = 0.005
WRONG = ("quarantined",)


@dataclass(slots=True)
class Place:
    """Where a node ends: after `end` tokens of request `request`.

    Attributes:
        request: UNKNOWN if it cannot be determined.
        tokens: `[end] int64`, of a node from before the recording; None otherwise.
        last: the token before `end`, once looked up.
        key: of its tokens, see PrefixKey, once looked up.
    """

    request: int
    end: int
    tokens: TokenArray | None = None
    last: int | None = None
    key: str | None = None


@dataclass(slots=True)
class Gone:
    """How a checkpoint was removed from its tier.

    Attributes:
        index: of its entry.
        cause: as named by the journal.
        copy: the tier that had a copy at the time, "" for none.
        during: number of the request that ran then, or that came next.
    """

    index: int
    cause: str
    copy: str
    during: int


@dataclass(slots=True)
class Life:
    """One checkpoint on one tier.

    Attributes:
        place: its prefix.
        origin: the tier that it was copied from, its own if it was computed, "" if it was found.
        stored: index of its entry.
        gone: None until it is removed.
        wrong: index of the verdict that condemned it.
        verdicts: index and status of each audit of it.
    """

    place: Place
    tier: str
    node: int
    provenance: str
    origin: str
    stored: int
    gone: Gone | None = None
    wrong: int | None = None
    verdicts: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class Filed:
    """One file of the disk tier.

    Attributes:
        key: of the tokens up to its state, see PrefixKey; "" if they are unknown.
        added: index of its entry.
        found: it is from before the recording.
        gone: index of the entry that removed it, and the cause.
    """

    key: str
    end: int
    added: int
    found: bool
    gone: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """A checkpoint at `position` that request `request` did not store: no slot was free."""

    request: int
    position: int
    index: int


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy between tiers, with the index of its entry and the request that ran or came next."""

    index: int
    request: int
    what: CheckpointCopied


class Lives:
    """Follows a tape; its results are valid up to the last call of `follow`.

    Attributes:
        tape: the tape it follows.
        lives, skips, copies, segments, files: everything so far, in order.
        began: by request number, the index of the entry at which it started running.
        asked: what a replay needs: requests, and other operations on the cache.
        seen: how many entries were followed.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.lives: list[Life] = []
        self.skips: list[Skip] = []
        self.copies: list[Copied] = []
        self.segments: list[tuple[int, SegmentRemoved]] = []
        self.files: list[Filed] = []
        self.began: dict[int, int] = {}
        self.asked: list[TapedRequest | TraceEntry] = []
        self.seen = 0
        self._request = 0
        # Of running requests.
        self._starts: dict[int, int] = {}
        self._ends: list[float] = []
        self._places: dict[tuple[str, int], Place] = {}
        self._held: dict[tuple[str, int], Life] = {}
        # On the host, with an unknown request so far.
        self._arriving: list[Place] = []
        # By the name of a segment: the last file, and the key down to its end if that is known.
        self._filed: dict[str, tuple[Filed, PrefixKey | None]] = {}

    def follow(self, budget_s: float | None = None) -> bool:
        """Follow the tape for about `budget_s`; returns whether its end was reached."""
        ends = None if budget_s is None else time.perf_counter() + budget_s
        if self.seen < self.tape.first:
            self._begin_again(self.tape.first)
        while self.seen < len(self.tape):
            until = min(self.seen + STRIDE, len(self.tape))
            for index in range(self.seen, until):
                self._take(index, self.tape.entry(index))
            self.seen = until
            if ends is not None and time.perf_counter() >= ends:
                break
        return self.seen >= len(self.tape)

    def _begin_again(self, first: int) -> None:
        """The tape dropped the next entries: continue from the caches as they were at `first`."""
        self.seen, self._request = first, self.tape.requests_before(first)
        self._ends = [taped.ended for taped in self.tape.requests[: self._request]]
        self._arriving.clear()
        for entry in self.tape.opening():
            assert isinstance(entry.what, CacheFound)
            self._found(first, entry, entry.what)

    def lines(self, last: int) -> Iterator[TraceEntry]:
        """The operations on the cache up to and including request `last`."""
        for asked in list(self.asked):
            if isinstance(asked, TraceEntry):
                yield asked
                continue
            if asked.index >= self.tape.first:
                yield TraceEntry(self.tape.entry(asked.index), asked.traced)
            if asked.number == last:
                return

    def _take(self, index: int, entry: Entry) -> None:
        requests = self.tape.requests
        if self._request < len(requests) and requests[self._request].index == index:
            taped = requests[self._request]
            self.asked.append(taped)
            self._ends.append(taped.ended)
            if (began := self._starts.pop(taped.bare.request, None)) is not None:
                self.began[self._request] = began
            self._request += 1
            return
        follow = _FOLLOW.get(type(entry.what))
        if follow is not None:
            follow(self, index, entry, entry.what)

    # ---- nodes

    def _opened(self, index: int, entry: Entry, opened: CacheOpened) -> None:
        self._forget(entry.tier)

    def _forget(self, tier: str) -> None:
        for known in (self._places, self._held):
            for key in [key for key in known if key[0] == tier]:
                del known[key]

    def _found(self, index: int, entry: Entry, found: CacheFound) -> None:
        self._forget(entry.tier)
        spans = found.tokens or (b"",) * len(found.nodes)
        paths = {ROOT_ID: NO_TOKENS}
        for view, span in zip(found.nodes, spans, strict=True):
            if view.id == ROOT_ID or view.parent is None:
                continue
            added = np.frombuffer(span, "<i4").astype(np.int64)
            path = paths[view.id] = np.concatenate([paths[view.parent], added])
            tokens = path if len(path) == view.end else None
            maker = UNKNOWN if tokens is not None else self._maker(entry.tier, view)
            self._places[entry.tier, view.id] = Place(maker, view.end, tokens)
            if view.checkpoint is not None:
                state = view.checkpoint.state
                life = self._live(index, entry.tier, view.id, state.provenance, "")
                life.wrong = index if state.quarantined else None

    def _maker(self, tier: str, view: NodeView) -> int:
        """The request that added a node before the recording: the one that ran at that time."""
        if tier != DEVICE:
            return UNKNOWN
        at = bisect_left(self._ends, view.created - SLACK_S)
        if at == len(self._ends):
            return UNKNOWN
        return at if self.tape.requests[at].began - SLACK_S <= view.created else UNKNOWN

    def _added(self, index: int, entry: Entry, added: NodeAdded) -> None:
        place = Place(self._request if entry.tier == DEVICE else UNKNOWN, added.end)
        self._places[entry.tier, added.node] = place
        if entry.tier != DEVICE:
            self._arriving.append(place)

    def _split(self, index: int, entry: Entry, split: NodeSplit) -> None:
        lower = self._places.get((entry.tier, split.node))
        if lower is None:
            return
        upper = self._places[entry.tier, split.upper] = Place(
            lower.request,
            split.position,
            None if lower.tokens is None else lower.tokens[: split.position],
        )
        if any(place is lower for place in self._arriving):
            self._arriving.append(upper)

    def _arrived(self, tier: str, node: int) -> None:
        """The new host nodes are copies of the device node being removed."""
        source = self._places.get((tier, node))
        if tier == DEVICE and self._arriving and source is not None:
            for place in self._arriving:
                place.request = source.request
                place.tokens = None if source.tokens is None else source.tokens[: place.end]
            self._arriving.clear()

    # ---- checkpoints

    def _live(self, index: int, tier: str, node: int, provenance: str, origin: str) -> Life:
        life = Life(self._places[tier, node], tier, node, provenance, origin, index)
        self._held[tier, node] = life
        self.lives.append(life)
        return life

    def _stored(self, index: int, entry: Entry, stored: CheckpointStored) -> None:
        if (entry.tier, stored.node) in self._places:
            state = stored.state
            self._live(index, entry.tier, stored.node, state.provenance, state.tier)

    def _dropped(self, index: int, entry: Entry, gone: CheckpointDropped | NodeRemoved) -> None:
        self._arrived(entry.tier, gone.node)
        life = self._held.pop((entry.tier, gone.node), None)
        if life is not None:
            life.gone = Gone(index, gone.cause, gone.copy, self._request)

    def _removed(self, index: int, entry: Entry, removed: NodeRemoved) -> None:
        self._dropped(index, entry, removed)
        self._places.pop((entry.tier, removed.node), None)

    def _skipped(self, index: int, entry: Entry, skipped: CheckpointSkipped) -> None:
        if entry.tier == DEVICE:
            self.skips.append(Skip(self._request, skipped.position, index))

    def _stamped(self, index: int, entry: Entry, stamped: Stamped) -> None:
        life = self._held.get((entry.tier, stamped.node))
        if life is not None and stamped.status in WRONG:
            life.wrong = index
        if life is not None and not stamped.inherited:
            life.verdicts.append((index, stamped.status))
        if not stamped.inherited:
            self.asked.append(TraceEntry(entry))

    # ---- the rest

    def _copied(self, index: int, entry: Entry, copied: CheckpointCopied) -> None:
        self.copies.append(Copied(index, self._request, copied))

    def _segment(self, index: int, entry: Entry, removed: SegmentRemoved) -> None:
        self.segments.append((index, removed))
        filed, _ = self._filed.get(removed.key, (None, None))
        if filed is not None and filed.gone is None:
            filed.gone = index, removed.cause

    def _file_added(self, index: int, entry: Entry, added: SegmentAdded) -> None:
        above = self._filed[added.parent][1] if added.parent in self._filed else None
        if not added.parent:
            above = PrefixKey()
        key = None if above is None or not added.tokens else above.then_bytes(added.tokens)
        filed = Filed("" if key is None else key.text, added.end, index, added.found)
        self._filed[added.key] = filed, key
        self.files.append(filed)
        # A replay's disk starts with the files that the recorded disk started with.
        if added.found:
            self.asked.append(TraceEntry(entry))

    def _started(self, index: int, entry: Entry, began: RequestBegan) -> None:
        self._starts[began.request] = index

    def _asked(self, index: int, entry: Entry, what: object) -> None:
        self.asked.append(TraceEntry(entry))


_FOLLOW: dict[type, Callable[[Lives, int, Entry, Any], None]] = {
    CacheOpened: Lives._opened,
    CacheFound: Lives._found,
    NodeAdded: Lives._added,
    NodeSplit: Lives._split,
    NodeRemoved: Lives._removed,
    CheckpointStored: Lives._stored,
    CheckpointDropped: Lives._dropped,
    CheckpointSkipped: Lives._skipped,
    CheckpointCopied: Lives._copied,
    SegmentRemoved: Lives._segment,
    RequestBegan: Lives._started,
    Stamped: Lives._stamped,
    SegmentAdded: Lives._file_added,
    ByUser: Lives._asked,
    Tuned: Lives._asked,
    Cleared: Lives._asked,
    Forgot: Lives._asked,
    EntriesLost: Lives._asked,
}
