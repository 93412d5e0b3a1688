"""Evidence and suggestions about the source's requests, shared by panels."""

from __future__ import annotations

import logging
import threading
import time

from PySide6.QtCore import QObject, QTimer, Signal

from app.debugger.state import DebugState
from app.debugger.why.logic.words import Known, context_of
from engine.analysis.ledger import Ledger
from engine.analysis.why.evidence import Evidence, Investigator
from engine.analysis.why.lives import Lives
from engine.analysis.why.suggestion import NOTHING, Suggestion, suggest
from engine.journal.tape import TapedRequest

# Time budget on the GUI thread per step of following a tape.
PORTION_S = 0.006
_POLL_MS = 60
# Sleep after each replayed request, to yield to other threads.
_REST_S = 0.0005
_JOIN_S = 5.0

log = logging.getLogger(__name__)


class Asking:
    """The pending question, if any; it outlives the window that asked it.

    Attributes:
        advisor: None without a question.
    """

    def __init__(self) -> None:
        self.advisor: Advisor | None = None

    def ask(self, lives: Lives, evidence: Evidence) -> None:
        """Ask about a request, cancelling the previous question."""
        self.give_up()
        self.advisor = Advisor(lives, evidence)

    def give_up(self) -> None:
        """Cancel the question."""
        advisor, self.advisor = self.advisor, None
        if advisor is not None:
            advisor.give_up()

    def close(self) -> None:
        """Cancel, and wait for the thread."""
        advisor, self.advisor = self.advisor, None
        if advisor is not None:
            advisor.close()


class Advisor:
    """Answers one question on a thread; `done` is the answer, None while it is pending.

    Attributes:
        evidence: the subject of the question.
    """

    def __init__(self, lives: Lives, evidence: Evidence) -> None:
        self.evidence = evidence
        self.done: Suggestion | None = None
        self._lives = lives
        self._given_up = threading.Event()
        self._thread = threading.Thread(target=self._run, name="biplane-advisor", daemon=True)
        self._thread.start()

    def give_up(self) -> None:
        """Cancel."""
        self._given_up.set()

    def close(self) -> None:
        """Cancel, and wait for the thread."""
        self.give_up()
        self._thread.join(_JOIN_S)

    def _run(self) -> None:
        try:
            self.done = suggest(self._lives, self.evidence, self._wanted)
        except Exception as error:
            # A trace may be of any age and origin; the evidence is valid without advice.
            log.error("Looking for a suggestion failed.", exc_info=error)
            self.done = NOTHING

    def _wanted(self) -> bool:
        time.sleep(_REST_S)
        return not self._given_up.is_set()


class Inquiry(QObject):
    """Follows the tape of the state's source on demand.

    Attributes:
        ready: the tape was followed to its end.

    Signals:
        changed: the source was replaced, or more of it is known.
        advised: the suggestion for the last request asked about has arrived.
    """

    changed = Signal()
    advised = Signal()

    def __init__(self, state: DebugState) -> None:
        super().__init__(state)
        self._state = state
        self._investigator: Investigator | None = None
        self._known: dict[int, Evidence] = {}
        self._advice: dict[int, Suggestion] = {}
        self._asking = Asking()
        self.ready = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)
        self._poll = QTimer(self)
        self._poll.setInterval(_POLL_MS)
        self._poll.timeout.connect(self._look)
        # Not a method of this object, which is destroyed by then.
        self.destroyed.connect(self._asking.close)
        state.source_changed.connect(self._begin)

    def want(self) -> None:
        """Follow the tape to its current end."""
        source = self._state.source
        if source is None:
            return
        if self._investigator is None or self._investigator.tape is not source.tape:
            self._begin()
        if not self._timer.isActive():
            self._timer.start()

    @property
    def lives(self) -> Lives | None:
        """The checkpoints of the source's tape, as far as it was followed."""
        return None if self._investigator is None else self._investigator.lives

    @property
    def ledger(self) -> Ledger | None:
        """The evictions of the source's tape, as far as it was followed."""
        return None if self._investigator is None else self._investigator.ledger

    @property
    def requests(self) -> list[TapedRequest]:
        """The source's requests, oldest first."""
        return [] if self._investigator is None else self._investigator.tape.requests

    def chosen(self) -> int | None:
        """The selected request, else the latest; None if there is none."""
        number, total = self._state.chosen.request, len(self.requests)
        if number is not None and 0 <= number < total:
            return number
        return total - 1 if total else None

    def evidence(self, number: int) -> Evidence | None:
        """The evidence about a request; None until the tape was followed to it."""
        investigator = self._investigator
        if investigator is None or number >= len(self.requests):
            return None
        if number not in self._known:
            if investigator.lives.seen <= self.requests[number].index:
                return None
            self._known[number] = investigator.explain(number)
        return self._known[number]

    def known(self, number: int) -> bool:
        """Whether the evidence about a request is cached."""
        return number in self._known

    def suggestion(self, evidence: Evidence) -> Suggestion | None:
        """What would have helped; None while it is pending, until `advised` is emitted."""
        number = evidence.request.number
        if number in self._advice:
            return self._advice[number]
        investigator = self._investigator
        if investigator is None:
            return None
        advisor = self._asking.advisor
        if advisor is None or advisor.evidence.request.number != number:
            self._asking.ask(investigator.lives, evidence)
            self._poll.start()
        return None

    def words(self, evidence: Evidence) -> Known:
        """The context for sentences about a request."""
        source, investigator = self._state.source, self._investigator
        assert source is not None, "requests require a source"
        assert investigator is not None, "evidence requires an investigator"
        return context_of(investigator, evidence, source.title)

    def _begin(self) -> None:
        """Reset for another source."""
        self._give_up()
        source = self._state.source
        self._investigator = None if source is None else Investigator(source.tape)
        self._known, self._advice, self.ready = {}, {}, False
        self.changed.emit()

    def _go_on(self) -> None:
        investigator = self._investigator
        if investigator is None:
            return
        self.ready = investigator.follow(PORTION_S)
        self.changed.emit()
        if not self.ready:
            self._timer.start()

    def _look(self) -> None:
        """Poll the advisor."""
        advisor = self._asking.advisor
        if advisor is None:
            self._poll.stop()
        elif advisor.done is not None:
            self._advice[advisor.evidence.request.number] = advisor.done
            self._give_up()
            self.advised.emit()

    def _give_up(self) -> None:
        self._poll.stop()
        self._asking.give_up()
