"""A family that differs from Qwen3.5 in one layer, added as CONTRIBUTING.md says."""

from torch import Tensor

from engine.model.attention_layer import AttentionLayer
from engine.model.config import DENSE, FULL, LINEAR, ModelConfig, ModelType, all_dense
from engine.model.few_rows import DeviceRun
from engine.model.layer import LayerSource, RunContext, Shapes
from engine.model.linear_layer import LinearLayer
from engine.model.loader import FamilyLayers
from kernels.matmul import project_few

UP, DOWN = "mlp.up_proj.weight", "mlp.down_proj.weight"


class SquaredMlp:
    """down(relu(up(x)) ** 2)."""

    def __init__(self, config: ModelConfig, source: LayerSource, index: int) -> None:
        self._up, self._down = source.matrix(UP), source.matrix(DOWN)

    @classmethod
    def shapes(cls, config: ModelConfig) -> Shapes:
        wide, narrow = config.intermediate_size, config.hidden_size
        return {UP: (wide, narrow), DOWN: (narrow, wide)}

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        return self._down.project(self._up.project(x).relu().square())

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        return self._down.project_row(self._up.project_row(x).relu().square())

    def few(self, x: Tensor, run: DeviceRun) -> Tensor:
        return project_few(self._down, project_few(self._up, x).relu().square())

    def tensors(self) -> tuple[Tensor, ...]:
        return (*self._up.tensors(), *self._down.tensors())


TOY_TYPE = ModelType("toy", all_dense)
TOY_LAYERS = FamilyLayers({LINEAR: LinearLayer, FULL: AttentionLayer}, {DENSE: SquaredMlp})
