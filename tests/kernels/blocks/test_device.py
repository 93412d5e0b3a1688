"""Matrices of blocks on a device against the weights that they stand for."""

from __future__ import annotations

import pytest
import torch

from kernels.blocks import block_matrix
from kernels.blocks.matrix import JoinedMatrix, device_blocks
from kernels.matmul import stays_on_device
from kernels.matmul import triton as quant
from kernels.matmul.triton import DeviceMatrix
from tests.kernels.blocks.stored import NAMES, stored
from tests.kernels.conftest import DEVICE, Compare, Draw, Move

# Below, at and above a program's rows; inputs within one read, exactly one, and beyond several.
SHAPES = [(1, 256), (4, 512), (9, 1280)]
CPU = torch.device("cpu")


@pytest.mark.parametrize("name", NAMES)
class TestProducts:
    @pytest.mark.parametrize("shape", SHAPES, ids=str)
    @pytest.mark.parametrize("rows", [1, 6])
    def test_equal_the_dense_product(
        self,
        draw: Draw,
        assert_close: Compare,
        on: Move,
        name: str,
        shape: tuple[int, int],
        rows: int,
        dtype: torch.dtype,
    ) -> None:
        weight = stored(name, *shape)
        x = draw(rows, shape[1]).to(dtype)
        found = device_blocks(weight, DEVICE).project(on(x)).cpu()
        assert found.dtype == dtype
        assert_close(found, x.float() @ weight.dense().mT, dtype)

    def test_opened_weights_are_the_stored_ones_to_the_bit(self, on: Move, name: str) -> None:
        weight = stored(name, 11, 512)
        opened = on(torch.empty(4, 512))
        device_blocks(weight, DEVICE)._open(5, opened)
        assert torch.equal(opened.cpu(), weight.dense()[5:9])

    def test_inputs_are_those_of_the_order(
        self, draw: Draw, assert_close: Compare, on: Move, name: str
    ) -> None:
        weight, order = stored(name, 9, 512), torch.randperm(16)
        matrix, x = device_blocks(weight, DEVICE, order), draw(3, 512)
        moved = weight.dense().unflatten(1, (16, 32))[:, order].flatten(1)
        assert_close(matrix.project(on(x)).cpu(), x @ moved.mT, torch.float32)
        assert_close(matrix.project_row(on(x[0])).cpu(), moved @ x[0], torch.float32)

    def test_another_groups_scales_would_show(
        self, draw: Draw, refuses: Compare, on: Move, name: str
    ) -> None:
        weight, x = stored(name, 8, 256), draw(256)
        found = device_blocks(weight, DEVICE).project_row(on(x)).cpu()
        for wrong in (weight.dense().roll(1, 0), weight.dense().roll(16, 1)):
            refuses(found, wrong @ x, torch.float32)


@pytest.mark.parametrize("block", [1, 7, 64])
def test_blocks_do_not_change_a_result(
    draw: Draw, assert_close: Compare, on: Move, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    weight, x = stored("Q5_K", 23, 256), draw(3, 256)
    monkeypatch.setattr(quant, "OPEN_WEIGHTS", 256 * block)
    found = device_blocks(weight, DEVICE).project(on(x)).cpu()
    assert_close(found, x @ weight.dense().mT, torch.float32)


def test_a_graph_can_hold_it_alone_and_with_others() -> None:
    matrix = device_blocks(stored("Q4_K", 8, 256), DEVICE)
    assert stays_on_device(matrix)
    assert stays_on_device(JoinedMatrix([matrix, matrix]))
    assert not stays_on_device(JoinedMatrix([matrix, block_matrix(stored("Q8_0", 8, 256), CPU)]))


def test_off_the_cpu_it_is_chosen() -> None:
    matrix = block_matrix(stored("Q4_K", 8, 256), torch.device("meta"))
    assert isinstance(matrix, DeviceMatrix)
    assert {part.device.type for part in matrix.tensors()} == {"meta"}
