"""The running request: the slots it holds, its record, and its progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from engine.cache.journal.changes import RequestAt, RequestBegan
from engine.cache.journal.journal import Journal
from engine.cache.journal.request_ran import RequestKind, RequestRan
from engine.cache.lease import Lease
from engine.cache.match import Match
from engine.drafted import NO_DRAFTS
from engine.journal.offers import disk_offers
from engine.reuse import ReusePlan
from engine.run.prepared import Prepared
from engine.run.sequence import LiveSequence
from engine.run.store import Store
from engine.speech import Tokens

SPACING_S = 0.1


class RequestNote:
    """Collects data about a request while it runs; only recordings need it.

    Attributes:
        drafts: what they did for its answer.
        drops: positions at which the cache was dropped during it.
        one_shot: see Submit.
    """

    def __init__(
        self,
        kind: RequestKind,
        request: int,
        prepared: Prepared,
        plan: ReusePlan,
        match: Match | None,
        *,
        headroom: int,
        began: float,
        since: int,
        owner: int = 0,
        one_shot: bool = False,
    ) -> None:
        """Start once the prompt is matched.

        Args:
            match: None if the cache is not used.
            since: the journal's last entry before the prompt was looked up.
            owner, one_shot: see Submit.
        """
        self._kind = kind
        self._request = request
        self._prepared = prepared
        self._plan = plan
        self._match = match
        self._headroom = headroom
        self._began = began
        self._since = since
        self._owner = owner
        self.one_shot = one_shot
        self._looked_up = time.perf_counter()
        self._restore_ms = self._prefill_ms = 0.0
        self._ids: Sequence[int] | None = None
        self._text = ""
        # A request that raises never sets anything else.
        self._stop = "failed"
        self._first_at: float | None = None
        self._logged_at = 0.0
        self.drafts = NO_DRAFTS
        self.drops: list[int] = []

    @property
    def prompt(self) -> Tokens:
        """The token ids of its prompt."""
        return self._prepared.ids

    @property
    def owner(self) -> int:
        """The owner of its prompt; 0 for none."""
        return self._owner

    def begin(self) -> RequestBegan:
        """The record of its start."""
        plan = self._plan
        tokens = self._prepared.ids.astype("<i4").tobytes()
        return RequestBegan(
            self._request, plan.total, plan.reused, plan.replayed, self._owner, tokens
        )

    def at(self, node: int, position: int) -> RequestAt:
        """The record of its progress."""
        return RequestAt(self._request, node, position)

    def due(self) -> bool:
        """Whether its progress should be logged: at most as often as it can be seen."""
        now = time.perf_counter()
        due = now - self._logged_at >= SPACING_S
        if due:
            self._logged_at = now
        return due

    def filled(self, restore_ms: float, prefill_ms: float) -> None:
        """The prompt has run."""
        self._restore_ms, self._prefill_ms = restore_ms, prefill_ms

    def ended(
        self, stop: str, ids: Sequence[int] = (), text: str = "", first_at: float | None = None
    ) -> None:
        """The answer is complete; `first_at` is the time of its first token."""
        self._stop, self._ids, self._text, self._first_at = stop, ids, text, first_at

    def log_end(
        self, journal: Journal, lease: Lease | None, position: int, *, refused: bool
    ) -> None:
        """Log the end of the request, with `position` tokens applied."""
        plan, total = self._plan, len(self._prepared.ids)
        ids = self._ids
        if ids is None:
            ids = () if lease is None else lease.tokens[total:position].tolist()
        used = None if self._match is None else self._match.checkpoint
        ran = RequestRan(
            request=self._request,
            kind=self._kind,
            reuse=lease is not None,
            prompt=self._prepared.ids,
            decoded=np.asarray(ids, np.int64),
            anchors=self._prepared.anchors,
            headroom=self._headroom,
            position=min(position, total + len(ids)),
            stop="refused" if refused else self._stop,
            drops=tuple(self.drops),
            offers=disk_offers(journal.entries(self._since)),
            reused=plan.reused,
            replayed=plan.replayed,
            computed=plan.computed,
            resumed_from="" if used is None else used.state.tier,
            provenance="" if used is None else used.state.provenance,
            reason=plan.reason.value,
            lookup_ms=1e3 * (self._looked_up - self._began),
            restore_ms=self._restore_ms,
            prefill_ms=self._prefill_ms,
            first_token_s=None if self._first_at is None else self._first_at - self._began,
            total_s=time.perf_counter() - self._began,
            text=self._text,
            owner=self._owner,
            one_shot=self.one_shot,
            drafts=self.drafts,
        )
        journal.log_request(time.monotonic(), ran)


class Running:
    """Holds slots and locks from the beginning of a request to its release."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sequence: LiveSequence | None = None
        self._note: RequestNote | None = None
        # The note whose start was logged, and the last progress record.
        self._announced: RequestNote | None = None
        self._at: RequestAt | None = None

    def announce(self, note: RequestNote) -> None:
        """Log that a request starts running."""
        self._announced, self._at = note, None
        self._store.log_change(note.begin())

    def begin(self, note: RequestNote, *, reuse: bool, slots: int) -> LiveSequence:
        """A sequence on the cache's planes, or on private ones with `slots` slots."""
        assert self._sequence is None, "one request runs at a time"
        store = self._store
        self._sequence = (
            store.sequence(one_shot=note.one_shot) if reuse else store.private_sequence(slots)
        )
        self._note = note
        return self._sequence

    def step(self, cancelled: Callable[[], bool]) -> Callable[[], bool]:
        """A callback between two steps: log the progress, then return whether to stop."""

        def step() -> bool:
            note = self._note
            assert note is not None
            if note.due():
                self.log_progress()
                self._store.log_memory()
            return cancelled()

        return step

    def changes(self) -> list[RequestBegan | RequestAt]:
        """The records that a late listener needs about it; empty while none runs."""
        note = self._announced
        if note is None:
            return []
        return [note.begin()] if self._at is None else [note.begin(), self._at]

    def log_progress(self) -> None:
        """Log its progress, unless unchanged since the last record."""
        sequence, note = self._sequence, self._announced
        if sequence is None or note is None:
            return
        at = note.at(sequence.node, sequence.position)
        if at != self._at:
            self._at = at
            self._store.log_change(at)

    def cache_dropped(self) -> bool:
        """Note in a running request that the cache was dropped; returns whether one runs."""
        if self._sequence is None or self._note is None:
            return False
        self._note.drops.append(self._sequence.position)
        return True

    def release(self) -> None:
        """If a request runs, release all its slots and locks and log its end."""
        sequence, self._sequence = self._sequence, None
        note, self._note, self._announced = self._note, None, None
        if sequence is None or note is None:
            return
        lease = sequence.lease
        refused = lease is not None and not lease.held
        sequence.release()
        note.log_end(self._store.journal, lease, sequence.position, refused=refused)
        self._store.log_memory()
