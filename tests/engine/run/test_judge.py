"""The audit's verdicts on right and wrong checkpoints, in every format."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

import assets
from engine import Engine, EngineConfig, Sampling
from engine.bench.random_model import random_model
from engine.config import StateFormat, WeightFormat
from engine.run.core import Core
from engine.run.verify import (
    BY_DTYPE,
    BY_FORMAT,
    BY_WEIGHTS,
    FLIPPED_HEADS,
    FLIPPED_ROWS,
    FLIPPED_STRETCH,
    HARMLESS,
    HARMLESS_KL,
    Bound,
    Comparison,
    Distance,
    Held,
    compare,
    distance,
    judge,
    rounding_of,
)
from engine.verdict import Verdict
from tests.engine.run.conftest import TINY, ids
from tests.engine.run.wrong_states import PLANTS, Plant
from tests.engine.test_formats import KINDS
from tests.present import present

DEMO = Path(assets.__file__).parent / "demo_model"
BOUND = Bound(0.1, 0.05, 0.01)
FLIPPING = replace(BOUND, outliers=math.inf)
ROUNDED = replace(BOUND, outliers=0.6)
SAME = Comparison(0.0, 0.0, 0.0, same_top=True, behind=0.0, bit_equal=True)
CLOSE = replace(SAME, relative=0.01, kl=0.001, bit_equal=False)
NEAR = Distance(equal=False, largest=0.05, heads=0.01, rows=0.01, stretch=0.01)
# One token was routed to another expert.
FLIPPED = replace(NEAR, largest=0.9, heads=0.3)
BEYOND = replace(NEAR, largest=0.2)
FAR = Distance(equal=False, largest=1.2, heads=1.1, rows=1.1, stretch=1.1)
TIE = replace(CLOSE, kl=0.02, same_top=False, behind=0.003)


class TestJudge:
    @pytest.mark.parametrize(
        ("apart", "seen", "bound", "status"),
        [
            (NEAR, CLOSE, BOUND, "verified"),
            (NEAR, replace(CLOSE, kl=1.5, same_top=False, behind=0.5), BOUND, "unclear"),
            (NEAR, replace(CLOSE, relative=0.4), BOUND, "unclear"),
            (FLIPPED, CLOSE, FLIPPING, "unclear"),
            (FLIPPED, CLOSE, BOUND, "quarantined"),
            (replace(FLIPPED, largest=0.5), CLOSE, ROUNDED, "unclear"),
            (replace(FLIPPED, largest=0.7), CLOSE, ROUNDED, "quarantined"),
            (replace(FLIPPED, largest=0.5, rows=0.5), CLOSE, ROUNDED, "quarantined"),
            (BEYOND, CLOSE, BOUND, "drifted"),
            (BEYOND, TIE, BOUND, "drifted"),
            (BEYOND, replace(TIE, behind=0.3), BOUND, "quarantined"),
            (BEYOND, replace(TIE, kl=2 * HARMLESS_KL), BOUND, "quarantined"),
            (replace(BEYOND, largest=1.5 * HARMLESS), CLOSE, BOUND, "quarantined"),
            (FAR, CLOSE, FLIPPING, "quarantined"),
            # Wrong KV is wrong even if the next token hardly reveals it.
            (FAR, replace(CLOSE, relative=1e-6, kl=1e-9), BOUND, "quarantined"),
            (replace(NEAR, largest=float("inf")), CLOSE, BOUND, "quarantined"),
            (replace(FLIPPED, heads=2 * FLIPPED_HEADS), CLOSE, FLIPPING, "quarantined"),
            (replace(FLIPPED, rows=2 * FLIPPED_ROWS), CLOSE, FLIPPING, "quarantined"),
            (replace(FLIPPED, stretch=2 * FLIPPED_STRETCH), CLOSE, FLIPPING, "quarantined"),
        ],
    )
    def test_the_verdict(
        self, apart: Distance, seen: Comparison, bound: Bound, status: str
    ) -> None:
        assert judge(apart, seen, bound) == status

    def test_if_bits_were_promised_nothing_else_is_verified(self) -> None:
        equal = replace(NEAR, equal=True)
        assert judge(equal, SAME, BOUND, to_the_bit=True) == "verified"
        for apart, seen in ((NEAR, SAME), (equal, CLOSE), (NEAR, CLOSE), (FLIPPED, CLOSE)):
            assert judge(apart, seen, FLIPPING, to_the_bit=True) == "drifted"
        assert judge(FAR, CLOSE, FLIPPING, to_the_bit=True) == "quarantined"


class TestNearTies:
    def rows(self, gap: float) -> tuple[torch.Tensor, torch.Tensor]:
        """Cached and cold logits whose two likeliest tokens swap over `gap`."""
        cold = torch.randn(200, generator=torch.Generator().manual_seed(3))
        cold[7], cold[8] = 10.0, 10.0 - gap
        cached = cold.clone()
        cached[7], cached[8] = 10.0 - gap / 2, 10.0
        return cached, cold

    def test_a_flipped_near_tie_is_harmless(self) -> None:
        """It used to be quarantined, however small the difference."""
        seen = compare(*self.rows(0.02))
        assert not seen.same_top
        assert seen.behind == pytest.approx(0.002, rel=1e-3)
        assert seen.kl < HARMLESS_KL
        assert judge(BEYOND, seen, BOUND) == "drifted"
        assert judge(FAR, seen, BOUND) == "quarantined"

    def test_another_choice_is_not(self) -> None:
        seen = compare(*self.rows(2.5))
        assert seen.behind == pytest.approx(0.25, rel=1e-3)
        assert judge(BEYOND, seen, BOUND) == "quarantined"


class TestDistance:
    def held(self, seed: int = 1) -> Held:
        draw = torch.Generator().manual_seed(seed)
        shapes = ((3, 4, 8, 8), (3, 3, 16), (32,), (2, 2, 40, 8), (2, 2, 40, 8))
        return Held(*(torch.randn(shape, generator=draw) for shape in shapes))

    def test_the_same(self) -> None:
        assert distance(self.held(), self.held()) == Distance(True, 0.0, 0.0, 0.0, 0.0)

    @pytest.mark.parametrize("part", ["delta", "conv", "hidden", "k", "v"])
    def test_one_bit_of_any_part_is_seen(self, part: str) -> None:
        held = self.held()
        tensor = getattr(held, part)
        tensor.view(-1)[5] = torch.nextafter(tensor.view(-1)[5], torch.tensor(9.0))
        found = distance(held, self.held())
        assert not found.equal
        assert 0 < found.largest < 1e-6

    @pytest.mark.parametrize("part", ["delta", "conv", "hidden", "k", "v"])
    @pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
    def test_a_nan_is_infinitely_far(self, part: str, wrong: float) -> None:
        held = self.held()
        getattr(held, part).view(-1)[5] = wrong
        found = distance(held, self.held())
        assert not found.equal
        assert found.largest == float("inf")

    def test_a_row_that_is_not_kept_is_not_compared(self) -> None:
        held = self.held()
        other = replace(self.held(), hidden=torch.zeros(32))
        assert not distance(held, other).equal
        assert distance(replace(held, hidden=None), other).equal

    def test_one_token_moves_the_largest_only(self) -> None:
        held = self.held()
        held.k[:, :, 20] = 7.0
        held.conv[:, 1] = -held.conv[:, 1]
        held.delta[:, 0] = 0.0
        found = distance(held, self.held())
        assert found.largest > 1
        assert (found.heads, found.rows, found.stretch) == (0.0, 0.0, 0.0)

    def test_many_tokens_move_the_others(self) -> None:
        held, zeros = self.held(), torch.zeros(())
        for first in (0, 13, 30):
            stretch = replace(held, v=held.v.clone())
            stretch.v[1, :, first : first + 10] = zeros
            assert distance(stretch, self.held()).stretch == pytest.approx(1.0)
        for tokens in (1, 3, 8, 9):
            few = replace(held, k=held.k[:, :, :tokens] * 0, v=held.v[:, :, :tokens])
            right = replace(held, k=held.k[:, :, :tokens], v=few.v)
            assert distance(few, right).stretch == pytest.approx(1.0)
        assert distance(replace(held, conv=held.conv * 0), self.held()).rows == pytest.approx(1.0)
        assert distance(replace(held, delta=held.delta * 0), self.held()).heads == pytest.approx(1)


class TestBounds:
    def test_formats_add_to_the_dtype(self) -> None:
        for dtype, plain in BY_DTYPE.items():
            assert rounding_of(dtype, "none") == plain
            for weights in ("int8", "int4"):
                wider = rounding_of(dtype, "int8", weights)
                assert wider.largest == pytest.approx(
                    plain.largest + BY_FORMAT["int8"].largest + BY_WEIGHTS[weights].largest
                )
                # The smallest difference measured for a wrong state.
                assert wider.largest < 0.4
                assert wider.kl < 0.15

    def test_routing_adds_flips_where_anything_is_rounded(self) -> None:
        assert rounding_of("float32", "none", "stored", sparse=True).outliers == 0
        assert rounding_of("float32", "int8", "stored", sparse=True).outliers == math.inf
        assert rounding_of("float32", "none", "int4", sparse=True).outliers == math.inf
        assert rounding_of("bfloat16", "none", "stored", sparse=True).outliers == math.inf
        assert rounding_of("bfloat16", "none", "stored").outliers == 0

    def test_rounded_weights_allow_for_outliers_below_those_of_wrong_states(self) -> None:
        for weights in ("int8", "int4"):
            # The smallest difference measured for a wrong state of a trained model is 0.84.
            assert 0 < rounding_of("bfloat16", "int8", weights).outliers < 0.8


# Name: kind of model, dtype, weight format, state format on the host tier.
FORMATS: dict[str, tuple[str, str, WeightFormat, StateFormat]] = {
    "float32": ("tiny", "float32", "stored", "none"),
    "bfloat16": ("tiny", "bfloat16", "stored", "none"),
    "8-bit weights": ("tiny", "bfloat16", "int8", "none"),
    "4-bit weights": ("tiny", "bfloat16", "int4", "none"),
    "states in int8": ("tiny", "bfloat16", "stored", "int8"),
    "bundled": ("demo", "bfloat16", "stored", "none"),
    "experts": ("moe", "bfloat16", "stored", "none"),
    "experts, 8-bit weights": ("moe", "bfloat16", "int8", "none"),
    "experts, 4-bit weights": ("moe", "bfloat16", "int4", "none"),
    "experts, states in int8": ("moe", "float32", "stored", "int8"),
    "other experts": ("next", "bfloat16", "stored", "none"),
}
SHAPES: dict[str, dict[str, Any]] = {"tiny": TINY | {"vocab_size": 2048}, **KINDS}
PROMPT, OTHER = ids(3, 300, 2048), ids(4, 260, 2048)
Opened = Callable[[str], Engine]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {
        kind: random_model(tmp_path_factory.mktemp(kind) / kind, shape, seed=2, dtype="bfloat16")
        for kind, shape in SHAPES.items()
    }
    return made | {"demo": DEMO}


@pytest.fixture(scope="module", params=list(FORMATS))
def engine(
    request: pytest.FixtureRequest,
    folders: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Engine]:
    """With checkpoints from prefill and decode, and from packed states if states are packed."""
    kind, dtype, weights, packed = FORMATS[request.param]
    config = EngineConfig(
        dtype=dtype,
        weights=weights,
        compression=packed,
        cache_bytes=64 << 20,
        host_bytes=0 if packed == "none" else 64 << 20,
        cache_dir=tmp_path_factory.mktemp("kept"),
        interval=64,
        decode_interval=16,
        threads=1,
    )
    with Engine.open(folders[kind], config) as opened:
        for prompt in (PROMPT, OTHER):
            list(opened.generate(prompt, Sampling(temperature=1.0, max_tokens=20, seed=1)))
        if packed != "none":
            opened.on_core(lambda core: core.cache.evict_state(1000))
            for prompt in (PROMPT, OTHER):
                opened.logits((*prompt, 11, 12))
            state = opened.probe(PROMPT).state
            assert state is not None
            assert state.stored == packed
        yield opened


def test_no_right_checkpoint_is_called_wrong(engine: Engine) -> None:
    said = [
        engine.verify(node) for node in engine.on_core(lambda core: core.cache.reader.checkpoints())
    ]
    print([(v.status, f"{v.largest:.2g}", f"{v.kl:.2g}") for v in said if v is not None])
    assert {v.status for v in said if v is not None} <= {"verified", "unclear"}
    model = engine.on_core(lambda core: core.model)
    if model.config.experts is None and model.weights == "stored":
        assert {v.status for v in said if v is not None} == {"verified"}
    assert any(v is not None and v.status == "verified" for v in said)
    engine.check_invariants()


@pytest.mark.parametrize("plant", PLANTS, ids=[plant.__name__ for plant in PLANTS])
def test_every_planted_wrong_one_is_quarantined(engine: Engine, plant: Plant) -> None:
    verdict = engine.on_core(lambda core: planted(core, plant))
    print(f"{verdict.largest:.2g} {verdict.kl:.2g}")
    assert verdict.status == "quarantined", verdict


def planted(core: Core, plant: Plant) -> Verdict:
    """The verdict on a corrupted state, which is then restored."""
    held, other = (
        core.cache.reader.holding(present(core.cache.reader.probe([*prompt, 1]).checkpoint).node)
        for prompt in (PROMPT, OTHER)
    )
    states = [
        tuple(p.clone() for p in core.store.states.parts(s)) for s in range(core.store.states.slots)
    ]
    kv = [layer.clone() for layer in core.store.kv.parts]
    node = core.cache.reader.probe([*PROMPT, 1]).checkpoint
    assert node is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core.store.tiers, "stamp", lambda node, verdict, **_: None)
        try:
            plant(core, held, other)
            verdict = core._audits.verifier._verify(node.node, lambda: False, brief=False)
        finally:
            for slot, parts in enumerate(states):
                for target, source in zip(core.store.states.parts(slot), parts, strict=True):
                    target.copy_(source)
            for layer, source in zip(core.store.kv.parts, kv, strict=True):
                layer.copy_(source)
    assert verdict is not None
    return verdict
