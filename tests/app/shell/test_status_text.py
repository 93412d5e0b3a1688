"""The status line's words."""

from __future__ import annotations

from dataclasses import replace

from app.core.session.model import Session
from app.core.session.records import EnginePhase, EngineState, Turn
from app.shell.statusbar import context_text, model_details, model_text, rate_text
from tests.app.fake_loop import MODEL
from tests.app.samples import plan, report


class TestStatus:
    def test_the_model(self) -> None:
        ready = EngineState(EnginePhase.READY, MODEL)
        assert model_text(ready) == "Qwen3.5-0.8B · bfloat16 on cpu"
        loading = EngineState(EnginePhase.LOADING, stage="Reading weights")
        assert model_text(loading) == "Reading weights"

    def test_how_much_is_loaded(self) -> None:
        loading = EngineState(EnginePhase.LOADING, stage="reading weights", fraction=0.456)
        assert model_text(loading) == "Reading weights, 46%"

    def test_the_format_of_the_weights_stands_beside_the_dtype(self) -> None:
        packed = replace(MODEL, weights="int8")
        ready = EngineState(EnginePhase.READY, packed)
        assert model_text(ready) == "Qwen3.5-0.8B · int8 weights, bfloat16 on cpu"
        same = EngineState(EnginePhase.READY, replace(MODEL, weights="bfloat16"))
        assert model_text(same) == "Qwen3.5-0.8B · bfloat16 on cpu"

    def test_what_runs_it_stands_beside_the_device_and_is_a_sentence_in_the_details(self) -> None:
        ready = EngineState(EnginePhase.READY, replace(MODEL, kernels="AVX-512 with BF16"))
        assert model_text(ready) == "Qwen3.5-0.8B · bfloat16 on cpu, AVX-512 with BF16"
        assert any("(AVX-512 with BF16)" in line for line in model_details(ready).splitlines())

    def test_the_details_end_with_what_loading_left_out(self) -> None:
        noted = replace(MODEL, weights="int4", notes=("The vision part was skipped.",))
        lines = model_details(EngineState(EnginePhase.READY, noted)).splitlines()
        assert lines[-1] == "The vision part was skipped."
        assert any("int4 weights, bfloat16" in line for line in lines)
        assert any("18.6 MiB per checkpoint" in line for line in lines)
        assert model_details(EngineState()) == ""

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
