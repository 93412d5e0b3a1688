"""The gated delta rule token by token, on the inputs that a layer handed to its own rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.run.inspect.watch import LinearInputs
from kernels.gated_delta import gated_delta_step

UNIT_EPS = 1e-6


@dataclass(frozen=True, slots=True)
class RuleRows:
    """What the rule reads and writes with, by token: float32 on the CPU, a row per value head.

    Attributes:
        qk: [tokens, 2, key_heads, key_dim], queries, then keys, as the step takes them.
        queries: [tokens, value_heads, key_dim] of unit length times key_dim ** -0.5.
        keys: [tokens, value_heads, key_dim] of unit length.
        values: [tokens, value_heads, value_dim].
        decay: [tokens, value_heads], the factor itself.
        beta: [tokens, value_heads].
    """

    qk: Tensor
    queries: Tensor
    keys: Tensor
    values: Tensor
    decay: Tensor
    beta: Tensor

    def __len__(self) -> int:
        return len(self.values)


def rule_rows(given: LinearInputs) -> RuleRows:
    """Convolve, split and normalise, as every version of the layer's rule does."""
    heads, key_dim, value_dim = given.state.shape
    tokens, channels = given.x.shape
    kept = len(given.taps)
    rows = torch.cat((given.window, given.x))
    total = sum(rows[tap : tap + tokens] * given.taps[tap] for tap in range(kept))
    assert isinstance(total, Tensor)
    key_width = (channels - heads * value_dim) // 2
    qk, values = F.silu(total).split_with_sizes((2 * key_width, heads * value_dim), dim=-1)
    by_head = qk.reshape(tokens, 2, -1, key_dim)
    length = (by_head.square().sum(-1, keepdim=True) + UNIT_EPS).sqrt()
    unit = (by_head / length).repeat_interleave(heads // by_head.shape[2], 2)
    return RuleRows(
        qk=by_head,
        queries=unit[:, 0] * key_dim**-0.5,
        keys=unit[:, 1],
        values=values.reshape(tokens, heads, value_dim),
        decay=given.log_decay.exp(),
        beta=given.beta,
    )


def states_after(given: LinearInputs, rows: RuleRows, first: int = 0) -> Iterator[Tensor]:
    """The state after each token from `first` on, [value_heads, key_dim, value_dim].

    The same tensor each time, mutated: whoever keeps it copies it.
    """
    state = given.state.clone()
    for token in range(len(rows)):
        gated_delta_step(
            rows.qk[token],
            rows.values[token],
            rows.decay[token].unsqueeze(1),
            rows.beta[token].unsqueeze(1),
            state,
        )
        if token >= first:
            yield state


def cosines(one: Tensor, other: Tensor) -> Tensor:
    """The cosine between the last dimensions of both; 0 where one of them is 0.

    On a CPU torch's own takes many times as long for states.
    """
    lengths = torch.linalg.vector_norm(one, dim=-1) * torch.linalg.vector_norm(other, dim=-1)
    found: Tensor = torch.linalg.vecdot(one, other) / lengths.clamp_min(1e-16)
    return found
