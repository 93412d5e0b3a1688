"""The cache as the window sees it: its tape, its latest snapshot, checks and verdicts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from app.core.session.changes import NOTHING, Changed, Noted, Outcome
from app.core.session.event_log import EventLog
from app.core.words.engine_words import said
from app.core.words.explain import verdict_sentence
from app.core.words.tr import tr
from engine.commands import VerifyNode, WatchJournal
from engine.errors import TraceError
from engine.events import InvariantsChecked, NodeText, NodeVerified, VerifyStopped
from engine.journal.feed import JournalFed
from engine.journal.tape import Follower, Tape
from engine.snapshot import CacheSnapshot

# Of the open engine's tape; the oldest are forgotten.
MOST_ENTRIES = 1_000_000
INVARIANTS_HOLD = tr("Cache checked: every invariant holds.")

CacheEvent = JournalFed | NodeText | InvariantsChecked | NodeVerified | VerifyStopped


@dataclass(slots=True)
class CacheWatch:
    """The open engine's cache, rebuilt from its journal.

    Attributes:
        log: the engine's notices and the evictions.
        watched: a view of the cache is on screen, so each change makes a new snapshot.
        clock: the clock of the engine's caches, in seconds.
        snapshot: the latest one; None before the first.
        node_text: the last answer to DescribeNode.
        follower: makes snapshots of the newest moment of the tape.
        astray: an entry did not fit the tape; a new one has been requested.
        checked: the result of the last check of the invariants.
        verifying: nodes whose verdict the user is waiting for.
    """

    log: EventLog = field(default_factory=EventLog)
    watched: bool = False
    clock: Callable[[], float] = time.monotonic
    snapshot: CacheSnapshot | None = None
    node_text: NodeText | None = None
    follower: Follower = field(default_factory=lambda: Follower(Tape()))
    astray: bool = False
    checked: InvariantsChecked | None = None
    verifying: set[int] = field(default_factory=set)

    @property
    def tape(self) -> Tape:
        """The cache's journal since the model was opened."""
        return self.follower.tape

    def forget(self) -> None:
        """Start over for a model that is being opened."""
        self.snapshot = self.node_text = None
        self._follow(Tape())

    def give_up(self) -> None:
        """The engine is gone: pending checks get no verdict."""
        self.checked = None
        self.verifying = set()

    def look(self) -> Outcome:
        """Make a snapshot now, unless the tape is empty."""
        return self.see(self.follower.snapshot()) if len(self.tape) else NOTHING

    def see(self, snapshot: CacheSnapshot) -> Outcome:
        """Take a newer snapshot, and log its evictions."""
        before, self.snapshot = self.snapshot, snapshot
        self.log.add_evictions(snapshot, time.time(), before)
        return Outcome.of(Changed.SNAPSHOT)

    def verify(self, node: int) -> Outcome:
        """Verify the checkpoint of a node against a cold run."""
        self.verifying.add(node)
        note = Noted(tr("Verifying the checkpoint; Esc stops it."))
        return Outcome.of(note, commands=(VerifyNode(node),))

    def take(self, event: CacheEvent) -> Outcome:
        """Apply an event about the cache."""
        match event:
            case JournalFed():
                return self._fed(event)
            case NodeText():
                self.node_text = event
                return Outcome.of(Changed.NODE)
            case InvariantsChecked():
                self.checked = event
                if event.number:
                    return Outcome.of(Changed.CHECK)
                return Outcome.of(Noted(event.broken or INVARIANTS_HOLD), Changed.CHECK)
            case NodeVerified():
                return self._verified(event)
            case VerifyStopped():
                self.verifying.discard(event.node)
                return self.log.note(event.sentence)

    def _follow(self, tape: Tape) -> None:
        """Follow a new tape from its beginning."""
        self.follower, self.astray = Follower(tape, self.clock), False

    def _fed(self, event: JournalFed) -> Outcome:
        """Append the next entries of the journal."""
        if event.header is not None:
            self._follow(Tape(event.header, MOST_ENTRIES))
        elif self.astray:
            return NOTHING
        try:
            self.tape.append(event.lines)
        except TraceError as error:
            # The last snapshot stays on screen until the new tape arrives.
            self.astray = True
            restart = (WatchJournal(on=True),) if len(self.tape) else ()
            sentence = tr("What happened in the cache cannot be followed: {error}")
            noted = self.log.note(sentence.format(error=said(str(error))))
            return noted | Outcome.of(commands=restart)
        grown = Outcome.of(Changed.TAPE)
        return self.look() | grown if self.watched else grown

    def _verified(self, event: NodeVerified) -> Outcome:
        verdict = event.verdict
        if not event.background:
            self.verifying.discard(event.node)
        if verdict is None:
            return self.log.note(tr("That node has no checkpoint to verify."))
        # A clean result is worth a notice only if the user asked for it.
        right = verdict.status in ("verified", "unclear")
        return NOTHING if event.background and right else self.log.note(verdict_sentence(verdict))
