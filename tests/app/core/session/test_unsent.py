"""Files of a draft and messages that wait, without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.session import unsent
from app.core.session.attachments import MOST_BYTES, MOST_FILES, attachment, joined
from app.core.session.changes import NOTHING, Changed, Outcome
from app.core.session.model import Session
from app.core.session.records import EnginePhase
from engine import commands, events
from tests.app.core.session.test_model import answer, ready, submitted
from tests.app.fake_loop import MODEL, messages_of

NOTES = attachment("notes.txt", "spruce and linen", 16)


def running() -> tuple[Session, commands.Submit]:
    """A session that is answering "One"."""
    session = ready()
    return session, submitted(session.send("One"))


def finish(session: Session, submit: commands.Submit, stop: events.StopReason) -> Outcome:
    """The end of an answer, as the window is told of it."""
    return answer(session, submit, "Said", stop=stop)


class TestFiles:
    def test_they_go_with_the_message_and_are_gone_then(self) -> None:
        session = ready()
        assert session.attach(session.current.id, [NOTES]).problems == ()
        message = unsent.message_of(session.current, "Sum up")
        assert messages_of(submitted(session.send(message)))[0].content == joined([NOTES], "Sum up")
        assert session.current.files == []
        assert session.current.title == "Sum up"

    def test_a_message_may_be_files_alone(self) -> None:
        session = ready()
        session.attach(session.current.id, [NOTES])
        submitted(session.send(unsent.message_of(session.current, "")))
        assert session.current.title == "notes.txt"

    def test_each_has_its_own_number_and_one_can_go(self) -> None:
        session = ready()
        session.attach(session.current.id, [NOTES, replace(NOTES, name="b")])
        first, second = session.current.files
        assert first.id != second.id
        outcome = session.detach(first.id)
        assert Changed.UNSENT.of(session.current.id) in outcome.changes
        assert [file.name for file in session.current.files] == ["b"]
        assert session.detach(first.id) == NOTHING

    def test_what_does_not_fit_is_said_and_the_rest_is_there(self) -> None:
        session = ready()
        number = session.current.id
        big = attachment("big.log", "x", MOST_BYTES - 20)
        made = session.attach(number, [big, NOTES, NOTES, replace(NOTES, size=9, name="b")])
        assert [file.name for file in session.current.files] == ["big.log", "notes.txt"]
        assert made.problems == (
            "notes.txt is attached already.",
            "b was not attached: the files of a message may have at most 4.00 MiB.",
        )
        session.current.files = []
        many = [attachment(f"{n}", "x", 1) for n in range(MOST_FILES + 1)]
        problems = session.attach(number, many).problems
        assert len(session.current.files) == MOST_FILES
        assert problems[-1] == "20 was not attached: a message may have at most 20 files."

    def test_a_deleted_conversation_takes_none(self) -> None:
        session = ready()
        assert session.attach(999, [NOTES]).outcome == NOTHING

    def test_a_refused_message_returns_with_its_files_before_what_was_written_since(self) -> None:
        session = ready()
        session.attach(session.current.id, [NOTES])
        submit = submitted(session.send(unsent.message_of(session.current, "Sum up")))
        session.keep_draft("Or not")
        session.apply(events.RequestFailed(request=submit.request, sentence="Too long."))
        current = session.current
        assert [file.name for file in current.files] == ["notes.txt"]
        assert current.files[0].id
        assert session.returned[current.id] == "Sum up"
        assert current.draft == "Sum up\nOr not"

    def test_a_probe_counts_them(self) -> None:
        session = ready()
        session.attach(session.current.id, [NOTES])
        (probe,) = session.probe_draft("").commands
        assert isinstance(probe, commands.Probe)
        assert messages_of(probe)[-1].content == joined([NOTES], "")


class TestQueue:
    def test_the_next_message_follows_the_answer(self) -> None:
        session, first = running()
        session.enqueue("Two")
        session.enqueue("Three")
        two = submitted(finish(session, first, "end"))
        assert [m.content for m in messages_of(two)] == ["One", "Said", "Two"]
        assert [waiting.text for waiting in session.current.queue] == ["Three"]
        three = submitted(finish(session, two, "length"))
        assert messages_of(three)[-1].content == "Three"
        assert session.current.queue == []

    def test_what_is_in_the_composer_stays_there(self) -> None:
        session, first = running()
        session.enqueue("Two")
        session.keep_draft("Half a thou")
        session.attach(session.current.id, [NOTES])
        submitted(finish(session, first, "end"))
        assert session.current.draft == "Half a thou"
        assert [file.name for file in session.current.files] == ["notes.txt"]

    @pytest.mark.parametrize(
        ("stop", "why"), [("cancelled", unsent.STOPPED), ("context", unsent.FULL)]
    )
    def test_it_waits_where_the_answer_did_not_finish(
        self, stop: events.StopReason, why: str
    ) -> None:
        session, first = running()
        session.enqueue("Two")
        assert finish(session, first, stop).commands == ()
        assert session.current.held == why
        assert messages_of(submitted(session.release()))[-1].content == "Two"
        assert session.current.held == ""

    def test_it_waits_where_the_answer_failed(self) -> None:
        session, first = running()
        session.enqueue("Two")
        outcome = session.apply(events.RequestFailed(request=first.request, sentence="No."))
        assert outcome.commands == ()
        assert session.current.held == unsent.FAILED
        assert session.returned[session.current.id] == "One"

    def test_stopping_before_the_model_is_there_holds_it(self) -> None:
        session = Session()
        session.opening(__import__("pathlib").Path("/m/x"))
        session.send("One")
        session.enqueue("Two")
        session.stop()
        assert session.current.held == unsent.STOPPED

    def test_another_conversation_on_screen_changes_nothing(self) -> None:
        session, first = running()
        session.enqueue("Two")
        asked = session.current
        session.new_conversation()
        session.keep_draft("Other")
        two = submitted(finish(session, first, "end"))
        assert messages_of(two)[-1].content == "Two"
        assert session.current is not asked
        assert session.current.draft == "Other"
        assert asked.turns[-1].request == two.request

    def test_another_branch_on_screen_changes_nothing(self) -> None:
        session = ready()
        answer(session, submitted(session.send("One")), "First")
        again = submitted(session.regenerate())
        session.enqueue("Two")
        session.show_sibling(session.current.turns[-1].id, -1)
        two = submitted(finish(session, again, "end"))
        assert [m.content for m in messages_of(two)] == ["One", "Said", "Two"]

    def test_one_comes_back_to_be_changed_and_one_goes(self) -> None:
        session, _ = running()
        session.enqueue(joined([NOTES], "Two"))
        session.enqueue("Three")
        two, three = session.current.queue
        session.take_back(two.id)
        assert session.returned[session.current.id] == "Two"
        assert [file.name for file in session.current.files] == ["notes.txt"]
        session.unqueue(three.id)
        assert session.current.queue == []
        assert session.unqueue(three.id) == NOTHING

    def test_a_new_message_releases_what_was_held(self) -> None:
        session, first = running()
        session.enqueue("Two")
        finish(session, first, "cancelled")
        own = submitted(session.send("Three"))
        session.enqueue("Four")
        assert session.current.held == ""
        assert messages_of(submitted(finish(session, own, "end")))[-1].content == "Two"

    def test_it_is_held_while_the_engine_closes(self) -> None:
        session, first = running()
        session.enqueue("Two")
        session.engine = replace(session.engine, phase=EnginePhase.CLOSING)
        assert finish(session, first, "end").commands == ()
        assert session.current.held == unsent.CLOSED

    def test_a_deleted_and_restored_one_waits(self) -> None:
        session, _ = running()
        session.enqueue("Two")
        session.delete(session.current.id)
        session.restore()
        assert session.current.held == unsent.STOPPED


class TestTokens:
    def test_files_are_counted_once_they_are_there(self) -> None:
        session = ready()
        attached = session.attach(session.current.id, [NOTES]).outcome
        (asked,) = (c for c in attached.commands if isinstance(c, commands.CountTokens))
        assert asked.texts == (NOTES.block,)
        told = events.TokensCounted(number=asked.number, counts=(12,))
        outcome = session.apply(told)
        assert Changed.UNSENT.of(session.current.id) in outcome.changes
        assert session.current.files[0].tokens == 12
        assert session.apply(told) == NOTHING
        assert session.count_tokens() == NOTHING

    def test_a_file_that_is_gone_needs_no_count(self) -> None:
        session = ready()
        attached = session.attach(session.current.id, [NOTES]).outcome
        (asked,) = (c for c in attached.commands if isinstance(c, commands.CountTokens))
        session.detach(session.current.files[0].id)
        told = events.TokensCounted(number=asked.number, counts=(12,))
        assert session.apply(told) == NOTHING

    def test_another_model_counts_anew(self) -> None:
        session = Session()
        attached = session.attach(session.current.id, [NOTES]).outcome
        assert attached.commands == ()
        outcome = session.apply(events.EngineReady(model=MODEL))
        (asked,) = (c for c in outcome.commands if isinstance(c, commands.CountTokens))
        session.apply(events.TokensCounted(number=asked.number, counts=(12,)))
        session.apply(events.EngineReady(model=MODEL))
        assert session.current.files[0].tokens is None


class TestThinking:
    """Where the template drops the thinking of earlier turns, a finished answer says so."""

    def thought(self, drops: bool) -> Session:
        session = Session()
        model = replace(MODEL, drops_thinking=drops)
        session.apply(events.EngineReady(model=model))
        answer(session, submitted(session.send("One")), "First", thinking="hm")
        return session

    @pytest.mark.parametrize("drops", [True, False])
    def test_it_follows_the_model(self, drops: bool) -> None:
        assert self.thought(drops).current.turns[-1].dropped is drops

    def test_another_model_says_otherwise(self) -> None:
        session = self.thought(True)
        kept = replace(MODEL, drops_thinking=False)
        session.apply(events.EngineReady(model=kept))
        assert not session.current.turns[-1].dropped

    def test_an_answer_without_thinking_and_a_question_have_no_mark(self) -> None:
        session = self.thought(True)
        answer(session, submitted(session.send("Two")), "Second")
        assert [turn.dropped for turn in session.current.turns] == [False, True, False, False]
