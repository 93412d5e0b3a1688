"""The least a token can cost: the products of its layers, and the bytes it makes memory give.

A floor counts what no implementation can avoid, so a measured speed is a share of it. Attention
scores, the delta rule, norms and the convolution are left out of the prefill's floor, which is
therefore out of reach.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torch import Tensor

from engine.model.config import ModelConfig
from engine.model.loader import body_shapes
from engine.model.sizes import ROUTED

if TYPE_CHECKING:
    from engine.model.hybrid import HybridModel

LAYERS = "layers."


@dataclass(frozen=True, slots=True)
class Work:
    """What a model must do at least.

    Attributes:
        token_flops: products of one token with every matrix outside the embedding, two operations
            for each weight; of a mixture's routed experts with those that one token chooses.
        head_flops: the same with the vocabulary head, for a row whose logits are wanted.
        weight_bytes: weights that one decoded token reads: all, without an embedding that is not
            the head too (one row of it is read) and without the experts it does not choose.
        state_bytes: recurrent states that one decoded token reads and writes.
        kv_bytes: keys and values read for each token of the context.
    """

    token_flops: int
    head_flops: int
    weight_bytes: int
    state_bytes: int
    kv_bytes: int

    def prefill_s(self, tokens: int, flop_s: float) -> float:
        """Seconds of a prompt's products; the head is wanted for its last row only."""
        return (self.token_flops * tokens + self.head_flops) / flop_s

    def decode_s(self, bytes_s: float) -> float:
        """Seconds to read the weights once."""
        return self.weight_bytes / bytes_s

    def decode_all_s(self, context: int, bytes_s: float) -> float:
        """Seconds to move weights, states and the context's keys and values once."""
        return (self.weight_bytes + self.state_bytes + self.kv_bytes * context) / bytes_s


def work_of(model: HybridModel) -> Work:
    """The work of a loaded model, its weights in the format they were loaded in."""
    config = model.config
    return Work(
        token_flops=token_flops(config),
        head_flops=2 * config.vocab_size * config.hidden_size,
        weight_bytes=read_bytes(model),
        state_bytes=2 * model.state_slot_bytes(),
        kv_bytes=model.kv_slot_bytes(),
    )


def token_flops(config: ModelConfig) -> int:
    """Operations of one token in all matrices of the layers, of routed experts in its own only."""
    experts = config.experts
    always = routed = 0
    for name, shape in body_shapes(config).items():
        if ROUTED in name:
            routed += math.prod(shape)
        elif name.startswith(LAYERS) and len(shape) == 2:
            always += math.prod(shape)
    if experts is not None:
        always += routed * experts.per_token // experts.count
    return 2 * always


def read_bytes(model: HybridModel) -> int:
    """Bytes of the weights that one decoded token reads; see `Work.weight_bytes`."""
    kept = [tensor for block in model._blocks for tensor in block.tensors()]
    always = _nbytes((*kept, model._norm, *model._head.tensors()))
    pool, experts = model.experts, model.config.experts
    if experts is None or not pool.resident:
        return always
    each = pool.used // pool.resident
    return always + each * experts.per_token * model.config.mlp_types.count("sparse")


def _nbytes(tensors: Iterable[Tensor]) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)
