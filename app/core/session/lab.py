"""The memory lab's questions to the engine, and the answers."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.session.changes import NOTHING, Changed, Outcome
from app.core.session.records import Conversation
from app.core.words.tr import tr
from engine import events
from engine.commands import InspectMemory, InspectRecall, StopInspecting
from engine.message import Message, PromptOptions
from engine.readings import MemoryReading, RecallReading

NO_MODEL = tr("Open a model to look into its memory.")
NO_WORDS = tr("This conversation has no messages yet: say something, or type a text here.")


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """How one layer of each kind takes up the last tokens.

    Attributes:
        text: typed in the lab; "" for the conversation on screen.
        full, linear: the layers; None for the first of its kind.
    """

    text: str = ""
    full: int | None = None
    linear: int | None = None


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """How much is left of a needle, token positions [first, end); without one, the tokens."""

    text: str = ""
    needle: tuple[int, int] | None = None
    query: int | None = None


Question = MemoryQuestion | RecallQuestion


@dataclass(slots=True)
class LabAnswers:
    """At most one question is open: a new one replaces it.

    Attributes:
        open: the question that is being answered; None if there is none.
        done, total: progress of its run, in tokens.
        memory, recall: the last answer of each kind.
        refused: why the last question was not answered, "" if it was.
    """

    open: Question | None = None
    done: int = 0
    total: int = 0
    memory: MemoryReading | None = None
    recall: RecallReading | None = None
    refused: str = ""
    _number: int = 0

    def ask(self, question: Question, conversation: Conversation, model: str) -> Outcome:
        """Ask the engine; if there is nothing to ask about, `refused` says so.

        model: folder of the one that is ready; "" if none is.
        """
        self.open, self.refused, self.done, self.total = None, "", 0, 0
        if not model:
            return self._refuse(NO_MODEL)
        messages = () if question.text else conversation.messages(model)
        if not question.text and not any(message.role != "system" for message in messages):
            return self._refuse(NO_WORDS)
        self.open = question
        self._number += 1
        command = _command(self._number, question, messages, conversation.thinking)
        return Outcome.of(Changed.LAB, commands=(command,))

    def stop(self) -> Outcome:
        """Cancel the open question."""
        if self.open is None:
            return NOTHING
        self.open = None
        return Outcome.of(Changed.LAB, commands=(StopInspecting(),))

    def forget(self) -> None:
        """The model is closed: its answers no longer apply."""
        self.open = self.memory = self.recall = None
        self.refused = ""

    def take(
        self,
        event: events.InspectProgress
        | events.MemoryInspected
        | events.RecallInspected
        | events.InspectRefused,
    ) -> Outcome:
        """Process an event of the open question; ignore those of earlier ones."""
        if self.open is None or event.number != self._number:
            return NOTHING
        match event:
            case events.InspectProgress():
                self.done, self.total = event.done, event.total
                return Outcome.of(Changed.LAB)
            case events.MemoryInspected():
                self.memory = event.reading
            case events.RecallInspected():
                self.recall = event.reading
            case events.InspectRefused():
                self.refused = event.sentence
        self.open = None
        return Outcome.of(Changed.LAB)

    def _refuse(self, sentence: str) -> Outcome:
        self.refused = sentence
        return Outcome.of(Changed.LAB)


def _command(
    number: int, question: Question, messages: tuple[Message, ...], thinking: bool
) -> InspectMemory | InspectRecall:
    # Up to the end of the last answer, as the model has read and written it.
    ends_with_answer = bool(messages) and messages[-1].role == "assistant"
    options = PromptOptions(thinking=thinking, continues=ends_with_answer)
    if isinstance(question, MemoryQuestion):
        return InspectMemory(
            number, messages, options, question.text, question.full, question.linear
        )
    return InspectRecall(number, messages, options, question.text, question.needle, question.query)
