"""The running requests: the slots they hold, their records, and their progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from engine.cache.journal.changes import RequestAt, RequestBegan
from engine.cache.journal.journal import Journal
from engine.cache.journal.request_ran import DiskOffer, RequestKind, RequestRan
from engine.cache.lease import Lease
from engine.cache.match import Match
from engine.cache.tree import as_tokens, common_prefix
from engine.drafted import NO_DRAFTS
from engine.plan.cuts import CutPlan
from engine.planes import LIVE_SLOT
from engine.reuse import ReusePlan
from engine.run.prepared import Prepared
from engine.run.sequence import LiveSequence
from engine.run.store import Store
from engine.run.turns import Wait
from engine.sentence import Sentence, say
from engine.speech import Tokens

SPACING_S = 0.1
WAITS_FOR_STATE = say("There is no room for another live state until an answer beside it ends.")
WAITS_FOR_PREFIX = say("Another prompt begins alike: its states are used once it has stored them.")
# Tokens that another prompt is about to store, from which on they are waited for.
WORTH_WAITING = 64
WAITS_FOR_KV = say("There is no room for its tokens until an answer beside it ends.")


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
        offers: tuple[DiskOffer, ...] = (),
        owner: int = 0,
        one_shot: bool = False,
    ) -> None:
        """Start once the prompt is matched.

        Args:
            match: None if the cache is not used.
            offers: what the disk provided when the prompt was looked up.
            owner, one_shot: see Submit.
        """
        self._kind = kind
        self._request = request
        self._prepared = prepared
        self._plan = plan
        self._match = match
        self._headroom = headroom
        self._began = began
        self._offers = offers
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
    def request(self) -> int:
        """See Submit."""
        return self._request

    @property
    def plan(self) -> CutPlan:
        """Where its prompt is cut."""
        return self._prepared.plan

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
            offers=self._offers,
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
    """Holds slots and locks of each request from its beginning to its release."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # What runs, oldest first, and the last record of its progress.
        self._sequences: dict[RequestNote, LiveSequence] = {}
        self._at: dict[RequestNote, RequestAt] = {}
        # Requests that found no KV slot since the last one that gave some back; how many did.
        self._starved: set[RequestNote] = set()
        self._released = 0

    def __bool__(self) -> bool:
        return bool(self._sequences)

    def lacks(self, prepared: Prepared, match: Match) -> Wait | None:
        """What another request must give back before this one can run; None if nothing is missing.

        Room that the match itself might have to give is not counted, so this may err on that side.
        """
        if not self._sequences:
            return None
        kv, states = self._store.cache.reader.room()
        if self._live_slot() is None and states <= (match.checkpoint is not None):
            return self._wait(WAITS_FOR_STATE)
        if len(prepared.ids) > kv:
            return self._wait(WAITS_FOR_KV)
        return None

    def room(self, note: RequestNote) -> Wait | None:
        """Whether a request without a KV slot for its next token may get one from another."""
        self._starved.add(note)
        if len(self._starved) < len(self._sequences):
            return self._wait(WAITS_FOR_KV)
        return None

    def _wait(self, sentence: Sentence) -> Wait:
        """Until a request has given back what it held."""
        released = self._released
        return Wait(sentence, lambda: self._released > released or not self._sequences)

    def beside(self, prepared: Prepared) -> Wait | None:
        """Whether to wait for a state that another request is about to store.

        Prompts that begin alike are then run once as far as that.
        """
        for note, sequence in self._sequences.items():
            if sequence.lease is None or sequence.position >= len(note.prompt):
                continue
            common = common_prefix(as_tokens(note.prompt), as_tokens(prepared.ids))
            planned = (*note.plan.checkpoints, *note.plan.scan_splits)
            state = max((p for p in planned if sequence.position < p <= common), default=0)
            if state and state - self._store.probe(prepared).resume >= WORTH_WAITING:
                return self._wait_for(note, sequence, state)
        return None

    def _wait_for(self, note: RequestNote, sequence: LiveSequence, position: int) -> Wait:
        def ready() -> bool:
            return sequence.position >= position or note not in self._sequences

        return Wait(WAITS_FOR_PREFIX, ready, note.request)

    def begin(self, note: RequestNote, *, reuse: bool, slots: int) -> LiveSequence:
        """Log that a request starts running: a sequence on the cache's planes.

        Without `reuse` it is on private ones with `slots` slots.
        """
        store = self._store
        store.log_change(note.begin())
        if reuse:
            sequence = store.sequence(self._live_slot(), one_shot=note.one_shot)
        else:
            sequence = store.private_sequence(slots)
        self._sequences[note] = sequence
        return sequence

    def _live_slot(self) -> int | None:
        """The live slot, if it is free; other sequences have a slot of the pool for theirs."""
        running = self._sequences.values()
        taken = any(one.lease is not None and one.live == LIVE_SLOT for one in running)
        return None if taken else LIVE_SLOT

    def step(self, note: RequestNote, cancelled: Callable[[], bool]) -> Callable[[], bool]:
        """A callback between two steps: log the progress, then return whether to stop."""

        def step() -> bool:
            if note.due():
                self._log_progress(note)
                self._store.log_memory()
            return cancelled()

        return step

    def changes(self) -> list[RequestBegan | RequestAt]:
        """The records that a late listener needs about them; empty while none runs."""
        found: list[RequestBegan | RequestAt] = []
        for note in self._sequences:
            found.append(note.begin())
            if note in self._at:
                found.append(self._at[note])
        return found

    def log_progress(self) -> None:
        """Log their progress, unless unchanged since the last record."""
        for note in self._sequences:
            self._log_progress(note)

    def _log_progress(self, note: RequestNote) -> None:
        sequence = self._sequences[note]
        at = note.at(sequence.node, sequence.position)
        if at != self._at.get(note):
            self._at[note] = at
            self._store.log_change(at)

    def cache_dropped(self) -> bool:
        """Note in running requests that the cache was dropped; returns whether any runs."""
        for note, sequence in self._sequences.items():
            note.drops.append(sequence.position)
        return bool(self._sequences)

    def release(self, note: RequestNote) -> None:
        """Release all slots and locks of a request and log its end. A second call does nothing."""
        sequence = self._sequences.pop(note, None)
        self._at.pop(note, None)
        if sequence is None:
            return
        self._starved.clear()
        self._released += 1
        lease = sequence.lease
        refused = lease is not None and not lease.held
        sequence.release()
        note.log_end(self._store.journal, lease, sequence.position, refused=refused)
        self._store.log_memory()

    def release_all(self) -> None:
        """Release every request that is left."""
        for note in tuple(self._sequences):
            self.release(note)
