"""The one request that runs: what it holds, what is noted about it, and how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.cache.journal.changes import RequestAt, RequestBegan
from engine.cache.journal.journal import Journal, LogChange
from engine.cache.journal.request_ran import RequestKind, RequestRan
from engine.cache.lease import Lease
from engine.cache.match import Match
from engine.reuse import ReusePlan
from engine.run.prepared import Prepared
from engine.run.sequence import LiveSequence
from engine.run.store import Store
from engine.snapshot import LiveView, Speech
from engine.speech import SILENT, Tokens, speech
from engine.trace.offers import disk_offers

if TYPE_CHECKING:
    from engine.text.text_model import TextModel


SPACING_S = 0.1


class RequestNote:
    """Collects what is known about a request while it runs; only recordings need it.

    Attributes:
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
        self.drops: list[int] = []

    @property
    def prompt(self) -> Tokens:
        """The token ids of its prompt."""
        return self._prepared.ids

    @property
    def owner(self) -> int:
        """Whose prompt it is; 0: nobody's."""
        return self._owner

    def log_start(self, log_change: LogChange) -> None:
        """Log that the request starts running."""
        plan = self._plan
        tokens = self._prepared.ids.astype("<i4").tobytes()
        log_change(
            RequestBegan(self._request, plan.total, plan.reused, plan.replayed, self._owner, tokens)
        )

    def log_progress(self, log_change: LogChange, node: int, position: int) -> None:
        """Log the progress, at most as often as it can be seen."""
        now = time.perf_counter()
        if now - self._logged_at >= SPACING_S:
            self._logged_at = now
            log_change(RequestAt(self._request, node, position))

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
        )
        journal.log_request(time.monotonic(), ran)


class Running:
    """Holds slots and locks from the beginning of a request to its release.

    Attributes:
        live: how far it is, for the views; None while none runs.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sequence: LiveSequence | None = None
        self._note: RequestNote | None = None
        self.live: LiveView | None = None
        self._speech: tuple[Speech, ...] | None = None

    def told(self, text: TextModel) -> LiveView | None:
        """How far it is, with who speaks in its prompt: found out when somebody asks."""
        if self.live is None or self._note is None:
            return None
        if self._speech is None:
            self._speech, _ = speech(self._note.prompt, 0, SILENT, text.marks, text.piece)
        return replace(self.live, speech=self._speech, owner=self._note.owner)

    def begin(self, note: RequestNote, *, reuse: bool, slots: int) -> LiveSequence:
        """A sequence on the cache's planes, or on private ones for so many slots."""
        assert self._sequence is None, "one request runs at a time"
        store = self._store
        self._sequence = (
            store.sequence(one_shot=note.one_shot) if reuse else store.private_sequence(slots)
        )
        self._note = note
        self._speech = None
        return self._sequence

    def step(
        self, request: int, plan: ReusePlan, cancelled: Callable[[], bool]
    ) -> Callable[[], bool]:
        """A callback between two steps: publish the progress, then return whether to stop."""

        def step() -> bool:
            sequence, note = self._sequence, self._note
            assert sequence is not None
            assert note is not None
            self.live = LiveView(
                request=request,
                node=sequence.node,
                position=sequence.position,
                reused=plan.reused,
                replayed=plan.replayed,
                total=plan.total,
            )
            note.log_progress(self._store.log_change, sequence.node, sequence.position)
            return cancelled()

        return step

    def cache_dropped(self) -> bool:
        """The cache was dropped, which a running request notes; whether one runs."""
        if self._sequence is None or self._note is None:
            return False
        self._note.drops.append(self._sequence.position)
        return True

    def release(self) -> None:
        """Release every slot and lock, if a request runs, and log its end."""
        sequence, self._sequence, self.live = self._sequence, None, None
        note, self._note = self._note, None
        if sequence is None or note is None:
            return
        lease = sequence.lease
        refused = lease is not None and not lease.held
        sequence.release()
        note.log_end(self._store.journal, lease, sequence.position, refused=refused)
