"""Cold copies of a state: their accuracy and size, and that packing twice changes nothing."""

from __future__ import annotations

import math

import pytest
import torch

from kernels.state_codec import Format, pack, packed_bytes, unpack_part

SHAPES = [(1, 1, 1, 1), (2, 3, 5, 7), (3, 16, 32, 128)]
FORMS: tuple[Format, ...] = ("none", "bfloat16", "int8")


def naive_int8(part: torch.Tensor) -> torch.Tensor:
    """Row by row, in plain Python floats."""
    rows = part.double().reshape(-1, part.shape[-1])
    out = torch.empty_like(rows)
    for at, row in enumerate(rows.tolist()):
        most = max(abs(x) for x in row)
        step = most / 127
        out[at] = torch.tensor([round(x / step) * step if step else 0.0 for x in row])
    return out.reshape(part.shape)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("size", [1e-20, 1.0, 1e20])
def test_the_error_is_what_was_measured(
    form: Format, shape: tuple[int, int, int, int], size: float
) -> None:
    generator = torch.Generator().manual_seed(3)
    part = torch.randn(shape, generator=generator) * size
    packed, error = pack({"delta": part}, form)
    found = unpack_part(packed, "delta", torch.float32)
    assert torch.isfinite(found).all()
    actual = float((found - part).abs().max() / part.abs().max())
    assert actual == pytest.approx(error, rel=1e-5, abs=1e-9)
    assert error <= {"none": 0.0, "bfloat16": 2**-8, "int8": 0.5 / 127 + 1e-6}[form]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_int8_agrees_with_the_naive_reference(shape: tuple[int, int, int, int]) -> None:
    part = torch.randn(shape, generator=torch.Generator().manual_seed(4))
    packed, _ = pack({"delta": part}, "int8")
    found = unpack_part(packed, "delta", torch.float32).double()
    # A value halfway between two steps may be rounded either way.
    step = part.abs().amax(-1, keepdim=True) / 127
    assert ((found - naive_int8(part)).abs() <= step * 1.01).all()
    assert (found - naive_int8(part)).abs().median() < 1e-6


@pytest.mark.parametrize("form", FORMS)
def test_packing_twice_changes_no_bit(form: Format, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(5)
    sizes = torch.exp(8 * torch.randn(2000, 1, generator=generator))
    part = (torch.randn(2000, 128, generator=generator) * sizes).to(dtype)
    once, _ = pack({"delta": part}, form)
    restored = unpack_part(once, "delta", dtype)
    twice, _ = pack({"delta": restored}, form)
    assert torch.equal(unpack_part(twice, "delta", dtype), restored)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("unit", [2**-149, 2**-140, 3e36], ids=["least", "subnormal", "largest"])
def test_numbers_at_the_ends_of_the_range_keep_their_sign_and_size(
    form: Format, unit: float
) -> None:
    part = torch.tensor([[113.0, -100.0, 1.0, 0.0], [0.0, -143.0 / 2, 90.0, -1.0]]) * unit
    part[0, 0] = torch.finfo(torch.float32).max if unit > 1 else 143 * unit
    packed, error = pack({"delta": part}, form)
    found = unpack_part(packed, "delta", torch.float32)
    assert torch.isfinite(found).all()
    assert (found * part.sign() >= 0).all()
    largest = float(part.abs().max())
    # Half a step of the format at that magnitude.
    bound = {"none": 0.0, "bfloat16": max(2**-8, 2**-134 / largest), "int8": 0.34}[form]
    assert error <= bound
    actual = float((found.double() - part.double()).abs().max()) / largest
    assert actual == pytest.approx(error, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("form", ["bfloat16", "int8"])
@pytest.mark.parametrize("broken", [math.nan, math.inf, -math.inf])
def test_a_broken_state_is_not_reported_as_exact(form: Format, broken: float) -> None:
    part = torch.tensor([[broken, 1.0], [2.0, 3.0]])
    assert pack({"delta": part}, form)[1] == math.inf


@pytest.mark.parametrize("form", FORMS)
def test_rows_of_zeros_stay_zero(form: Format) -> None:
    packed, error = pack({"delta": torch.zeros(2, 3)}, form)
    assert unpack_part(packed, "delta", torch.float32).count_nonzero() == 0
    assert error == 0.0


@pytest.mark.parametrize("form", FORMS)
def test_the_original_is_not_touched_or_shared(form: Format) -> None:
    part = torch.randn(3, 4, generator=torch.Generator().manual_seed(6))
    before = part.clone()
    packed, _ = pack({"delta": part}, form)
    for tensor in packed.values():
        tensor.zero_()
    assert torch.equal(part, before)


@pytest.mark.parametrize("form", FORMS)
def test_bytes_are_counted_right(form: Format) -> None:
    parts = {
        "delta": torch.randn(2, 3, 8, 16),
        "conv": torch.randn(2, 3, 10).to(torch.bfloat16),
    }
    packed, _ = pack(parts, form)
    shapes = [(tuple(part.shape), part.dtype) for part in parts.values()]
    assert packed_bytes(shapes, form) == sum(tensor.nbytes for tensor in packed.values())
