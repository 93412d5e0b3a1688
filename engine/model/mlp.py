"""The dense feed-forward layer."""

from __future__ import annotations

from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.layer import LayerSource, Shapes
from engine.model.run_context import RunContext
from kernels.linear import project, project_row
from kernels.swiglu import swiglu, swiglu_row


class DenseMlp:
    """down(SiLU(gate(x)) * up(x)), gate and up as one matrix.

    Source: Qwen3_5MLP in transformers' modeling_qwen3_5.py.
    """

    def __init__(self, config: ModelConfig, source: LayerSource, index: int) -> None:
        self._gate_up = source.weight("mlp.gate_proj.weight", "mlp.up_proj.weight")
        self._down = source.weight("mlp.down_proj.weight")

    @classmethod
    def shapes(cls, config: ModelConfig) -> Shapes:
        wide, narrow = config.intermediate_size, config.hidden_size
        return {
            "mlp.gate_proj.weight": (wide, narrow),
            "mlp.up_proj.weight": (wide, narrow),
            "mlp.down_proj.weight": (narrow, wide),
        }

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        return project(swiglu(project(x, self._gate_up)), self._down)

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        return project_row(swiglu_row(project_row(x, self._gate_up)), self._down)

    def tensors(self) -> tuple[Tensor, ...]:
        return (self._gate_up, self._down)
