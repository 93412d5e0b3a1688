"""Queries of the lab: one at a time, a step whenever the engine is otherwise idle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from engine.commands import InspectMemory, InspectRecall
from engine.errors import BiplaneError
from engine.events import Event, InspectProgress, InspectRefused, MemoryInspected, RecallInspected
from engine.failures import Failures
from engine.readings import MemoryReading, RecallReading

if TYPE_CHECKING:
    from engine.run.core import Core
    from engine.run.inspect.jobs import Progress

WHAT = "Reading the memory"


class Inspections:
    """Answers the newest query; a new one, or a stop, ends the previous one.

    Requests run between two steps: what a step reads is private to it.
    """

    def __init__(self, emit: Callable[[Event], None], failures: Failures) -> None:
        self._emit = emit
        self._failures = failures
        self._asked: InspectMemory | InspectRecall | None = None
        self._steps: Iterator[Progress | MemoryReading | RecallReading] | None = None

    def ask(self, command: InspectMemory | InspectRecall) -> None:
        """Start with the next step."""
        self._asked, self._steps = command, None

    def stop(self) -> None:
        """Drop the current query."""
        self._asked = self._steps = None

    def step(self, core: Core) -> bool:
        """One step; False if nothing is left to do."""
        asked = self._asked
        if asked is None:
            return False
        try:
            if self._steps is None:
                self._steps = self._begun(core, asked)
            self._tell(asked.number, next(self._steps))
        except BiplaneError as error:
            self._refuse(asked.number, str(error))
        except BaseException as error:
            self._refuse(asked.number, self._failures.sentence(WHAT, error))
        return True

    def _begun(
        self, core: Core, asked: InspectMemory | InspectRecall
    ) -> Iterator[Progress | MemoryReading | RecallReading]:
        # Importing torch takes seconds; by the time a step runs, the engine has done so.
        from engine.run.inspect.jobs import memory_steps, recall_steps

        return (
            memory_steps(core, asked)
            if isinstance(asked, InspectMemory)
            else recall_steps(core, asked)
        )

    def _tell(self, number: int, found: Progress | MemoryReading | RecallReading) -> None:
        match found:
            case MemoryReading():
                self.stop()
                self._emit(MemoryInspected(number=number, reading=found))
            case RecallReading():
                self.stop()
                self._emit(RecallInspected(number=number, reading=found))
            case _:
                self._emit(InspectProgress(number=number, done=found.done, total=found.total))

    def _refuse(self, number: int, sentence: str) -> None:
        self.stop()
        self._emit(InspectRefused(number=number, sentence=sentence))
