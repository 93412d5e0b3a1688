"""The audit in every weight format, with dense models, mixtures, and experts read from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

import assets
from engine import Engine, EngineConfig
from engine.audit import audit, conversations, runner
from engine.audit.runner import AuditReport
from engine.bench.random_model import random_model
from engine.config import Mode, WeightFormat
from tests.engine.model.conftest import BASE

DEMO = Path(assets.__file__).parent / "demo_model"
# test_audit.py runs all of them; these resume at the end, before it, inside, and not at all.
FEW = (
    conversations.regenerate,
    conversations.edit_two_turns_back,
    conversations.same_prompt_twice,
    conversations.one_token_shorter,
)
SMALL: dict[str, Any] = BASE | {
    "vocab_size": 2048,
    "max_position_embeddings": 4096,
    "eos_token_id": 2,
    "num_experts": 8,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 64,
}
KINDS: dict[str, dict[str, Any]] = {
    "moe": SMALL | {"model_type": "qwen3_5_moe_text"},
    "next": SMALL
    | {
        "model_type": "qwen3_next",
        "intermediate_size": 96,
        "norm_topk_prob": True,
        "decoder_sparse_step": 1,
        "mlp_only_layers": [],
    },
}
FORMATS = get_args(WeightFormat)
# About half of the 32 experts of either model, as stored and packed.
EXPERT_BYTES = {"stored": 190_000, "int8": 220_000, "int4": 70_000}


@pytest.fixture(autouse=True)
def _few_conversations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "CONVERSATIONS", FEW)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {
        kind: random_model(tmp_path_factory.mktemp(kind) / kind, config, seed=7, dtype="bfloat16")
        for kind, config in KINDS.items()
    }
    return made | {"demo": DEMO}


def opened(
    folder: Path, mode: Mode, weights: WeightFormat, cache_dir: Path, expert_bytes: int = 0
) -> Engine:
    config = EngineConfig(
        mode=mode,
        weights=weights,
        expert_bytes=expert_bytes,
        cache_bytes=200 << 20,
        cache_dir=cache_dir,
        threads=1,
    )
    return Engine.open(folder, config)


def failed(report: AuditReport) -> list[tuple[str, float, float]]:
    return [(row.name, row.relative, row.kl) for row in report.rows if not row.passed]


class TestExact:
    @pytest.mark.parametrize("weights", ["int8", "int4"])
    def test_the_bundled_model(self, weights: WeightFormat, tmp_path: Path) -> None:
        with opened(DEMO, "exact", weights, tmp_path) as engine:
            assert engine.model.weights == weights
            report = audit(engine)
        assert report.passed, failed(report)
        assert all(row.bit_equal for row in report.rows)
        assert sum(row.reused for row in report.rows) > 0

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", list(KINDS))
    @pytest.mark.parametrize("weights", FORMATS)
    def test_mixtures_whose_experts_come_and_go(
        self, kind: str, weights: WeightFormat, folders: dict[str, Path], tmp_path: Path
    ) -> None:
        budget = EXPERT_BYTES[weights]
        with opened(folders[kind], "exact", weights, tmp_path, budget) as engine:
            report = audit(engine)
            experts = engine.snapshot().experts
        assert report.passed, failed(report)
        assert all(row.bit_equal for row in report.rows)
        assert sum(row.reused for row in report.rows) > 0
        assert experts is not None
        assert 1 < experts.resident < experts.total == 32
        assert experts.used_bytes <= budget
        # More than once each: they came back.
        assert experts.misses > 2 * experts.total
        assert bool(list(tmp_path.glob("weights/*/layer-0003.safetensors"))) == (
            weights != "stored"
        )


class TestFast:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("kind", "weights"),
        [
            ("demo", "int8"),
            ("demo", "int4"),
            ("moe", "stored"),
            ("moe", "int8"),
            ("moe", "int4"),
            ("next", "stored"),
            ("next", "int8"),
            ("next", "int4"),
        ],
    )
    def test_differences_are_those_of_rounding_and_a_wrong_state_is_not(
        self, kind: str, weights: WeightFormat, folders: dict[str, Path], tmp_path: Path
    ) -> None:
        with opened(folders[kind], "fast", weights, tmp_path) as engine:
            report = audit(engine)
            spoiled = audit(engine, plant_wrong_state=True)
            engine.check_invariants()
        assert report.passed, failed(report)
        assert not spoiled.passed
        wrong = {name for name, _, _ in failed(spoiled)}
        assert {"same_prompt_twice", "regenerate"} <= wrong

    @pytest.mark.parametrize("kind", ["demo", "moe"])
    def test_a_right_state_is_verified_and_a_wrong_one_is_not(
        self, kind: str, folders: dict[str, Path], tmp_path: Path
    ) -> None:
        with opened(folders[kind], "fast", "int8", tmp_path) as engine:
            prompt = tuple(range(100, 300))
            engine.logits(prompt)
            held = [node for node in engine.snapshot().nodes if node.checkpoint is not None]
            node = max(held, key=lambda node: node.end).id
            right = engine.verify(node)
            engine.on_core(lambda core: core.store.spoil_states())
            wrong = engine.verify(node)
        assert right is not None
        assert right.status == "verified"
        assert wrong is not None
        assert wrong.status != "verified"
