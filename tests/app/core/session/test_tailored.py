"""Settings of the conversation on screen: what the next message gets, and what the store keeps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.session.changes import NOTHING, Changed, Outcome
from app.core.session.model import Session
from app.core.session.settings import overrides_of
from app.core.store.records import Preset
from engine import events
from engine.commands import CountTokens, Probe, Submit
from engine.config import Sampling
from engine.message import Message
from tests.app.core.session import test_keeper
from tests.app.core.session.test_keeper import Start
from tests.app.fake_loop import MODEL
from tests.app.samples import plan

OWN = Sampling(temperature=0.6, top_k=40)
start = test_keeper.start
READY = events.EngineReady(model=replace(MODEL, sampling=OWN))


@pytest.fixture
def session() -> Session:
    made = Session(given={"top_k": 5, "max_tokens": 50})
    made.apply(READY)
    return made


def submit_of(outcome: Outcome) -> Submit:
    (found,) = (command for command in outcome.commands if isinstance(command, Submit))
    return found


class TestSampling:
    def test_start_options_stand_above_the_models_and_below_the_conversations(
        self, session: Session
    ) -> None:
        assert session.sampling == Sampling(temperature=0.6, top_k=5, max_tokens=50)
        session.set_sampling("max_tokens", 9)
        sent = submit_of(session.send("Hi")).sampling
        assert sent == Sampling(temperature=0.6, top_k=5, max_tokens=9)

    def test_a_message_that_waits_for_the_model_gets_the_conversations(self) -> None:
        session = Session(given={"seed": 3})
        session.opening(Path("/models/a"))
        session.set_sampling("temperature", 0.0)
        session.send("Hi")
        (held,) = session.apply(READY).commands
        assert isinstance(held, Submit)
        assert held.sampling == replace(OWN, temperature=0.0, seed=3)

    def test_another_conversation_has_its_own(self, session: Session) -> None:
        session.set_sampling("temperature", 0.0)
        session.send("Hi")
        session.new_conversation()
        assert submit_of(session.send("Hi")).sampling.temperature == 0.6

    def test_an_invalid_value_changes_nothing(self, session: Session) -> None:
        assert session.set_sampling("temperature", -1.0) is NOTHING
        assert session.set_sampling("temperature", "warm") is NOTHING
        assert session.current.sampling == ""

    def test_the_default_is_no_override(self, session: Session) -> None:
        changed = session.set_sampling("temperature", 0.1)
        assert changed.changes == {Changed.SAMPLING.of(session.current.id)}
        session.set_sampling("temperature", 0.6)
        assert session.current.sampling == ""
        assert session.reset_sampling("temperature") is NOTHING

    def test_before_a_model_is_open_every_choice_is_kept(self) -> None:
        session = Session()
        session.set_sampling("temperature", Sampling().temperature)
        session.apply(READY)
        assert submit_of(session.send("Hi")).sampling.temperature == Sampling().temperature

    def test_reset_all(self, session: Session) -> None:
        session.set_sampling("seed", 1)
        session.set_sampling("top_k", 1)
        session.reset_all_sampling()
        assert submit_of(session.send("Hi")).sampling == session.sampling


class TestSystemText:
    def test_a_draft_is_not_applied(self, session: Session) -> None:
        session.draft_system("Be kind.")
        assert submit_of(session.send("Hi")).prompt == (Message("user", "Hi"),)
        assert session.current.system_draft == "Be kind."

    def test_applied_it_is_in_the_next_prompt(self, session: Session) -> None:
        session.draft_system("Be kind. ")
        session.apply_system("Be kind. ")
        assert session.current.system_draft is None
        assert submit_of(session.send("Hi")).prompt[0] == Message("system", "Be kind.")

    def test_a_draft_like_the_text_itself_is_none(self, session: Session) -> None:
        session.apply_system("Be kind.")
        session.draft_system("Be")
        session.draft_system("Be kind. ")
        assert session.current.system_draft is None

    def test_an_empty_draft_removes_the_text_once_applied(self, session: Session) -> None:
        session.apply_system("Be kind.")
        session.draft_system("")
        assert session.current.system_draft == ""
        session.apply_system("")
        assert submit_of(session.send("Hi")).prompt == (Message("user", "Hi"),)

    def test_it_is_weighed_against_the_text_as_it_is(self, session: Session) -> None:
        session.apply_system("Be kind.")
        count, now, then = session.weigh_system(" Be brief.").commands
        assert isinstance(count, CountTokens)
        assert isinstance(now, Probe)
        assert isinstance(then, Probe)
        question = Message("user", "")
        assert count.texts == ("Be brief.",)
        assert now.prompt == (Message("system", "Be kind."), question)
        assert then.prompt == (Message("system", "Be brief."), question)
        weighing = session.weighing
        assert weighing is not None
        for event in (
            events.TokensCounted(number=count.number, counts=(3,)),
            events.ProbeAnswered(probe=then.probe, plan=plan(0, 0, 100)),
        ):
            assert session.apply(event).changes == {Changed.WEIGHING}
        assert (weighing.tokens, weighing.now, weighing.then) == (3, None, plan(0, 0, 100))
        session.apply(events.ProbeAnswered(probe=now.probe, plan=plan(80, 0, 10)))
        assert weighing.now == plan(80, 0, 10)
        assert session.forecast.preview is None

    def test_one_that_does_not_fit_is_refused(self, session: Session) -> None:
        *_, then = session.weigh_system("Be long.").commands
        assert isinstance(then, Probe)
        session.apply(events.ProbeRefused(probe=then.probe, sentence="It is too long."))
        assert session.weighing is not None
        assert session.weighing.refusal == "It is too long."

    def test_removing_it_is_weighed_without_one(self, session: Session) -> None:
        session.apply_system("Be kind.")
        then = session.weigh_system("  ").commands[-1]
        assert isinstance(then, Probe)
        assert then.prompt == (Message("user", ""),)

    def test_the_text_in_use_is_only_counted(self, session: Session) -> None:
        session.apply_system("Be kind.")
        (count,) = session.weigh_system("Be kind. ").commands
        assert isinstance(count, CountTokens)

    def test_while_an_answer_runs_it_is_only_counted(self, session: Session) -> None:
        session.send("Hi")
        (count,) = session.weigh_system("Be kind.").commands
        assert isinstance(count, CountTokens)

    def test_answers_to_other_questions_are_left_to_others(self, session: Session) -> None:
        session.weigh_system("Be kind.")
        session.send("Hi")
        told = session.apply(events.TokensCounted(number=9_999, counts=(1,)))
        assert told.changes == frozenset()


class TestPresets:
    def test_its_sampling_is_applied_and_its_text_a_draft(self, session: Session) -> None:
        session.set_sampling("temperature", 0.0)
        session.save_preset("  Strict \n pilot ", sampling=True, system="You fly.")
        session.reset_all_sampling()
        session.set_sampling("seed", 3)
        session.apply_preset("strict pilot")
        assert overrides_of(session.current.sampling) == {"temperature": 0.0}
        assert (session.current.system, session.current.system_draft) == ("", "You fly.")

    def test_a_text_alone_leaves_the_sampling(self, session: Session) -> None:
        session.save_preset("Pilot", sampling=False, system="You fly.")
        session.set_sampling("seed", 3)
        session.apply_preset("Pilot")
        assert overrides_of(session.current.sampling) == {"seed": 3}

    def test_sampling_alone_leaves_the_text(self, session: Session) -> None:
        session.save_preset("Plain", sampling=True, system="")
        session.set_sampling("seed", 3)
        session.draft_system("Half a thou")
        session.apply_preset("Plain")
        assert session.current.sampling == ""
        assert session.current.system_draft == "Half a thou"

    def test_what_has_nothing_in_it_is_not_saved(self, session: Session) -> None:
        assert session.save_preset("Empty", sampling=False, system=" ") is NOTHING
        assert session.save_preset(" ", sampling=True, system="") is NOTHING

    def test_rename_and_remove_and_undo(self, session: Session) -> None:
        for name in ("b", "A"):
            session.save_preset(name, sampling=True, system="")
        session.rename_preset("b", "C")
        assert session.rename_preset("A", "c") is NOTHING
        assert [one.name for one in session.presets.saved] == ["A", "C"]
        session.rename_preset("A", "a")
        session.remove_preset("a")
        assert [one.name for one in session.presets.saved] == ["C"]
        assert session.restore_preset().changes == {Changed.PRESETS}
        assert [one.name for one in session.presets.saved] == ["a", "C"]
        assert session.restore_preset() is NOTHING


class TestKept:
    def test_the_next_start_has_the_sampling_the_draft_and_the_presets(self, start: Start) -> None:
        run = start()
        run.do(run.session.set_sampling("temperature", 0.0))
        run.do(run.session.set_sampling("stop", ("\n\n", "END")))
        run.do(run.session.apply_system("Be kind."))
        run.do(run.session.draft_system("Be brief."))
        run.do(run.session.save_preset("b", sampling=True, system=""))
        run.do(run.session.save_preset("Old", sampling=False, system="X"))
        run.do(run.session.save_preset("A", sampling=False, system="You fly."))
        run.do(run.session.rename_preset("A", "Pilot"))
        run.do(run.session.remove_preset("Old"))
        run.chat("Hi")
        again = start()
        sent = again.ask(again.session.send("More"))
        assert (sent.sampling.temperature, sent.sampling.stop) == (0.0, ("\n\n", "END"))
        assert (again.session.current.system, again.session.current.system_draft) == (
            "Be kind.",
            "Be brief.",
        )
        assert again.session.presets.saved == [
            Preset("b", "", '{"stop": ["\\n\\n", "END"], "temperature": 0.0}'),
            Preset("Pilot", "You fly."),
        ]

    def test_an_empty_conversation_with_settings_is_kept(self, start: Start) -> None:
        run = start()
        run.do(run.session.set_sampling("seed", 7))
        assert overrides_of(start().session.current.sampling) == {"seed": 7}

    def test_damaged_sampling_costs_nothing_else(self, start: Start) -> None:
        run = start()
        run.do(run.session.apply_system("Be kind."))
        run.chat("Hi")
        number = run.session.current.id
        run.keeper.close()
        spoil(run.store.path)
        again = start()
        assert again.session.current.id == number
        assert again.session.current.system == "Be kind."
        again.chat("More")
        assert again.said == []
        assert again.ask(again.session.send("On")).sampling == again.session.sampling
        assert [turn.text for turn in start().session.current.turns][:3] == ["Hi", "Yes.", "More"]


def spoil(path: Path) -> None:
    import sqlite3

    connection = sqlite3.connect(path)
    connection.execute("UPDATE conversations SET sampling = '{\"top_k\": '")
    connection.commit()
    connection.close()
