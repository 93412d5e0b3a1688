"""One grid of shapes for every kernel test, poisoned allocations and seeded inputs."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from kernels.native.compile import levels
from kernels.native.library import Library, library
from tests.kernels.interpreter import import_interpreted

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
LENGTHS = (1, 2, 3, 63, 64, 65, 127, 200, 1000)
DTYPES = (torch.float32, torch.bfloat16)

Draw = Callable[..., Tensor]
Move = Callable[[Tensor], Tensor]
Compare = Callable[[Tensor, Tensor, torch.dtype], None]

if importlib.util.find_spec("triton") is None:
    needing_it = ("triton", "compiles", "decode_step", "on_device")
    collect_ignore_glob = [f"*test_{name}.py" for name in needing_it]
elif DEVICE.type == "cpu":
    import_interpreted()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    grids = {
        "tokens": (LENGTHS, [f"T{n}" for n in LENGTHS]),
        "repeat": ((1, 2, 3), [f"group{n}x" for n in (1, 2, 3)]),
        "kernel": ((3, 4), ["conv3", "conv4"]),
        "dtype": (DTYPES, ["fp32", "bf16"]),
    }
    for name, (values, ids) in grids.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, values, ids=ids)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def _poisoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill torch.empty with NaN, so that reading what was never written is caught."""
    plain = torch.empty

    def empty(*args: Any, **options: Any) -> Tensor:
        made: Tensor = plain(*args, **options)
        return made.fill_(float("nan")) if made.is_floating_point() else made

    monkeypatch.setattr(torch, "empty", empty)


@pytest.fixture
def draw() -> Draw:
    """Seeded standard normal tensors: draw(*shape)."""
    generator = torch.Generator().manual_seed(20)
    return lambda *shape: torch.randn(*shape, generator=generator)


@pytest.fixture
def assert_close() -> Compare:
    """Compare with a float32 reference: 2e-5 of its largest value, or bfloat16's rounding."""

    def check(found: Tensor, expected: Tensor, dtype: torch.dtype) -> None:
        assert found.shape == expected.shape
        assert torch.isfinite(found).all()
        bound = 2e-5 if dtype == torch.float32 else 2e-2
        error = (found.float() - expected).abs().max() / expected.abs().max().clamp_min(1e-6)
        assert error <= bound, f"off by {error:.2e} of the largest value"

    return check


@pytest.fixture(autouse=True)
def _quiet_infinities() -> Iterator[None]:
    """Silent, like a device: numpy would warn about log2(0) and infinity - infinity."""
    with np.errstate(divide="ignore", invalid="ignore"):
        yield


LOADED = library()
LEVELS = [name for name in levels() if LOADED and LOADED.call.biplane_use_level(name.encode())]


@pytest.fixture(params=LEVELS or ["none"])
def native(request: pytest.FixtureRequest) -> Iterator[Library]:
    """The kernels in C, once at each level of instructions that this processor can run."""
    if LOADED is None:
        pytest.skip("the kernels in C are not compiled: python -m kernels.native.compile")
    assert LOADED.call.biplane_use_level(request.param.encode())
    yield Library(LOADED.call, request.param)
    LOADED.call.biplane_use_level(LOADED.level.encode())
    LOADED.call.biplane_limit_threads(0)


@pytest.fixture
def on() -> Move:
    """Move a tensor to where the kernels run."""
    return lambda x: x.to(DEVICE)


@pytest.fixture
def refuses(assert_close: Compare) -> Compare:
    """Assert that the comparison tells `found` from `wrong`, the result of a planted fault."""

    def check(found: Tensor, wrong: Tensor, dtype: torch.dtype) -> None:
        with pytest.raises(AssertionError, match="of the largest value"):
            assert_close(found, wrong, dtype)

    return check
