"""Sampling on the device against the engine's sampler, given the same uniform number."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from torch import Tensor

from engine.config import Sampling
from engine.run.sampler import Sampler
from kernels.sampling import sample
from tests.kernels.conftest import Draw, Move

CPU = torch.device("cpu")
VOCAB = 3000
SEEDS = range(12)
SETTINGS = [
    {"temperature": 0.7, "top_k": 20, "top_p": 0.95, "min_p": 0.0},
    {"temperature": 1.0, "top_k": 20, "top_p": 1.0, "min_p": 0.2},
    {"temperature": 1.3, "top_k": 1, "top_p": 0.5, "min_p": 0.5},
    {"temperature": 0.9, "top_k": 0, "top_p": 0.8, "min_p": 0.0},
    {"temperature": 0.9, "top_k": 0, "top_p": 0.9, "min_p": 0.05},
    {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.01},
    {"temperature": 1.0, "top_k": 1000, "top_p": 0.99, "min_p": 0.0},
    {"temperature": 1.5, "top_k": 0, "top_p": 1.0, "min_p": 0.0},
    {"temperature": 1e-3, "top_k": 20, "top_p": 0.95, "min_p": 0.0},
    {"temperature": 0.7, "top_k": 20, "top_p": 0.0, "min_p": 1.0},
    {"temperature": 0.0, "top_k": 20, "top_p": 0.95, "min_p": 0.0},
]
# Keeps all candidates, even those without weight.
OPEN = {"temperature": 1.0, "top_k": 20, "top_p": 1.0, "min_p": 0.0}


def uniform_of(seed: int) -> torch.Tensor:
    """The first number that a sampler with this seed draws."""
    return torch.rand((), dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def engine_tokens(logits: Tensor, setting: dict[str, Any]) -> list[int]:
    return [Sampler(Sampling(seed=seed, **setting), (), CPU).next(logits) for seed in SEEDS]


def device_tokens(logits: Tensor, setting: dict[str, Any], on: Move) -> list[int]:
    return [int(sample(on(logits), uniform=on(uniform_of(seed)), **setting)) for seed in SEEDS]


class TestSample:
    @pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: "-".join(map(str, s.values())))
    @pytest.mark.parametrize("spread", [1.0, 4.0], ids=["flat", "peaked"])
    def test_chooses_what_the_engine_chooses(
        self, draw: Draw, on: Move, setting: dict[str, Any], spread: float
    ) -> None:
        logits = draw(VOCAB) * spread
        if setting["top_k"] == 0 and (setting["top_p"] < 1 or setting["min_p"] > 0):
            # A flat distribution would keep more candidates than the device considers.
            logits = logits * 2
        assert device_tokens(logits, setting, on) == engine_tokens(logits, setting)

    def test_a_vocabulary_smaller_than_top_k(self, draw: Draw, on: Move) -> None:
        logits, setting = draw(7), SETTINGS[0]
        assert device_tokens(logits, setting, on) == engine_tokens(logits, setting)

    def test_the_share_of_top_p_is_of_the_whole_vocabulary(self, on: Move) -> None:
        # The likeliest has a third of the total mass, but four fifths of the candidates' mass.
        logits = torch.zeros(5000)
        logits[77] = torch.tensor(2500.0).log()
        found = {
            int(sample(on(logits), 1.0, 0, 0.4, 0.0, on(torch.tensor(u))))
            for u in (0.0, 0.3, 0.6, 0.999)
        }
        assert 77 in found
        assert len(found) > 1

    @pytest.mark.parametrize("setting", [*SETTINGS[:4], OPEN, SETTINGS[7]], ids=str)
    @pytest.mark.parametrize("edge", [0.0, 1 - 2**-53, 1.0], ids=["lowest", "highest", "rounded"])
    def test_masked_tokens_are_never_drawn(
        self, on: Move, setting: dict[str, Any], edge: float
    ) -> None:
        logits = torch.full((2000,), float("-inf"))
        logits[[5, 900]] = 1.0
        token = sample(on(logits), uniform=on(torch.tensor(edge, dtype=torch.float64)), **setting)
        assert int(token) in (5, 900)

    @pytest.mark.filterwarnings("ignore:All-NaN slice")
    @pytest.mark.parametrize("setting", [*SETTINGS[:1], *SETTINGS[7:8], SETTINGS[-1]], ids=str)
    @pytest.mark.parametrize("bad", ["nan", "inf", "-inf"])
    def test_no_usable_logit_gives_minus_one(
        self, draw: Draw, on: Move, setting: dict[str, Any], bad: str
    ) -> None:
        logits = draw(50)
        if bad == "-inf":
            logits.fill_(float(bad))
        logits[30] = float(bad)
        token = sample(on(logits), uniform=on(torch.tensor(0.5)), **setting)
        assert token.shape == (1,)
        assert token.dtype == torch.int64
        assert int(token) == -1

    def test_leaves_the_logits_alone(self, draw: Draw, on: Move) -> None:
        logits = on(draw(100))
        before = logits.clone()
        sample(logits, 0.7, 20, 0.95, 0.0, on(torch.tensor(0.5)))
        assert torch.equal(logits, before)

    def test_wrong_rules_would_show(self, draw: Draw, on: Move) -> None:
        logits = draw(VOCAB) * 2
        setting = {"temperature": 0.6, "top_k": 12, "top_p": 0.8, "min_p": 0.1}
        found = device_tokens(logits, setting, on)
        assert found == engine_tokens(logits, setting)
        changes = ({"temperature": 1.0}, {"top_k": 3}, {"top_p": 1.0}, {"min_p": 0.4})
        for change in (*changes, {"min_p": 0.0, "top_p": 0.95}):
            assert found != engine_tokens(logits, setting | change), change

    def test_bounds_belong_to_the_token_above(self, on: Move) -> None:
        logits = torch.zeros(4)
        for min_p in (0.5, 1.0):
            tokens = [
                int(sample(on(logits), 1.0, 4, 1.0, min_p, on(torch.tensor(u))))
                for u in (0.0, 0.25, 0.5, 0.75)
            ]
            assert sorted(tokens) == [0, 1, 2, 3]

    def test_frequencies_follow_the_weights(self, on: Move) -> None:
        logits = torch.tensor([3.0, 1.0, 2.0, 2.5]).log()
        steps = (torch.arange(85, dtype=torch.float64) + 0.5) / 85
        tokens = [int(sample(on(logits), 1.0, 4, 1.0, 0.0, on(u))) for u in steps]
        assert [len(list(g)) for _, g in itertools.groupby(tokens)] == [30, 25, 20, 10]
        assert list(dict.fromkeys(tokens)) == [0, 3, 2, 1]
