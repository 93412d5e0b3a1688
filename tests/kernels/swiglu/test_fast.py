"""SwiGLU against its plain form."""

from __future__ import annotations

from kernels.swiglu import plain as reference
from kernels.swiglu import swiglu, swiglu_row


class TestSwiGlu:
    def test_equals_the_reference(self, draw, assert_close, tokens, dtype):
        x = draw(tokens, 20).to(dtype)
        assert_close(swiglu(x), reference.swiglu(x), dtype)

    def test_one_row(self, draw, assert_close, dtype):
        x = draw(20).to(dtype)
        assert_close(swiglu_row(x), reference.swiglu(x), dtype)
