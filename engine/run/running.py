"""The one request that runs: what it holds, what is noted about it, and how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.reuse import ReusePlan
from engine.run.note import RequestNote
from engine.run.sequence import LiveSequence
from engine.run.store import Store
from engine.snapshot import LiveView, Speech
from engine.speech import SILENT, speech

if TYPE_CHECKING:
    from engine.text.text_model import TextModel


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
