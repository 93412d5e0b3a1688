"""Conversations and actions, without a window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.session.changes import NOTHING, Changed, Noted, Outcome
from app.core.session.forecast import CannotRun
from app.core.session.model import Session
from app.core.session.records import UNTITLED, EnginePhase, TurnState, shorten
from engine import commands, events
from tests.app.fake_loop import MODEL, messages_of
from tests.app.samples import plan, report


def ready() -> Session:
    session = Session()
    session.apply(events.EngineReady(model=MODEL))
    return session


def submitted(outcome: Outcome) -> commands.Submit:
    found = [c for c in outcome.commands if isinstance(c, commands.Submit)]
    assert len(found) == 1
    return found[0]


def answer(session: Session, submit: commands.Submit, text: str, **more: Any) -> Outcome:
    """Let a request run its course; returns what its end changed."""
    number = submit.request
    given = plan(10, 0, 5)
    made: dict[str, Any] = {
        "stop": "end",
        "text": text,
        "thinking": "",
        "token_ids": (1, 2, 3),
        "report": report(given),
    } | more
    for event in (
        events.RequestQueued(request=number, ahead=0),
        events.RequestStarted(request=number, plan=given),
        events.TextDelta(request=number, text=text, channel="answer", tokens=1, time=1.0),
    ):
        session.apply(event)
    return session.apply(events.RequestFinished(request=number, **made))


class TestFirstModel:
    def test_a_model_that_fails_before_its_first_word_leaves_the_conversation_free(self) -> None:
        session = ready()
        submit = submitted(session.send("One"))
        session.apply(events.RequestStarted(request=submit.request, plan=plan(10, 0, 5)))
        assert session.current.model == MODEL.folder
        failed = events.RequestFailed(request=submit.request, sentence="Too long.")
        session.apply(failed)
        assert session.current.model == ""


class TestSending:
    def test_a_message_is_submitted_with_the_conversation_so_far(self) -> None:
        session = ready()
        session.set_system("Be kind.")
        answer(session, submitted(session.send("One")), "First")
        messages = messages_of(submitted(session.send("Two")))
        assert [m.role for m in messages] == ["system", "user", "assistant", "user"]

    def test_an_answer_carries_its_token_ids_and_thinking_back(self) -> None:
        session = ready()
        answer(session, submitted(session.send("One")), "First", thinking="hm", token_ids=(5, 6))
        said = messages_of(submitted(session.send("Two")))[1]
        assert (said.token_ids, said.thinking) == ((5, 6), "hm")

    def test_nothing_is_sent_while_an_answer_runs(self) -> None:
        session = ready()
        session.send("One")
        assert session.send("Two") == NOTHING
        assert session.regenerate() == NOTHING

    def test_blank_text_is_not_sent(self) -> None:
        assert ready().send(" \n") == NOTHING

    def test_the_title_is_the_first_line_cut_at_a_word(self) -> None:
        session = ready()
        session.send("Explain " + "flight " * 20 + "\nplease")
        title = session.current.title
        assert title.startswith("Explain flight")
        assert title.endswith("flight…")
        assert shorten("short\nmore") == "short"

    def test_what_is_sent_before_the_model_is_ready_waits_for_it(self) -> None:
        session = Session()
        session.opening(__import__("pathlib").Path("/m/x"))
        assert session.send("Early").commands == ()
        outcome = session.apply(events.EngineReady(model=MODEL))
        assert messages_of(submitted(outcome))[0].content == "Early"

    def test_without_a_model_the_text_comes_back(self) -> None:
        session = Session()
        outcome = session.send("Hello")
        assert Changed.DRAFT.of(session.current.id) in outcome.changes
        assert session.returned[session.current.id] == "Hello"
        assert [turn.role for turn in session.current.turns] == ["error"]


class TestStopping:
    def test_a_cancelled_answer_keeps_its_text(self) -> None:
        session = ready()
        submit = submitted(session.send("One"))
        assert session.stop().commands == (commands.Cancel(submit.request),)
        answer(session, submit, "Half an ans", stop="cancelled")
        turn = session.current.turns[-1]
        assert (turn.text, turn.state) == ("Half an ans", TurnState.STOPPED)

    def test_a_cancelled_answer_without_text_is_not_part_of_the_next_prompt(self) -> None:
        session = ready()
        answer(session, submitted(session.send("One")), "", stop="cancelled", token_ids=())
        messages = messages_of(submitted(session.send("Two")))
        assert [m.role for m in messages] == ["user", "user"]

    def test_a_message_that_waits_for_the_model_can_be_stopped(self) -> None:
        session = Session()
        session.opening(__import__("pathlib").Path("/m/x"))
        session.send("Early")
        session.stop()
        assert session.waiting == []
        assert not session.busy


class TestRegenerateAndEdit:
    def test_regenerate_asks_the_same_again(self) -> None:
        session = ready()
        first = submitted(session.send("One"))
        answer(session, first, "First")
        again = submitted(session.regenerate())
        assert again.prompt == first.prompt
        assert [turn.role for turn in session.current.turns] == ["user", "assistant"]

    def test_edit_drops_what_followed(self) -> None:
        session = ready()
        answer(session, submitted(session.send("One")), "First")
        answer(session, submitted(session.send("Two")), "Second")
        submit = submitted(session.edit(session.current.turns[0].id, "Uno"))
        assert [m.content for m in messages_of(submit)] == ["Uno"]
        assert session.current.title == "Uno"

    def test_a_failed_edit_puts_everything_back(self) -> None:
        session = ready()
        answer(session, submitted(session.send("One")), "First")
        submit = submitted(session.edit(session.current.turns[0].id, "Uno"))
        session.apply(events.RequestFailed(request=submit.request, sentence="Too long."))
        assert [t.text for t in session.current.turns] == ["One", "First", "Too long."]
        assert session.returned[session.current.id] == "Uno"

    def test_an_error_card_goes_with_the_next_attempt(self) -> None:
        session = ready()
        submit = submitted(session.send("One"))
        session.apply(events.RequestFailed(request=submit.request, sentence="No."))
        session.send("Two")
        assert [turn.role for turn in session.current.turns] == ["user", "assistant"]


class TestConversations:
    def test_new_takes_the_empty_one_that_is_there(self) -> None:
        session = ready()
        session.new_conversation()
        assert len(session.conversations) == 1
        answer(session, submitted(session.send("One")), "First")
        session.new_conversation()
        assert len(session.conversations) == 2
        assert session.current.title == UNTITLED

    def test_deleting_stops_what_runs_in_it(self) -> None:
        session = ready()
        submit = submitted(session.send("One"))
        outcome = session.delete(session.current.id)
        assert commands.Cancel(submit.request) in outcome.commands
        assert len(session.conversations) == 1
        late = events.TextDelta(request=submit.request, text="x", channel="answer", tokens=1)
        assert session.apply(late) == NOTHING

    def test_the_last_deleted_one_comes_back_where_it_was(self) -> None:
        session = ready()
        answer(session, submitted(session.send("One")), "First")
        session.new_conversation()
        answer(session, submitted(session.send("Two")), "Second")
        session.delete(session.current.id)
        assert session.current.title == "One"
        session.restore()
        assert [c.title for c in session.conversations] == ["Two", "One"]
        assert session.current.turns[-1].text == "Second"
        assert session.restore() == NOTHING

    def test_a_given_name_stays_and_an_empty_one_is_given_up(self) -> None:
        session = ready()
        session.send("One")
        session.rename(session.current.id, "Wings")
        assert session.current.title == "Wings"
        session.rename(session.current.id, " ")
        assert session.current.title == "One"


class TestEngine:
    def test_the_engines_end_gives_unanswered_text_back_and_keeps_answers(self) -> None:
        session = ready()
        answer(session, submitted(session.send("One")), "First")
        submit = submitted(session.send("Two"))
        delta = events.TextDelta(request=submit.request, text="Hal", channel="answer", tokens=1)
        session.apply(delta)
        session.apply(events.EngineFailed(sentence="It broke."))
        assert session.engine.phase is EnginePhase.FAILED
        assert [t.text for t in session.current.turns] == [
            "One",
            "First",
            "Two",
            "Hal",
            "It broke.",
        ]

    def test_another_models_ids_are_forgotten(self) -> None:
        session = ready()
        answer(session, submitted(session.send("One")), "First")
        first = session.current.turns[-1].token_ids
        session.choosing = session.current.id
        session.apply(events.EngineReady(model=replace(MODEL, folder="/models/other")))
        assert messages_of(submitted(session.send("Two")))[1].token_ids == ()
        session.stop()
        session.apply(events.EngineReady(model=MODEL))
        assert first
        assert session.current.messages(MODEL.folder)[1].token_ids == first

    def test_ready_after_failure_clears_the_sentence(self) -> None:
        session = ready()
        session.apply(events.EngineFailed(sentence="x"))
        session.apply(events.EngineReady(model=replace(MODEL, name="Other")))
        assert session.engine.sentence == ""


class TestReducer:
    def test_thinking_is_timed_until_the_answer_begins(self) -> None:
        session = ready()
        number = submitted(session.send("One")).request
        pieces: tuple[tuple[float, events.Channel, int], ...] = (
            (10.0, "thinking", 1),
            (11.5, "thinking", 80),
            (12.1, "answer", 81),
        )
        for time, channel, tokens in pieces:
            session.apply(
                events.TextDelta(
                    request=number,
                    text="x",
                    channel=channel,
                    tokens=tokens,
                    time=time,
                ),
            )
        turn = session.current.turns[-1]
        assert turn.thinking_s == pytest.approx(2.1)
        assert (turn.thinking_tokens, turn.text, turn.thinking) == (80, "x", "xx")

    def test_progress_and_plan_reach_the_turn(self) -> None:
        session = ready()
        number = submitted(session.send("One")).request
        given = plan(100, 20, 300)
        started = session.apply(events.RequestStarted(request=number, plan=given))
        assert Changed.PLAN in started.changes
        session.apply(events.PrefillProgress(request=number, done=64, total=320))
        turn = session.current.turns[-1]
        assert (turn.state, turn.done, turn.total) == (TurnState.READING, 64, 320)

    def test_a_probe_is_answered_only_for_the_conversation_on_screen(self) -> None:
        session = ready()
        asked = session.probe_draft("What if")
        probe = asked.commands[0]
        assert isinstance(probe, commands.Probe)
        answered = events.ProbeAnswered(probe=probe.probe, plan=plan(3, 0, 4))
        assert Changed.PREVIEW in session.apply(answered).changes
        assert session.forecast.preview is not None
        assert session.apply(answered) == NOTHING

    def test_a_draft_that_cannot_run_is_told_until_it_is_another(self) -> None:
        session = ready()
        asked = session.probe_draft("Too much")
        probe = asked.commands[0]
        assert isinstance(probe, commands.Probe)
        refused = events.ProbeRefused(probe=probe.probe, sentence="It is long.", tokens=70_000)
        assert session.apply(refused).changes == {Changed.PREVIEW}
        assert session.forecast.refusal == CannotRun("It is long.", 70_000)
        assert session.apply(refused) == NOTHING
        shorter = session.probe_draft("Less").commands[0]
        assert isinstance(shorter, commands.Probe)
        session.apply(events.ProbeAnswered(probe=shorter.probe, plan=plan(3, 0, 4)))
        assert session.forecast.refusal is None
        longer = session.probe_draft("Too much again").commands[0]
        assert isinstance(longer, commands.Probe)
        session.apply(replace(refused, probe=longer.probe))
        assert session.forecast.preview is None
        assert session.probe_draft("").changes >= {Changed.PREVIEW}
        assert session.forecast.refusal is None

    def test_a_draft_that_is_gone_is_not_told_to_be_too_long(self) -> None:
        session = ready()
        probe = session.probe_draft("Too much").commands[0]
        assert isinstance(probe, commands.Probe)
        session.probe_draft("")
        late = events.ProbeRefused(probe=probe.probe, sentence="It is long.")
        assert session.apply(late) == NOTHING
        assert session.forecast.refusal is None

    def test_the_rate_is_that_of_the_last_second(self) -> None:
        session = ready()
        number = submitted(session.send("One")).request
        for step in range(30):
            session.apply(
                events.TextDelta(
                    request=number, text="x", channel="answer", tokens=step + 1, time=step * 0.1
                ),
            )
        assert session.rate.value == pytest.approx(10.0)


class TestLoading:
    def test_what_was_left_out_is_in_the_event_log(self) -> None:
        session = Session()
        noted = replace(MODEL, notes=("The vision part was skipped.",))
        outcome = session.apply(events.EngineReady(model=noted))
        assert session.log.notices == ["The vision part was skipped."]
        assert not any(isinstance(change, Noted) for change in outcome.changes)

    def test_giving_up_returns_what_waited_and_leaves_no_model(self) -> None:
        session = Session()
        session.engine = replace(session.engine, phase=EnginePhase.LOADING)
        session.send("Hello")
        session.opening_cancelled()
        assert session.engine.phase is EnginePhase.NONE
        assert session.waiting == []
        assert session.returned == {session.current.id: "Hello"}


class TestVerify:
    def test_stop_gives_up_what_is_being_verified(self) -> None:
        session = ready()
        assert not session.can_stop
        assert session.cache.verify(3).commands == (commands.VerifyNode(3),)
        assert session.can_stop
        assert session.stop().commands == (commands.StopVerify(),)

    def test_an_answer_is_stopped_first(self) -> None:
        session = ready()
        session.cache.verify(3)
        submit = submitted(session.send("Hello"))
        assert session.stop().commands == (commands.Cancel(submit.request),)

    @pytest.mark.parametrize(
        "end",
        [
            events.NodeVerified(node=3, verdict=None),
            events.VerifyStopped(node=3, sentence="It was stopped."),
            events.EngineFailed(sentence="It broke."),
        ],
    )
    def test_after_its_end_there_is_nothing_to_stop(self, end: events.Event) -> None:
        session = ready()
        session.cache.verify(3)
        assert session.apply(end).changes
        assert not session.can_stop

    def test_an_audit_that_nobody_asked_for_ends_none(self) -> None:
        session = ready()
        session.cache.verify(3)
        session.apply(events.NodeVerified(node=3, verdict=None, background=True))
        assert session.can_stop

    def test_why_it_stopped_is_said_and_kept(self) -> None:
        session = ready()
        said = session.apply(events.VerifyStopped(node=3, sentence="It was stopped."))
        assert said.changes == {Noted("It was stopped.")}
        assert session.log.notices == ["It was stopped."]
