"""The minimum cost of a token: the matrix products of its layers, and the bytes it must read.

A floor counts only what no implementation can avoid, so a measured speed is a share of it. The
prefill floor omits attention scores, the delta rule, norms and the convolution, so no prefill can
reach it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torch import Tensor

from engine.model.needs import token_flops

if TYPE_CHECKING:
    from engine.model.hybrid import HybridModel


@dataclass(frozen=True, slots=True)
class Work:
    """The minimum work of a model.

    Attributes:
        token_flops: of one token's products with every matrix except the embedding, two operations
            per weight; of the routed experts, only those chosen for the token count.
        head_flops: of its product with the vocabulary head, for a row whose logits are needed.
        weight_bytes: weights read per decoded token: all except an embedding that is not also the
            head (only one of its rows is read) and the experts that are not chosen.
        state_bytes: recurrent states read and written per decoded token.
        kv_bytes: keys and values read per token of the context.
    """

    token_flops: int
    head_flops: int
    weight_bytes: int
    state_bytes: int
    kv_bytes: int

    def prefill_s(self, tokens: int, flop_s: float) -> float:
        """Seconds of a prompt's products; the head is needed for its last row only."""
        return (self.token_flops * tokens + self.head_flops) / flop_s

    def decode_s(self, bytes_s: float) -> float:
        """Seconds to read the weights once."""
        return self.weight_bytes / bytes_s

    def decode_all_s(self, context: int, bytes_s: float) -> float:
        """Seconds to move weights, states and the context's keys and values once."""
        return (self.weight_bytes + self.state_bytes + self.kv_bytes * context) / bytes_s


def work_of(model: HybridModel) -> Work:
    """The work of a loaded model, with its weights in the format they were loaded in."""
    config = model.config
    return Work(
        token_flops=token_flops(config),
        head_flops=2 * config.vocab_size * config.hidden_size,
        weight_bytes=read_bytes(model),
        state_bytes=2 * model.state_slot_bytes(),
        kv_bytes=model.kv_slot_bytes(),
    )


def read_bytes(model: HybridModel) -> int:
    """Bytes of weights read per decoded token; see `Work.weight_bytes`."""
    kept = [tensor for block in model.blocks for tensor in block.tensors()]
    always = _nbytes((*kept, model.norm, *model.head.tensors()))
    pool, experts = model.experts, model.config.experts
    if experts is None or not pool.resident:
        return always
    each = pool.used // pool.resident
    return always + each * experts.per_token * model.config.mlp_types.count("sparse")


def _nbytes(tensors: Iterable[Tensor]) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)
