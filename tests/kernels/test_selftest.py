"""The self-test of an installed program: it passes here, and notices a kernel that is wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from kernels import selftest
from kernels.dispatch import CPU
from kernels.matmul import DenseMatrix
from kernels.norms import rms_norm
from kernels.selftest import KernelCheck, check_kernels


def failed() -> set[str]:
    return {one.name for one in check_kernels() if not one.passed}


def test_everything_agrees_here() -> None:
    checked = check_kernels()
    assert all(one.passed for one in checked)
    assert len({one.name for one in checked}) == len(checked) >= 15
    # The bounds are for rounding: nothing uses up most of one.
    assert max(one.error / one.bound for one in checked) < 0.6


def test_it_is_the_same_each_time() -> None:
    assert check_kernels() == check_kernels()


def spoilt(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """One number of its result is off, as a wrong lane of a vector would be."""

    def call(*args: object) -> Tensor:
        out = function(*args).clone()
        out.view(-1)[-1] += out.abs().max() / 2
        return out

    return call


@pytest.mark.parametrize(
    ("field", "name"), [("attend", "attention of 65 tokens"), ("sweep", "linear layer")]
)
def test_a_wrong_result_is_noticed(monkeypatch: pytest.MonkeyPatch, field: str, name: str) -> None:
    changed: dict[str, Any] = {field: spoilt(getattr(CPU, field))}
    wrong = dataclasses.replace(CPU, **changed)
    monkeypatch.setattr(selftest, "CPU", wrong)
    assert name in failed()


def test_a_wrong_product_of_one_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DenseMatrix, "project_row", spoilt(DenseMatrix.project_row))
    assert failed() == {"product of 1 row with 16-bit weights"}


def test_a_wrong_norm_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "rms_norm", spoilt(rms_norm))
    assert failed() == {"norm"}


def test_what_is_not_a_number_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "rms_norm", lambda x, *_: torch.full_like(x, float("nan")))
    assert failed() == {"norm"}
    assert not KernelCheck("x", float("nan"), 1.0).passed
