"""The status line's words."""

from __future__ import annotations

from app.core.session.model import Session
from app.core.session.records import EnginePhase, EngineState, Turn
from app.shell.statusbar import context_text, rate_text
from tests.app.fake_loop import MODEL
from tests.app.samples import plan, report


class TestStatus:
    def test_the_context_counts_prompt_and_answer(self) -> None:
        session = Session(engine=EngineState(EnginePhase.READY, MODEL))
        given = plan(4000, 0, 800)
        session.current.turns.append(
            Turn(9, "assistant", plan=given, report=report(given), tokens=73)
        )
        assert context_text(session) == "context 15%"

    def test_near_its_end_its_tokens_count(self) -> None:
        session = Session(engine=EngineState(EnginePhase.READY, MODEL))
        given = plan(4000, 0, 27_800)
        session.current.turns.append(
            Turn(9, "assistant", plan=given, report=report(given), tokens=73)
        )
        assert context_text(session) == "context 31,873 of 32,768 (97%)"

    def test_the_rate_is_that_of_the_answer_being_written(self) -> None:
        session = Session(engine=EngineState(EnginePhase.READY, MODEL))
        given = plan(4000, 0, 800)
        session.current.turns.append(
            Turn(9, "assistant", plan=given, report=report(given), tokens=73)
        )
        assert rate_text(session) == ""
        session.rate.value = 63.2
        assert rate_text(session) == "63 tok/s"

    def test_nothing_to_say(self) -> None:
        assert context_text(Session()) == rate_text(Session()) == ""
