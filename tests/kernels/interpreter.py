"""Triton's interpreter, which runs the kernels on CPU tensors where there is no CUDA device."""

from __future__ import annotations

import contextlib
import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

KERNELS = Path(__file__).parents[2] / "kernels"
MODULES = sorted(f"kernels.{path.parent.name}.triton" for path in KERNELS.glob("*/triton.py"))


def _reinterpret_standard_library() -> None:
    """Make Triton's own helpers interpreted too; an earlier import compiled them."""
    import triton.language as tl
    from triton.runtime.interpreter import InterpretedFunction
    from triton.runtime.jit import JITFunction

    # One object per helper: the interpreter identifies a sum or a maximum by object identity.
    made: dict[int, InterpretedFunction] = {}
    for module in (tl.standard, tl):
        for name, member in list(vars(module).items()):
            if isinstance(member, JITFunction):
                interpreted = made.setdefault(id(member), InterpretedFunction(member.fn))
                setattr(module, name, interpreted)


def _replace_products() -> None:
    """The interpreter stores bfloat16 as integers and would multiply those (Triton 3.9).

    Its own product is numpy's, in which a row's bits depend on the row's place in the tile on some
    processors (OpenBLAS with AVX2). On a device they do not; here rows are added up one by one.
    """
    import triton.language as tl
    from triton.runtime.interpreter import InterpreterBuilder, TensorHandle

    def create_dot(self: Any, a: Any, b: Any, total: Any, *_: object) -> object:
        wide = [self.cast_impl(x, tl.float32) if x.dtype == tl.bfloat16 else x for x in (a, b)]
        assert all(x.dtype.primitive_bitwidth > 8 for x in wide), "no 8-bit floats here"
        left, right = (x.data.astype(total.data.dtype) for x in wide)
        product = np.einsum("...ij,...jk->...ik", left, right, optimize=False)
        return TensorHandle(product + total.data, total.dtype.scalar)

    InterpreterBuilder.create_dot = create_dot


def import_interpreted() -> None:
    """Import every Triton module, reloading known ones, so that its launches are interpreted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_INTERPRET", "1")
        import triton

        # A value set in Python would override the environment's.
        patch.delitem(vars(triton.knobs.runtime), "interpret", raising=False)
        # The first launch imports this part, which reads the mode then.
        with contextlib.suppress(ImportError):
            import triton.experimental.gluon.language
        _reinterpret_standard_library()
        _replace_products()
        for name in MODULES:
            if name in sys.modules:
                importlib.reload(sys.modules[name])
            else:
                importlib.import_module(name)
