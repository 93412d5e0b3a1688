"""A note on the running request: what the journal is told of it at its end."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from engine.cache.journal.changes import RequestAt, RequestBegan
from engine.cache.journal.journal import Journal, Tell
from engine.cache.journal.request_record import RequestKind, RequestRan
from engine.cache.lease import Lease
from engine.cache.match import Match
from engine.reuse import ReusePlan
from engine.run.prepared import Prepared
from engine.trace.offers import disk_offers

SPACING_S = 0.1


class RequestNote:
    """Gathers what is known of a request while it runs; nobody but a recording needs it.

    Attributes:
        drops: positions at which the cache was dropped under it.
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
    ) -> None:
        """Begin, once the prompt is matched.

        Args:
            match: None: the cache is left alone.
            since: the journal's last entry before the prompt was looked for.
        """
        self._kind = kind
        self._request = request
        self._prepared = prepared
        self._plan = plan
        self._match = match
        self._headroom = headroom
        self._began = began
        self._since = since
        self._looked_up = time.perf_counter()
        self._restore_ms = self._prefill_ms = 0.0
        self._ids: Sequence[int] | None = None
        self._text = ""
        # One that breaks never gets to say anything else.
        self._stop = "failed"
        self._first_at: float | None = None
        self._told_at = 0.0
        self.drops: list[int] = []

    def begun(self, tell: Tell) -> None:
        """Tell that it starts to run."""
        plan = self._plan
        tell(RequestBegan(self._request, plan.total, plan.reused, plan.replayed))

    def at(self, tell: Tell, node: int, position: int) -> None:
        """Tell how far it is, not more often than an eye can follow."""
        now = time.perf_counter()
        if now - self._told_at >= SPACING_S:
            self._told_at = now
            tell(RequestAt(self._request, node, position))

    def filled(self, restore_ms: float, prefill_ms: float) -> None:
        """The prompt has run."""
        self._restore_ms, self._prefill_ms = restore_ms, prefill_ms

    def ended(
        self, stop: str, ids: Sequence[int] = (), text: str = "", first_at: float | None = None
    ) -> None:
        """The answer is known; `first_at` is when its first token was."""
        self._stop, self._ids, self._text, self._first_at = stop, ids, text, first_at

    def tell(self, journal: Journal, lease: Lease | None, position: int, *, refused: bool) -> None:
        """Tell that it ended, with `position` tokens applied."""
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
        )
        journal.tell_request(time.monotonic(), ran)
