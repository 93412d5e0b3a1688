"""The machine's rates: all of them are there, and a floor takes the right one."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import torch

from engine.bench import machine
from engine.bench.machine import (
    INNER,
    OUTER,
    Effort,
    GemmRate,
    MachineRates,
    all_threads,
    faster,
    gemm_rate,
    measure_machine,
)
from kernels.cpu import fast_bfloat16
from kernels.native.library import SWITCH, TORCH, library

CPU = torch.device("cpu")


def rates(int8: tuple[GemmRate, ...] | None) -> MachineRates:
    return MachineRates(
        device="cpu",
        threads=2,
        read_bytes_s=28e9,
        copy_bytes_s=26e9,
        bfloat16=(GemmRate(512, 2.0e12), GemmRate(1024, 2.2e12), GemmRate(2048, 1.9e12)),
        float32=(GemmRate(512, 0.3e12),),
        int8=int8,
    )


class TestMeasuring:
    def test_every_rate_is_positive_and_has_its_rows(self, little: Effort) -> None:
        found = measure_machine(CPU, 1, little)
        assert (found.device, found.threads) == ("cpu", 1)
        assert found.read_bytes_s > 0
        assert found.copy_bytes_s > 0
        for products in (found.bfloat16, found.float32, found.int8 or ()):
            assert all(rate.flop_s > 0 for rate in products)
        assert [rate.rows for rate in found.bfloat16] == [16, 32]
        assert [rate.rows for rate in found.float32] == [16, 32]

    def test_the_threads_of_the_caller_come_back(self, little: Effort) -> None:
        before = torch.get_num_threads()
        measure_machine(CPU, before + 1, little)
        assert torch.get_num_threads() == before

    def test_a_build_without_the_int8_operator_and_without_the_kernels_gives_none(
        self, little: Effort, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(torch.ops, "onednn", object())
        monkeypatch.setenv(SWITCH, TORCH)
        library.cache_clear()
        try:
            assert measure_machine(CPU, 1, little).int8 is None
        finally:
            monkeypatch.undo()
            library.cache_clear()

    def test_the_fastest_way_to_read_and_to_multiply_counts(
        self, little: Effort, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Seconds are made up: the last way of each measurement is the fastest."""
        seconds = itertools.count(1000, -1)
        monkeypatch.setattr("engine.bench.machine._fastest", lambda *_: float(next(seconds)))
        found = measure_machine(CPU, 1, little)
        ways = 4 if library() else 3
        assert found.read_bytes_s == pytest.approx(little.read_bytes / (1001 - ways))
        after_copy = 1000 - ways - 1
        flops = 2 * 16 * INNER * OUTER
        # Biplane's product, then PyTorch's where the processor has it.
        products = 2 if fast_bfloat16() else 1
        assert found.bfloat16[0].flop_s == pytest.approx(flops / (after_copy + 1 - products))

    def test_zero_threads_are_the_cores(self) -> None:
        assert all_threads(3) == 3
        assert all_threads(0) >= 1


class TestTwoMeasurements:
    def test_the_faster_figure_of_each_counts(self) -> None:
        slow, fast = GemmRate(512, 1e12), GemmRate(512, 4e12)
        first = replace(rates((fast,)), read_bytes_s=14e9, float32=(GemmRate(512, 0.4e12),))
        found = faster(first, replace(rates((slow,)), copy_bytes_s=20e9))
        assert (found.read_bytes_s, found.copy_bytes_s) == (28e9, 26e9)
        assert found.float32 == (GemmRate(512, 0.4e12),)
        assert found.int8 == (fast,)
        assert found.bfloat16 == first.bfloat16

    def test_without_the_operator_there_is_still_none(self) -> None:
        assert faster(rates(None), rates(None)).int8 is None


class TestTheRateOfAFloor:
    def test_stored_weights_take_the_fastest_of_their_dtype(self) -> None:
        found = rates((GemmRate(512, 4.6e12),))
        assert gemm_rate(found, "bfloat16", "stored") == 2.2e12
        assert gemm_rate(found, "float32", "stored") == 0.3e12

    def test_fewer_bits_may_take_the_int8_products(self) -> None:
        found = rates((GemmRate(512, 4.6e12),))
        assert gemm_rate(found, "bfloat16", "int8") == 4.6e12
        assert gemm_rate(found, "bfloat16", "int4") == 4.6e12

    def test_without_or_with_slow_int8_products_the_dtype_is_the_floor(self) -> None:
        assert gemm_rate(rates(None), "bfloat16", "int8") == 2.2e12
        assert gemm_rate(rates((GemmRate(512, 1e12),)), "bfloat16", "int8") == 2.2e12


def test_products_that_the_processor_does_not_have_are_not_asked_of_pytorch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would compute them one by one: the measurement took many minutes with AVX2 alone."""

    def never() -> machine.Prepared:
        raise AssertionError("PyTorch's 8-bit products were measured")

    monkeypatch.setattr(machine, "fast_int8", lambda: False)
    monkeypatch.setattr(machine, "fast_bfloat16", lambda: False)
    monkeypatch.setattr(machine, "_onednn_int8", never)
    effort = machine.Effort(read_bytes=1 << 20, rows=(17,), repeats=1)
    rates = machine.measure_machine(torch.device("cpu"), 1, effort)
    assert all(rate.flop_s > 0 for rate in (*rates.bfloat16, *rates.float32))
