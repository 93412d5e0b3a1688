"""The largest logits against `torch.topk`."""

import pytest
import torch

from kernels.sampling import largest


@pytest.mark.parametrize("vocab", [1, 15, 16, 17, 63, 64, 65, 5003])
@pytest.mark.parametrize("count", [1, 2, 20, 64])
def test_the_same_as_topk(vocab: int, count: int) -> None:
    torch.manual_seed(vocab)
    logits, count = torch.randn(vocab), min(count, vocab)
    values, ids = largest(logits, count)
    expected, places = torch.topk(logits, count)
    assert torch.equal(values, expected)
    assert torch.equal(ids, places)


def test_equal_logits_come_in_the_order_of_their_ids() -> None:
    values, ids = largest(torch.tensor([1.0, 3.0, 3.0, 2.0, 3.0, 2.0]), 5)
    assert values.tolist() == [3.0, 3.0, 3.0, 2.0, 2.0]
    assert sorted(ids.tolist()[:3]) == [1, 2, 4]
    assert sorted(ids.tolist()[3:]) == [3, 5]


@pytest.mark.parametrize("at", [0, 40, 64])
def test_a_nan_comes_first(at: int) -> None:
    logits = torch.arange(65.0)
    logits[at] = torch.nan
    assert largest(logits, 3)[0][0].isnan()


def test_minus_infinity_is_a_number_like_others() -> None:
    logits = torch.full((20,), -torch.inf)
    logits[7] = 1.0
    values, ids = largest(logits, 2)
    assert values.tolist() == [1.0, -torch.inf]
    assert ids[0] == 7


def test_nothing_past_the_end_is_read() -> None:
    whole = torch.full((128,), torch.inf)
    whole[:65] = torch.arange(65.0)
    assert largest(whole[:65], 2)[1].tolist() == [64, 63]
