"""SwiGLU against its plain version."""

from __future__ import annotations

import torch

from kernels.swiglu import plain as reference
from kernels.swiglu import swiglu, swiglu_wide
from tests.kernels.conftest import Compare, Draw


class TestSwiGlu:
    def test_equals_the_reference(
        self, draw: Draw, assert_close: Compare, tokens: int, dtype: torch.dtype
    ) -> None:
        x = draw(tokens, 20).to(dtype)
        assert_close(swiglu(x), reference.swiglu(x), dtype)

    def test_one_row(self, draw: Draw, assert_close: Compare, dtype: torch.dtype) -> None:
        x = draw(20).to(dtype)
        assert_close(swiglu_wide(x), reference.swiglu(x), dtype)
