"""The cost of a cached token, a checkpoint and a computed token, for the relevant shapes."""

from __future__ import annotations

from dataclasses import dataclass

KIB, MIB = 1 << 10, 1 << 20


@dataclass(frozen=True, slots=True)
class ModelCost:
    """One model shape.

    Attributes:
        kv_bytes: per token, bfloat16.
        state_bytes: per checkpoint: float32 delta states, bfloat16 conv columns.
        active: parameters that a token passes through.
        full_layers, attention_width: layers of full attention, and heads times head size.
    """

    name: str
    kv_bytes: int
    state_bytes: int
    active: float
    full_layers: int
    attention_width: int

    def flops(self, start: int, end: int) -> float:
        """FLOPs to run tokens [start, end) of a prompt: matrices, and attention to earlier tokens.

        Each token takes 2 per active parameter; each pair of a token and one it attends to takes 4
        per layer and channel (scores and values).
        """
        tokens = end - start
        pairs = (end * (end + 1) - start * (start + 1)) / 2
        return 2 * self.active * tokens + 4 * self.full_layers * self.attention_width * pairs


MODELS = {
    model.name: model
    for model in (
        ModelCost("0.8B", 12 * KIB, int(18.63 * MIB), 0.75e9, 6, 8 * 256),
        ModelCost("9B", 32 * KIB, int(49.12 * MIB), 8.0e9, 8, 16 * 256),
        ModelCost("27B", 64 * KIB, int(146.81 * MIB), 26.0e9, 16, 24 * 256),
        ModelCost("Next", 24 * KIB, int(73.69 * MIB), 3.0e9, 12, 16 * 256),
    )
}
