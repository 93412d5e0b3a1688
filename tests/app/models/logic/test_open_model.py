"""The open model in words."""

from __future__ import annotations

from dataclasses import replace

from app.core.session.records import Coming, EnginePhase, EngineState
from app.models.logic.open_model import (
    button_text,
    hardware_text,
    model_details,
    state_details,
)
from tests.app.fake_loop import MODEL

READY = EngineState(EnginePhase.READY, MODEL)


class TestButton:
    def test_it_names_the_open_model(self) -> None:
        assert button_text(READY, None) == "Qwen3.5-0.8B"

    def test_it_says_how_much_is_loaded(self) -> None:
        loading = EngineState(EnginePhase.LOADING, stage="reading weights", fraction=0.456)
        assert button_text(loading, None) == "Loading 46%"
        assert state_details(loading, None) == "Reading weights, 46%"

    def test_a_share_that_is_not_known_yet_is_not_told(self) -> None:
        loading = EngineState(EnginePhase.LOADING, stage="Reading weights")
        assert button_text(loading, None) == "Loading…"
        assert state_details(loading, None) == "Reading weights"

    def test_one_that_comes_while_another_is_open_is_told_with_the_open_one(self) -> None:
        coming = Coming("large", "reading weights", 0.33)
        assert button_text(READY, coming) == "Loading 33%"
        first, second, *_ = state_details(READY, coming).splitlines()
        assert first == "Opening large: reading weights, 33%"
        assert second.startswith("Qwen3.5-0.8B (")

    def test_without_a_model_it_offers_to_open_one(self) -> None:
        for phase in (EnginePhase.NONE, EnginePhase.FAILED):
            assert button_text(EngineState(phase), None) == "Open a model"
            assert state_details(EngineState(phase), None) == ""


class TestHardware:
    def test_the_format_of_the_weights_stands_beside_the_dtype(self) -> None:
        packed = replace(MODEL, weights="int8")
        assert hardware_text(packed) == "int8 weights, bfloat16 on cpu"
        assert hardware_text(replace(MODEL, weights="bfloat16")) == "bfloat16 on cpu"

    def test_what_runs_it_stands_beside_the_device_and_is_a_sentence_in_the_details(self) -> None:
        model = replace(MODEL, kernels="AVX-512 with BF16")
        assert hardware_text(model) == "bfloat16 on cpu, AVX-512 with BF16"
        details = model_details(EngineState(EnginePhase.READY, model))
        assert any("(AVX-512 with BF16)" in line for line in details.splitlines())

    def test_an_engine_elsewhere_has_a_place(self) -> None:
        there = replace(MODEL, remote="SGLang", device="10.0.0.2:8000")
        assert hardware_text(there) == "SGLang at 10.0.0.2:8000"


class TestDetails:
    def test_they_end_with_what_loading_left_out(self) -> None:
        noted = replace(MODEL, weights="int4", notes=("The vision part was skipped.",))
        lines = model_details(EngineState(EnginePhase.READY, noted)).splitlines()
        assert lines[-1] == "The vision part was skipped."
        assert any("int4 weights, bfloat16" in line for line in lines)
        assert any("18.6 MiB per checkpoint" in line for line in lines)
        assert model_details(EngineState()) == ""
