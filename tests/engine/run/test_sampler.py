"""The sampler: exact edge cases, and the frequencies of random draws."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
import torch

from engine.config import Sampling
from engine.errors import ModelError
from engine.run.sampler import FIRST_CANDIDATES, Sampler

CPU = torch.device("cpu")
PLAIN = Sampling(temperature=1.0, top_k=0, top_p=1.0, seed=3)
DRAWS = 4000


def sampler(sampling: Sampling, prompt: Sequence[int] = ()) -> Sampler:
    return Sampler(sampling, prompt, CPU)


def shares(sampling: Sampling, logits: torch.Tensor, prompt: Sequence[int] = ()) -> torch.Tensor:
    drawn = sampler(sampling, prompt)
    counts = torch.zeros(len(logits), dtype=torch.float64)
    for _ in range(DRAWS):
        counts[drawn.next(logits)] += 1
    return counts / DRAWS


def close(given: torch.Tensor, wanted: torch.Tensor) -> bool:
    """Within five standard errors."""
    wanted = wanted.double()
    error = (wanted * (1 - wanted) / DRAWS).sqrt()
    return bool(((given - wanted).abs() <= 5 * error + 1e-12).all())


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def logits() -> torch.Tensor:
    return torch.tensor([0.5, 2.0, -1.0, 1.0, 1.5, -math.inf])


class TestGreedy:
    def test_takes_the_likeliest(self, logits: torch.Tensor) -> None:
        assert sampler(Sampling.greedy()).next(logits) == 1

    def test_changes_nothing(self, logits: torch.Tensor) -> None:
        before = logits.clone()
        drawn = sampler(Sampling(repetition_penalty=2.0, presence_penalty=1.0, seed=1), [1])
        for _ in range(3):
            drawn.next(logits)
        assert torch.equal(logits, before)

    @pytest.mark.parametrize("sampling", [replace(PLAIN, top_k=1), replace(PLAIN, top_p=0.0)])
    def test_narrow_settings_are_greedy(self, logits: torch.Tensor, sampling: Sampling) -> None:
        assert {sampler(replace(sampling, seed=s)).next(logits) for s in range(50)} == {1}

    def test_tiny_temperature_does_not_overflow(self, logits: torch.Tensor) -> None:
        for top_k in (0, 3):
            cold = replace(PLAIN, temperature=1e-30, top_k=top_k)
            assert sampler(cold).next(logits * 1e6) == 1


class TestShares:
    def test_plain_softmax(self, logits: torch.Tensor) -> None:
        assert close(shares(PLAIN, logits), torch.softmax(logits, 0))

    def test_temperature(self, logits: torch.Tensor) -> None:
        warm = replace(PLAIN, temperature=2.5)
        assert close(shares(warm, logits), torch.softmax(logits / 2.5, 0))

    def test_top_k(self, logits: torch.Tensor) -> None:
        kept = torch.full_like(logits, -math.inf)
        kept[[1, 4]] = logits[[1, 4]]
        assert close(shares(replace(PLAIN, top_k=2), logits), torch.softmax(kept, 0))

    def test_top_k_larger_than_the_vocabulary(self, logits: torch.Tensor) -> None:
        assert close(shares(replace(PLAIN, top_k=99), logits), torch.softmax(logits, 0))

    def test_min_p(self, logits: torch.Tensor) -> None:
        share = torch.softmax(logits, 0)
        kept = torch.where(share >= 0.3 * share.max(), logits, -math.inf)
        assert int(kept.isfinite().sum()) == 3
        assert close(shares(replace(PLAIN, min_p=0.3), logits), torch.softmax(kept, 0))

    def test_top_p_keeps_the_smallest_set_that_reaches_it(self) -> None:
        share = torch.tensor([0.5, 0.25, 0.15, 0.1])
        for top_p, kept in ((0.1, 1), (0.49, 1), (0.51, 2), (0.74, 2), (0.76, 3), (0.99, 4)):
            drawn = shares(replace(PLAIN, top_p=top_p), share.log())
            assert int((drawn > 0).sum()) == kept, top_p
            assert close(drawn[:kept], share[:kept] / share[:kept].sum())

    def test_top_p_counts_what_top_k_left(self) -> None:
        share = torch.tensor([0.4, 0.3, 0.2, 0.1])
        drawn = shares(replace(PLAIN, top_k=2, top_p=0.5), share.log())
        # 0.4 of 0.7 is more than half: one token remains.
        assert drawn.tolist() == [1, 0, 0, 0]

    @pytest.mark.slow
    def test_a_flat_vocabulary_needs_more_than_the_first_candidates(self) -> None:
        flat = torch.zeros(FIRST_CANDIDATES * 40)
        drawn = sampler(replace(PLAIN, top_p=0.9))
        assert len({drawn.next(flat) for _ in range(600)}) > FIRST_CANDIDATES


class TestPenalties:
    def test_repetition_divides_positive_and_multiplies_negative(self) -> None:
        greedy = replace(Sampling.greedy(), repetition_penalty=2.0)
        assert sampler(greedy, [0]).next(torch.tensor([3.0, 2.0])) == 1
        assert sampler(greedy, [1]).next(torch.tensor([-3.0, -2.0])) == 0

    def test_presence_counts_generated_tokens_once(self) -> None:
        drawn = sampler(replace(Sampling.greedy(), presence_penalty=1.0), [0, 0])
        logits = torch.tensor([3.0, 2.5, 1.8])
        assert [drawn.next(logits) for _ in range(4)] == [0, 1, 0, 0]

    @pytest.mark.parametrize(
        "sampling",
        [
            replace(PLAIN, repetition_penalty=1.5),
            replace(PLAIN, presence_penalty=2.0),
            replace(PLAIN, temperature=0, repetition_penalty=1.5, presence_penalty=0.7),
        ],
    )
    def test_an_answer_that_goes_on_is_penalised_as_in_one_go(
        self, logits: torch.Tensor, sampling: Sampling
    ) -> None:
        one_go = sampler(sampling, [4])
        earlier = [one_go.next(logits) for _ in range(2)]
        going_on = Sampler(sampling, [4], CPU, earlier)
        assert torch.equal(going_on._penalised(logits), one_go._penalised(logits))
        forgetful = sampler(sampling, [4])
        assert not torch.equal(forgetful._penalised(logits), one_go._penalised(logits))

    def test_shares_with_repetition(self) -> None:
        # The prompt contains every token, so drawing one changes nothing further.
        logits = torch.tensor([1.0, -1.0, 0.5])
        drawn = shares(replace(PLAIN, repetition_penalty=2.0), logits, prompt=[0, 1, 2, 2])
        assert close(drawn, torch.softmax(torch.tensor([0.5, -2.0, 0.25]), 0))


class TestSeed:
    def test_the_same_seed_draws_the_same(self, logits: torch.Tensor) -> None:
        one, other = sampler(PLAIN), sampler(PLAIN)
        assert [one.next(logits) for _ in range(50)] == [other.next(logits) for _ in range(50)]

    def test_without_one_each_request_draws_its_own(self, logits: torch.Tensor) -> None:
        one, other = (sampler(replace(PLAIN, seed=None)) for _ in range(2))
        assert one.seed != other.seed
        again = sampler(replace(PLAIN, seed=one.seed))
        assert [one.next(logits) for _ in range(30)] == [again.next(logits) for _ in range(30)]

    @pytest.mark.parametrize("seed", [0, -1, 2**63, 2**80])
    def test_any_whole_number_is_a_seed(self, logits: torch.Tensor, seed: int) -> None:
        assert 0 <= sampler(replace(PLAIN, seed=seed)).next(logits) < 5

    def test_torchs_own_random_numbers_are_left_alone(self, logits: torch.Tensor) -> None:
        before = torch.get_rng_state()
        sampler(PLAIN).next(logits)
        assert torch.equal(torch.get_rng_state(), before)


class TestErrors:
    @pytest.mark.parametrize(
        "sampling",
        [
            Sampling.greedy(),
            PLAIN,
            replace(PLAIN, top_k=2),
            replace(PLAIN, top_p=0.5),
            replace(PLAIN, min_p=0.1),
            replace(PLAIN, repetition_penalty=1.5, presence_penalty=1.0),
        ],
    )
    @pytest.mark.parametrize("bad", [math.nan, math.inf])
    def test_a_nan_is_a_sentence(self, sampling: Sampling, bad: float) -> None:
        logits = torch.zeros(500)
        logits[400] = bad
        with pytest.raises(ModelError, match="not a number"):
            sampler(sampling, [1]).next(logits)

    def test_no_finite_logit_at_all(self) -> None:
        with pytest.raises(ModelError, match="not a number"):
            sampler(PLAIN).next(torch.full((9,), -math.inf))


def test_a_zero_weight_is_never_drawn() -> None:
    logits = torch.tensor([-math.inf, 0.0, -math.inf, 0.0, -math.inf])
    drawn = sampler(PLAIN)
    assert {drawn.next(logits) for _ in range(500)} == {1, 3}


def test_a_large_vocabulary_is_quick() -> None:
    logits = torch.randn(248_320, generator=torch.Generator().manual_seed(1)) * 3
    drawn = sampler(Sampling(seed=1), range(10_000))
    drawn.next(logits)
    took = []
    for _ in range(10):
        start = time.perf_counter()
        drawn.next(logits)
        took.append(time.perf_counter() - start)
    # A decode step of the smallest model takes 50 ms.
    assert min(took) < 0.01, took
