"""Where there is no CUDA device, the kernels run in Triton's interpreter on CPU tensors."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.kernels.conftest import Compare

MODULES = ("attention", "conv", "delta_step", "kv_write", "norms", "quant", "sampling")
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

Move = Callable[[Tensor], Tensor]


def _reinterpret_standard_library() -> None:
    """Make Triton's own helpers interpreted too; an earlier import left them for the compiler."""
    import triton.language as tl
    from triton.runtime.interpreter import InterpretedFunction
    from triton.runtime.jit import JITFunction

    # One object per helper: the interpreter knows a sum or a maximum by identity.
    made: dict[int, InterpretedFunction] = {}
    for module in (tl.standard, tl):
        for name, member in list(vars(module).items()):
            if isinstance(member, JITFunction):
                interpreted = made.setdefault(id(member), InterpretedFunction(member.fn))
                setattr(module, name, interpreted)


def _widen_bfloat16_products() -> None:
    """The interpreter keeps bfloat16 as integers and would multiply those (Triton 3.9)."""
    import triton.language as tl
    from triton.runtime.interpreter import InterpreterBuilder

    plain = InterpreterBuilder.create_dot

    def create_dot(self: object, a: Any, b: Any, *rest: object) -> object:
        wide = [self.cast_impl(x, tl.float32) if x.dtype == tl.bfloat16 else x for x in (a, b)]  # type: ignore[attr-defined]
        return plain(self, *wide, *rest)

    InterpreterBuilder.create_dot = create_dot


def _import_interpreted() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_INTERPRET", "1")
        import triton

        # A value set in Python would hide the environment's.
        patch.delitem(vars(triton.knobs.runtime), "interpret", raising=False)
        # The first launch imports this part, and it wants to know the mode then.
        with contextlib.suppress(ImportError):
            import triton.experimental.gluon.language
        _reinterpret_standard_library()
        _widen_bfloat16_products()
        for name in MODULES:
            full = f"kernels.device.{name}"
            if full in sys.modules:
                importlib.reload(sys.modules[full])
            else:
                importlib.import_module(full)


if importlib.util.find_spec("triton") is None:
    collect_ignore_glob = ["test_*.py"]
elif DEVICE.type == "cpu":
    _import_interpreted()


@pytest.fixture(autouse=True)
def _quiet_infinities() -> Iterator[None]:
    """Like a device, without a word: numpy would warn of log2(0) and of infinity - infinity."""
    with np.errstate(divide="ignore", invalid="ignore"):
        yield


@pytest.fixture
def on() -> Move:
    """Move a tensor to where the kernels run."""
    return lambda x: x.to(DEVICE)


@pytest.fixture
def refuses(assert_close: Compare) -> Compare:
    """Assert that the comparison tells `found` from `wrong`, the answer of a planted fault."""

    def check(found: Tensor, wrong: Tensor, dtype: torch.dtype) -> None:
        with pytest.raises(AssertionError, match="of the largest value"):
            assert_close(found, wrong, dtype)

    return check
