"""What the lab asks of the engine, and which answers it takes."""

from __future__ import annotations

from app.core.session.changes import Changed, Outcome
from app.core.session.lab import NO_MODEL, NO_WORDS, MemoryQuestion, Question, RecallQuestion
from app.core.session.model import Session
from engine import events
from engine.commands import InspectMemory, InspectRecall, StopInspecting
from tests.app.conftest import Desk
from tests.app.lab.readings import memory, recall


def ask(session: Session, question: Question) -> Outcome:
    return session.lab.ask(question, session.current, session.ready_folder)


class TestAsking:
    def test_without_a_model_it_says_so(self) -> None:
        session = Session()
        outcome = ask(session, MemoryQuestion())
        assert outcome.commands == ()
        assert (session.lab.refused, session.lab.open) == (NO_MODEL, None)

    def test_an_empty_conversation(self, desk: Desk) -> None:
        session = desk.session
        session.current.system = "Be brief."
        assert ask(session, MemoryQuestion()).commands == ()
        assert session.lab.refused == NO_WORDS
        (asked,) = ask(session, MemoryQuestion("a text", 3, 1)).commands
        assert isinstance(asked, InspectMemory)
        assert (asked.prompt, asked.text, asked.full, asked.linear) == ((), "a text", 3, 1)
        assert session.lab.refused == ""

    def test_the_conversation_up_to_the_last_word_of_the_answer(self, desk: Desk) -> None:
        desk.say("One.")
        session = desk.session
        (asked,) = ask(session, RecallQuestion("", (1, 2), 9)).commands
        assert isinstance(asked, InspectRecall)
        assert [part.role for part in asked.prompt if not isinstance(part, int)] == [
            "user",
            "assistant",
        ]
        assert asked.options.continues
        assert (asked.needle, asked.query) == ((1, 2), 9)


class TestAnswers:
    def test_those_of_the_open_question_alone(self, desk: Desk) -> None:
        desk.say("One.")
        session, lab = desk.session, desk.session.lab
        (first,) = ask(session, MemoryQuestion()).commands
        (second,) = ask(session, MemoryQuestion(full=7)).commands
        assert isinstance(first, InspectMemory)
        assert isinstance(second, InspectMemory)
        late = events.MemoryInspected(number=first.number, reading=memory())
        assert session.apply(late).changes == frozenset()
        assert lab.memory is None
        progress = events.InspectProgress(number=second.number, done=3, total=9)
        assert session.apply(progress).changes == {Changed.LAB}
        assert (lab.done, lab.total) == (3, 9)
        right = events.MemoryInspected(number=second.number, reading=memory(full=7))
        session.apply(right)
        assert lab.memory == right.reading
        assert lab.open is None

    def test_a_refusal_keeps_what_was_read(self, desk: Desk) -> None:
        session, lab = desk.session, desk.session.lab
        lab.recall = recall()
        (asked,) = ask(session, RecallQuestion("text")).commands
        assert isinstance(asked, InspectRecall)
        session.apply(events.InspectRefused(number=asked.number, sentence="Too long."))
        assert (lab.refused, lab.recall, lab.open) == ("Too long.", recall(), None)

    def test_stopping(self, desk: Desk) -> None:
        session, lab = desk.session, desk.session.lab
        assert lab.stop().commands == ()
        ask(session, RecallQuestion("text"))
        assert lab.stop().commands == (StopInspecting(),)
        assert lab.open is None

    def test_another_model_knows_nothing_of_it(self, desk: Desk) -> None:
        lab = desk.session.lab
        lab.memory, lab.recall = memory(), recall()
        desk.open("another")
        desk.until(lambda: lab.memory is None)
        assert lab.recall is None
