"""The gated activation in float32: the reference for the fast version."""

from __future__ import annotations

from torch import Tensor


def swiglu(gate_up: Tensor) -> Tensor:
    """SiLU of the first half of the last dimension times the second half; float32."""
    gate, up = gate_up.float().chunk(2, dim=-1)
    return gate * gate.sigmoid() * up
