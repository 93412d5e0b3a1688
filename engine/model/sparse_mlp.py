"""The sparse feed-forward layer: a router, the experts it chooses, and a shared expert."""

from __future__ import annotations

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.model.config import Experts, ModelConfig
from engine.model.expert_pool import Expert
from engine.model.few_rows import DeviceRun
from engine.model.layer import LayerSource, RunContext, Shapes
from engine.model.mlp import gated, gated_shapes

_ROUTER, _SHARED, _SHARED_GATE = (
    "mlp.gate.weight",
    "mlp.shared_expert.",
    "mlp.shared_expert_gate.weight",
)
_GATE, _DOWN = "gate_proj.weight", "down_proj.weight"
_FUSED_GATE_UP, _FUSED_DOWN = "mlp.experts.gate_up_proj", "mlp.experts.down_proj"


class SparseMlp:
    """The sum of `per_token` routed experts by their shares, plus the shared one by its gate.

    Source: Qwen3NextSparseMoeBlock in transformers' modeling_qwen3_next.py. Routing is done in
    float32: a weight rounded to bfloat16 can choose another expert. Experts of one pass run in the
    order of their numbers, each on its rows, so equal rows in equal order give equal bits.
    """

    def __init__(self, config: ModelConfig, source: LayerSource, index: int) -> None:
        assert config.experts is not None
        self._experts: Experts = config.experts
        self._index, self._source, self._pool = index, source, source.experts
        self._router = source.scale(_ROUTER)
        self._shared_gate = source.scale(_SHARED_GATE)[0]
        lead = _SHARED
        self._shared = Expert.of(
            source.matrix(f"{lead}gate_proj.weight", f"{lead}up_proj.weight"),
            source.matrix(f"{lead}down_proj.weight"),
        )
        for number in range(config.experts.count):
            if not self._pool.budget:
                self._pool.keep((index, number), self._read(number))
            elif lacks_expert(source, number):
                # Pack it into the files now and release it, or every miss would pack it again.
                self._read(number)

    @classmethod
    def shapes(cls, config: ModelConfig) -> Shapes:
        assert config.experts is not None
        hidden = config.hidden_size
        return {
            _ROUTER: (config.experts.count, hidden),
            _SHARED_GATE: (1, hidden),
            **gated_shapes(_SHARED, config.experts.shared_width, hidden),
            **expert_shapes(config, config.experts),
        }

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        wide = x.float()
        share, chosen = self._route(F.linear(wide, self._router))
        opened = torch.mv(wide, self._shared_gate).sigmoid_().unsqueeze(1)
        out = gated(x, self._shared.gate_up, self._shared.down).float().mul_(opened)
        # Rows of one expert are contiguous, in token order.
        order = chosen.flatten().argsort(stable=True)
        rows = order // self._experts.per_token
        weight = share.flatten()[order].unsqueeze(1)
        counts = torch.bincount(chosen.flatten(), minlength=self._experts.count).tolist()
        first = 0
        for number, count in enumerate(counts):
            if not count:
                continue
            part = slice(first, first + count)
            expert = self._expert(number)
            found = gated(x[rows[part]], expert.gate_up, expert.down)
            out.index_add_(0, rows[part], found.float().mul_(weight[part]))
            first += count
        return out

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        wide = x.float()
        share, chosen = self._route(torch.mv(self._router, wide))
        opened = torch.dot(wide, self._shared_gate).sigmoid_()
        out = torch.zeros_like(wide)
        self._shared.add_row(x, out, opened.unsqueeze(0))
        for weight, number in sorted(
            zip(share.split(1), chosen.tolist(), strict=True), key=_number
        ):
            self._expert(number).add_row(x, out, weight)
        return out

    def few(self, x: Tensor, run: DeviceRun) -> Tensor:
        return self.apart(x)

    def apart(self, x: Tensor) -> Tensor:
        """See Apart: an expert is read once for all rows that choose it."""
        wide = x.float()
        routed = [self._route(torch.mv(self._router, row)) for row in wide]
        opened = [torch.dot(row, self._shared_gate).sigmoid_() for row in wide]
        out = torch.zeros_like(wide)
        self._shared.add_rows(x, out, torch.stack(opened))
        by_expert: dict[int, list[tuple[int, Tensor]]] = {}
        for at, (share, chosen) in enumerate(routed):
            for weight, number in zip(share.split(1), chosen.tolist(), strict=True):
                by_expert.setdefault(number, []).append((at, weight))
        for number, users in sorted(by_expert.items()):
            rows, shares = [at for at, _ in users], torch.cat([weight for _, weight in users])
            part = out[rows]
            self._expert(number).add_rows(x[rows], part, shares)
            out[rows] = part
        return out

    def _route(self, logits: Tensor) -> tuple[Tensor, Tensor]:
        """Shares and numbers of the chosen experts, [..., per_token]."""
        share, chosen = torch.topk(logits.softmax(-1), self._experts.per_token, dim=-1)
        if self._experts.normalised:
            share = share / share.sum(-1, keepdim=True)
        return share, chosen

    def _expert(self, number: int) -> Expert:
        return self._pool.take(self._index, number, partial(self._read, number))

    def _read(self, number: int) -> Expert:
        return read_expert(self._source, number, fused=self._experts.fused)

    def tensors(self) -> tuple[Tensor, ...]:
        """The weights except the routed experts, which the pool counts."""
        shared = (*self._shared.gate_up.tensors(), *self._shared.down.tensors())
        return (self._router, self._shared_gate, *shared)


def _number(chosen: tuple[Tensor, int]) -> int:
    return chosen[1]


def expert_shapes(config: ModelConfig, experts: Experts) -> Shapes:
    """Names and shapes of a layer's routed experts in the file, fused or one by one."""
    hidden, width = config.hidden_size, experts.width
    if experts.fused:
        return {
            _FUSED_GATE_UP: (experts.count, 2 * width, hidden),
            _FUSED_DOWN: (experts.count, hidden, width),
        }
    shapes: Shapes = {}
    for number in range(experts.count):
        shapes.update(gated_shapes(f"mlp.experts.{number}.", width, hidden))
    return shapes


def read_expert(source: LayerSource, number: int, *, fused: bool) -> Expert:
    """Expert `number` of the layer, in the format of the source's maker."""
    lead = f"mlp.experts.{number}."
    gate, down = lead + _GATE, lead + _DOWN
    if not fused:
        gate_up = source.matrix(gate, lead + "up_proj.weight")
        return Expert.of(gate_up, source.matrix(down))

    def part(name: str) -> Tensor:
        return source.part(name, number).to(source.dtype)

    return Expert.of(
        source.made(gate, lambda: part(_FUSED_GATE_UP)),
        source.made(down, lambda: part(_FUSED_DOWN)),
    )


def lacks_expert(source: LayerSource, number: int) -> bool:
    """Whether reading the expert while the model loads saves work later."""
    lead = f"{source.prefix}mlp.experts.{number}."
    return source.maker.lacks(lead + _GATE) or source.maker.lacks(lead + _DOWN)
