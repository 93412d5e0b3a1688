"""The status line's words."""

from __future__ import annotations

from fake_loop import MODEL
from samples import plan, report

from app.session.model import Session
from app.session.records import EnginePhase, EngineState, Turn
from app.shell.status_text import context_text, model_text, rate_text


class TestStatus:
    def test_the_model(self) -> None:
        ready = EngineState(EnginePhase.READY, MODEL)
        assert model_text(ready) == "Qwen3.5-0.8B · bfloat16 on cpu"
        loading = EngineState(EnginePhase.LOADING, stage="Reading weights")
        assert model_text(loading) == "Reading weights"

    def test_the_context_counts_prompt_and_answer(self) -> None:
        session = Session(engine=EngineState(EnginePhase.READY, MODEL))
        given = plan(4000, 0, 800)
        session.current.turns.append(
            Turn(9, "assistant", plan=given, report=report(given), tokens=73)
        )
        assert context_text(session) == "context 4,873 of 32,768 (15%)"
        assert rate_text(session) == "63 tok/s"

    def test_nothing_to_say(self) -> None:
        assert context_text(Session()) == rate_text(Session()) == ""
