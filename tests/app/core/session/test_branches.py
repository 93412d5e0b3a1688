"""What edits, other answers, continuations and forks make of a conversation."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.session.changes import NOTHING, Changed
from app.core.session.model import Session
from app.core.session.records import Turn, TurnState
from engine import commands, events
from tests.app.core.session.test_model import answer, ready, submitted
from tests.app.fake_loop import messages_of
from tests.app.samples import plan, report


@pytest.fixture
def session() -> Session:
    """Two questions and their answers."""
    made = ready()
    answer(made, submitted(made.send("One")), "First", token_ids=(1, 2))
    answer(made, submitted(made.send("Two")), "Second", token_ids=(3, 4))
    return made


def texts(session: Session) -> list[str]:
    return [turn.text for turn in session.current.turns]


def turn(session: Session, text: str) -> Turn:
    return next(t for t in session.current.tree.turns.values() if t.text == text)


def roles_and_texts(submit: commands.Submit) -> list[tuple[str, str]]:
    return [(m.role, m.content) for m in messages_of(submit)]


class TestEdit:
    def test_an_edit_is_a_branch_and_what_was_said_stays(self, session: Session) -> None:
        first = turn(session, "One")
        submit = submitted(session.edit(first.id, "Uno"))
        assert roles_and_texts(submit) == [("user", "Uno")]
        answer(session, submit, "Primo")
        assert texts(session) == ["Uno", "Primo"]
        session.show_sibling(session.current.turns[0].id, -1)
        assert texts(session) == ["One", "First", "Two", "Second"]

    def test_an_edited_answer_stands_beside_the_models(self, session: Session) -> None:
        session.edit_answer(turn(session, "First").id, "Mine")
        assert texts(session) == ["One", "Mine"]
        said = session.current.turns[-1]
        assert said.edited
        assert said.token_ids == ()
        assert said.report is None
        submit = submitted(session.send("And?"))
        assert roles_and_texts(submit)[1] == ("assistant", "Mine")
        assert turn(session, "First").text == "First"

    @pytest.mark.parametrize("text", ["", "  \n"])
    def test_nothing_is_no_message(self, session: Session, text: str) -> None:
        assert session.edit(turn(session, "One").id, text) == NOTHING
        assert session.edit_answer(turn(session, "First").id, text) == NOTHING

    def test_a_kind_of_turn_is_edited_as_that_kind(self, session: Session) -> None:
        assert session.edit(turn(session, "First").id, "x") == NOTHING
        assert session.edit_answer(turn(session, "One").id, "x") == NOTHING


class TestRegenerate:
    def test_any_answer_can_have_another_one_beside_it(self, session: Session) -> None:
        submit = submitted(session.regenerate(turn(session, "First").id))
        assert roles_and_texts(submit) == [("user", "One")]
        answer(session, submit, "First again")
        assert texts(session) == ["One", "First again"]
        siblings = session.current.tree.siblings(session.current.turns[1].id)
        assert [t.text for t in siblings] == ["First", "First again"]

    def test_a_failure_leads_back_to_the_branch_that_was_there(self, session: Session) -> None:
        submit = submitted(session.regenerate(turn(session, "First").id))
        outcome = session.apply(events.RequestFailed(request=submit.request, sentence="No room."))
        assert texts(session) == ["One", "First", "Two", "Second", "No room."]
        assert any(change.kind is Changed.DROPPED for change in outcome.changes)
        assert not session.busy


class TestContinue:
    def test_the_answer_itself_is_the_end_of_the_prompt(self, session: Session) -> None:
        submit = submitted(session.continue_answer())
        assert submit.options.continues
        assert roles_and_texts(submit)[-1] == ("assistant", "Second")
        assert messages_of(submit)[-1].token_ids == (3, 4)

    def test_it_grows_in_place_and_counts_all_its_tokens(self, session: Session) -> None:
        number = submitted(session.continue_answer()).request
        last = session.current.turns[-1]
        before = last.tokens
        for event in (
            events.RequestStarted(request=number, plan=plan(10, 0, 1)),
            events.TextDelta(request=number, text=" half", channel="answer", tokens=1, time=1.0),
        ):
            session.apply(event)
        assert last.text == "Second half"
        # The ids of what it was before are not those of what it is now.
        assert not last.token_ids
        assert last.tokens == before + 1
        session.apply(
            events.RequestFinished(
                request=number,
                stop="end",
                text="Second half",
                thinking="",
                token_ids=(3, 4, 5),
                report=report(plan(10, 0, 1)),
            ),
        )
        assert last.token_ids == (3, 4, 5)
        assert last.state is TurnState.DONE
        assert [t.id for t in session.current.turns].count(last.id) == 1

    def test_one_that_messages_follow_is_continued_beside_itself(self, session: Session) -> None:
        session.continue_answer(turn(session, "First").id)
        assert texts(session) == ["One", "First"]
        assert len(session.current.tree.siblings(session.current.turns[-1].id)) == 2
        assert session.current.running is session.current.turns[-1]

    def test_a_failure_leaves_it_as_it_was(self, session: Session) -> None:
        submit = submitted(session.continue_answer())
        session.apply(events.RequestFailed(request=submit.request, sentence="No."))
        last = turn(session, "Second")
        assert (last.state, last.token_ids, last.stop) == (TurnState.DONE, (3, 4), "end")
        assert texts(session)[-2:] == ["Second", "No."]
        assert not session.busy

    def test_stopped_before_it_began_it_is_as_it_was(self, session: Session) -> None:
        session.opening(Path("/m/x"))
        session.continue_answer()
        session.stop()
        last = turn(session, "Second")
        assert (last.state, last.token_ids, last.stop) == (TurnState.DONE, (3, 4), "end")

    def test_where_nothing_was_written_it_is_another_answer(self, session: Session) -> None:
        number = submitted(session.send("Three")).request
        session.apply(events.RequestStarted(request=number, plan=plan(10, 0, 1)))
        session.apply(
            events.RequestFinished(
                request=number,
                stop="cancelled",
                text="",
                thinking="",
                token_ids=(),
                report=report(plan(10, 0, 1)),
            ),
        )
        submit = submitted(session.continue_answer())
        assert not submit.options.continues
        assert roles_and_texts(submit)[-1] == ("user", "Three")

    def test_a_user_message_is_not_continued(self, session: Session) -> None:
        assert session.continue_answer(turn(session, "One").id) == NOTHING


class TestFork:
    def test_a_fork_is_a_copy_that_goes_its_own_way(self, session: Session) -> None:
        session.set_system("Be kind.")
        source = session.current
        session.fork(turn(session, "First").id)
        assert session.current is not source
        assert texts(session) == ["One", "First"]
        assert session.current.system == "Be kind."
        assert session.current.title == "Fork: One"
        assert {t.id for t in session.current.turns}.isdisjoint(source.tree.turns)
        submit = submitted(session.send("Else"))
        assert messages_of(submit)[2].token_ids == (1, 2)
        assert [t.text for t in source.turns] == ["One", "First", "Two", "Second"]


class TestBranches:
    def test_going_back_leads_to_where_one_was(self, session: Session) -> None:
        answer(session, submitted(session.edit(turn(session, "Two").id, "Due")), "Secondo")
        answer(session, submitted(session.send("Tre")), "Terzo")
        session.show_sibling(turn(session, "Due").id, -1)
        assert texts(session)[-1] == "Second"
        session.show_sibling(turn(session, "Two").id, +1)
        assert texts(session)[-1] == "Terzo"
        assert session.show_sibling(turn(session, "Due").id, +1) == NOTHING

    def test_a_message_is_shown_on_its_branch(self, session: Session) -> None:
        answer(session, submitted(session.edit(turn(session, "One").id, "Uno")), "Primo")
        sought = turn(session, "Two")
        here = session.current.id
        session.new_conversation()
        outcome = session.show_message(here, sought.id)
        assert texts(session) == ["One", "First", "Two", "Second"]
        assert Changed.SOUGHT.of(here, sought.id) in outcome.changes

    def test_an_answer_goes_on_while_another_branch_is_read(self, session: Session) -> None:
        number = submitted(session.edit(turn(session, "Two").id, "Due")).request
        session.show_sibling(session.current.turns[2].id, -1)
        assert texts(session)[-1] == "Second"
        assert session.current.running is not None
        delta = events.TextDelta(request=number, text="Sec", channel="answer", tokens=1, time=1.0)
        session.apply(events.RequestStarted(request=number, plan=plan(1, 0, 1)))
        session.apply(delta)
        assert turn(session, "Sec").state is TurnState.WRITING


class TestForecast:
    def test_other_branches_are_probed_one_by_one_once_the_conversation_is(
        self, session: Session
    ) -> None:
        answer(session, submitted(session.edit(turn(session, "One").id, "Uno")), "Primo")
        (gauge,) = session.probe_conversation().commands
        assert isinstance(gauge, commands.Probe)
        aside = session.apply(events.ProbeAnswered(probe=gauge.probe, plan=plan(9, 0, 1)))
        (probe,) = aside.commands
        assert isinstance(probe, commands.Probe)
        said = [m.content for m in probe.prompt if not isinstance(m, int)]
        assert said == ["One", "First", "Two", "Second", ""]
        known = plan(20, 0, 1)
        done = session.apply(events.ProbeAnswered(probe=probe.probe, plan=known))
        assert session.forecast.siblings == {turn(session, "One").id: known}
        assert done.commands == ()

    def test_one_that_cannot_run_is_not_asked_in_a_circle(self, session: Session) -> None:
        answer(session, submitted(session.edit(turn(session, "One").id, "Uno")), "Primo")
        answer(session, submitted(session.edit(turn(session, "Uno").id, "Due")), "Secondo")
        session.show_sibling(turn(session, "Due").id, -1)
        (gauge,) = session.probe_conversation().commands
        asked = 0
        while True:
            assert isinstance(gauge, commands.Probe)
            refused = events.ProbeRefused(probe=gauge.probe, sentence="Too long.")
            following = session.apply(refused).commands
            if not following:
                break
            (gauge,) = following
            asked += 1
            assert asked <= 2, "each of two siblings once"
        assert asked == 2
        assert session.forecast.siblings == {}

    def test_what_was_known_is_forgotten_when_something_runs(self, session: Session) -> None:
        session.forecast.siblings[1] = plan(1, 0, 1)
        session.send("Three")
        assert session.forecast.siblings == {}
