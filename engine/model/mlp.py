"""The dense feed-forward layer."""

from __future__ import annotations

from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.few_rows import DeviceRun
from engine.model.layer import Fused, LayerSource, RunContext, Shapes
from kernels.matmul import Matrix, fields_of, project_few
from kernels.native.layers import NormBefore, fused_mlp
from kernels.swiglu import swiglu, swiglu_wide


class DenseMlp:
    """down(SiLU(gate(x)) * up(x)), gate and up as one matrix.

    Source: Qwen3_5MLP in transformers' modeling_qwen3_5.py.
    """

    def __init__(self, config: ModelConfig, source: LayerSource, index: int) -> None:
        self._gate_up = source.matrix("mlp.gate_proj.weight", "mlp.up_proj.weight")
        self._down = source.matrix("mlp.down_proj.weight")

    @classmethod
    def shapes(cls, config: ModelConfig) -> Shapes:
        return gated_shapes("mlp.", config.intermediate_size, config.hidden_size)

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        return gated(x, self._gate_up, self._down)

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        return gated_few(x.unsqueeze(0), self._gate_up, self._down)[0]

    def few(self, x: Tensor, run: DeviceRun) -> Tensor:
        return gated_few(x, self._gate_up, self._down)

    def fused(self, norm: NormBefore) -> Fused | None:
        """See Fusable."""
        whole = fused_mlp(norm, fields_of(self._gate_up), fields_of(self._down))
        if whole is None:
            return None
        return lambda x, run: whole(x, x, alone=bool(run.apart))

    def whole(self, norm: NormBefore) -> Fused | None:
        """See Whole."""
        layer = fused_mlp(norm, fields_of(self._gate_up), fields_of(self._down))
        return None if layer is None or not layer.takes_many else lambda x, run: layer(x, x)

    def tensors(self) -> tuple[Tensor, ...]:
        return (*self._gate_up.tensors(), *self._down.tensors())


def gated_shapes(prefix: str, wide: int, narrow: int) -> Shapes:
    """Names and shapes of a gated feed-forward layer in the file."""
    return {
        f"{prefix}gate_proj.weight": (wide, narrow),
        f"{prefix}up_proj.weight": (wide, narrow),
        f"{prefix}down_proj.weight": (narrow, wide),
    }


def gated(x: Tensor, gate_up: Matrix, down: Matrix) -> Tensor:
    """down(SiLU(gate(x)) * up(x)) of rows x [tokens, hidden]."""
    return down.project(swiglu(gate_up.project(x)))


def gated_few(x: Tensor, gate_up: Matrix, down: Matrix) -> Tensor:
    """The same for 1 to 16 rows [rows, hidden], each with the bits that it has alone."""
    return project_few(down, swiglu_wide(project_few(gate_up, x)))
