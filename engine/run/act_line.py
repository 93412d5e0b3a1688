"""The queue of the user's manual cache actions: run between two requests, one at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.commands import Act, UndoAct, WarmPrompt
from engine.errors import BiplaneError
from engine.events import Acted, ActProgress, Event
from engine.failures import Failures
from engine.sentence import say

if TYPE_CHECKING:
    from engine.run.by_hand import Job
    from engine.run.core import Core

WHAT = say("Changing the cache")
STOPPED = say("Stopped before it was finished.")


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A queued action: either its target has been found, or it is a prompt to warm."""

    number: int
    node: int | None
    what: Job | WarmPrompt

    @property
    def quick(self) -> bool:
        """Whether it runs no tokens."""
        return not isinstance(self.what, WarmPrompt) and self.what.action != "checkpoint"


class ActLine:
    """Manual actions waiting for the running request to end, long ones for all queued requests."""

    def __init__(self, emit: Callable[[Event], None], failures: Failures) -> None:
        self._emit = emit
        self._failures = failures
        self._line: deque[_Waiting] = deque()
        self._stopped = False

    def __bool__(self) -> bool:
        return bool(self._line)

    def add(self, command: Act | UndoAct | WarmPrompt, core: Core) -> None:
        """Queue it; an action that the running request forbids is refused at once."""
        node = command.node if isinstance(command, Act) else None
        try:
            if isinstance(command, WarmPrompt):
                self._line.append(_Waiting(command.number, None, command))
                return
            by_hand = core.by_hand
            if isinstance(command, Act):
                job = by_hand.job(command)
                by_hand.refuse_locked(job)
            else:
                job = by_hand.undo_job(command.number, command.of)
            self._line.append(_Waiting(command.number, job.node, job))
        except BiplaneError as error:
            self._refuse(command.number, node, str(error))
        except BaseException as error:
            self._refuse(command.number, node, self._failures.sentence(WHAT, error))

    def stop(self) -> None:
        """Stop the running action and drop the queued ones."""
        self._stopped = True
        while self._line:
            waiting = self._line.popleft()
            self._refuse(waiting.number, waiting.node, STOPPED)

    @property
    def first_is_quick(self) -> bool:
        """Whether the first action runs no tokens."""
        return bool(self._line) and self._line[0].quick

    def run_quick(self, core: Core) -> bool:
        """Run leading actions as long as they run no tokens; returns whether any was run."""
        worked = False
        while self.first_is_quick:
            self.run_next(core, lambda: False)
            worked = True
        return worked

    def run_next(self, core: Core, wanted: Callable[[], bool]) -> None:
        """Run the first action. `wanted` returns between two passes whether a request waits.

        If so, it is started over after that request, from what it has stored.
        """
        waiting = self._line.popleft()
        self._stopped = False
        gave_way: list[bool] = []

        def interrupted() -> bool:
            gave_way[:] = [wanted()]
            return gave_way[0] or self._stopped

        try:
            answer = self._do(waiting, core, interrupted)
        except BiplaneError as error:
            self._refuse(waiting.number, waiting.node, str(error))
        except BaseException as error:
            self._refuse(waiting.number, waiting.node, self._failures.sentence(WHAT, error))
        else:
            if answer is not None:
                self._emit(answer)
            elif self._stopped:
                self._refuse(waiting.number, waiting.node, STOPPED)
            else:
                self._line.appendleft(waiting)

    def _do(self, waiting: _Waiting, core: Core, wanted: Callable[[], bool]) -> Acted | None:
        from engine.run.by_hand import UNDO_WORDS

        number, what = waiting.number, waiting.what

        def progress(done: int, total: int) -> None:
            self._emit(ActProgress(number=number, done=done, total=total))

        if isinstance(what, WarmPrompt):
            read = core.read(what.prompt, what.options, cancelled=wanted, progress=progress)
            if read is None:
                return None
            ran = read.replayed + read.computed
            sentence = say(
                "Warm: {reused:,} tokens were cached, {ran:,} were computed.",
                reused=read.reused,
                ran=ran,
            )
            return Acted(number=number, node=None, done=True, sentence=sentence)
        done = core.by_hand.run(what, wanted, progress)
        if done is None:
            return None
        undo = "" if done.undo is None else UNDO_WORDS[done.undo]
        return Acted(number=number, node=waiting.node, done=True, sentence=done.sentence, undo=undo)

    def _refuse(self, number: int, node: int | None, sentence: str) -> None:
        self._emit(Acted(number=number, node=node, done=False, sentence=sentence))
