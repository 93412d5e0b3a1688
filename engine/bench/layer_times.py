"""Where a prefill's time goes: seconds per kind of layer, measured by wrappers around layers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from torch import Tensor

from engine.bench.machine import seconds, settle
from engine.message import PromptOptions
from engine.model.config import FULL
from engine.model.hybrid import HybridModel
from engine.model.layer import Layer
from engine.model.run_context import RunContext
from engine.run.core import Core

Result = TypeVar("Result")
Timing = Callable[[Tensor, RunContext], Result]
KINDS = ("linear", "attention", "mlp")


@dataclass(frozen=True, slots=True)
class LayerTimes:
    """Milliseconds of prefill per token.

    Attributes:
        linear, attention: the linear layers and the full-attention layers, projections included.
        mlp: the feed-forward layers.
        rest: norms and residuals between them, embedding, head, and the engine around the model.
    """

    linear_ms: float
    attention_ms: float
    mlp_ms: float
    rest_ms: float


@dataclass(slots=True)
class Stopwatch:
    """Seconds by kind of layer."""

    taken: dict[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 0.0))

    def timed(self, kind: str, call: Callable[[Tensor, RunContext], Result]) -> Timing[Result]:
        """The call, its time added to a kind."""

        def run(x: Tensor, context: RunContext) -> Result:
            settle(x.device)
            began = time.perf_counter()
            out = call(x, context)
            settle(x.device)
            self.taken[kind] += time.perf_counter() - began
            return out

        return run


class Timed:
    """A wrapper that adds the time of a layer's calls to a stopwatch."""

    def __init__(self, layer: Layer, kind: str, watch: Stopwatch) -> None:
        self._layer, self._kind, self._watch = layer, kind, watch

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        return self._watch.timed(self._kind, self._layer.forward)(x, run)

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        return self._watch.timed(self._kind, self._layer.step)(x, run)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layer, name)


@contextmanager
def timed_layers(model: HybridModel) -> Iterator[Stopwatch]:
    """Wrap every layer of `model` until the end of the block."""
    watch = Stopwatch()
    plain = [
        (block, block._mixer, block._whole_mixer, block._mlp, block._whole_mlp)
        for block in model._blocks
    ]
    try:
        for (block, mixer, whole_mixer, mlp, whole_mlp), layer in zip(
            plain, model.config.layer_types, strict=True
        ):
            kind = "attention" if layer == FULL else "linear"
            block._mixer = Timed(mixer, kind, watch)  # type: ignore[assignment]
            block._whole_mixer = whole_mixer and watch.timed(kind, whole_mixer)
            block._mlp = Timed(mlp, "mlp", watch)  # type: ignore[assignment]
            block._whole_mlp = whole_mlp and watch.timed("mlp", whole_mlp)
        yield watch
    finally:
        for block, mixer, whole_mixer, mlp, whole_mlp in plain:
            block._mixer, block._whole_mixer = mixer, whole_mixer
            block._mlp, block._whole_mlp = mlp, whole_mlp


def prefill_times(core: Core, ids: tuple[int, ...]) -> LayerTimes:
    """Run a prompt without the cache and time every layer."""
    with timed_layers(core.model) as watch:
        whole = seconds(lambda: core.logits(ids, False, PromptOptions()), core.model.device)
    each = {kind: 1e3 * taken / len(ids) for kind, taken in watch.taken.items()}
    rest = 1e3 * whole / len(ids) - sum(each.values())
    return LayerTimes(each["linear"], each["attention"], each["mlp"], rest)
