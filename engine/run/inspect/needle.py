"""How much of what a layer reads for a query comes from one token of its past, the needle.

Full attention: the attention mass on the needle's positions, softmax(q K^T / sqrt(d)).

Linear attention: the state after token t is a sum over all tokens j before it. Unrolling the gated
delta rule (Yang, Kautz, Hatamizadeh 2024, "Gated Delta Networks", equation 10),

    S_t = a_t (I - b_t k_t k_t^T) S_(t-1) + b_t k_t v_t^T,

token j's term is c_j(t) v_j^T, what later tokens left of what it wrote, with c_j(j) = b_j k_j and
c_j(t) = a_t (I - b_t k_t k_t^T) c_j(t-1). The read-out o_t = S_t^T q_t is therefore exactly the sum
of (c_j(t) . q_t) v_j, and the needle's part of it is <(c_j(t) . q_t) v_j, o_t> / <o_t, o_t>. The
parts of all tokens sum to 1, as attention weights do; unlike those they can be negative, where a
token's value points away from what is read. The answer to the needle's own key is
cos(S_t^T k_j, v_j).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import torch
from torch import Tensor

from engine.planes import KVPlane
from engine.readings import LayerRecall
from engine.run.inspect.rule import RuleRows, cosines, rule_rows, states_after
from engine.run.inspect.watch import LinearInputs

# Queries are the last positions of the sequence up to the one asked for.
MOST_QUERIES = 32
MOST_NEEDLE = 16

Span = tuple[int, int]


def attention_mass(q: Tensor, kv: KVPlane, at: int, first: int, needle: Span) -> Tensor:
    """The attention mass on the needle, [heads, queries], of queries at positions `first` on.

    q: [queries, heads, dim] float32, rotated; kv: entries of the sequence in slots of the same
    number. A query before the needle cannot see it: 0.
    """
    keys = kv.k[at].float().cpu()
    _, heads, dim = q.shape
    # Neighbouring query heads share a head of keys.
    grouped = q.view(len(q), len(keys), -1, dim) * dim**-0.5
    mass = []
    for row, query in enumerate(grouped):
        seen = keys[:, : first + row + 1]
        weights = torch.einsum("gqd,gsd->gqs", query, seen).softmax(-1)
        mass.append(weights[:, :, needle[0] : needle[1]].sum(-1).view(heads))
    return torch.stack(mass, -1)


@dataclass(slots=True)
class NeedleInState:
    """Follows what is left of the needle in one linear layer's state, pass by pass.

    Passes begin at the needle or before it.

    Attributes:
        needle: [first, end) in the sequence.
        queries: position of the first query; all later tokens are queries, too.
    """

    needle: Span
    queries: int
    # [needle tokens so far, value_heads, key_dim] and so on.
    _left: list[Tensor] = field(default_factory=list)
    _keys: list[Tensor] = field(default_factory=list)
    _values: list[Tensor] = field(default_factory=list)
    _parts: list[Tensor] = field(default_factory=list)
    _whole: list[Tensor] = field(default_factory=list)
    _answers: list[Tensor] = field(default_factory=list)

    def take(self, given: LinearInputs, start: int) -> None:
        """The tokens of one pass, of which the first has position `start`."""
        rows = rule_rows(given)
        first = min(max(self.queries - start, 0), len(rows))
        states = states_after(given, rows, first) if first < len(rows) else iter(())
        for token in range(len(rows)):
            self._pass(rows, token, start + token)
            if token >= first:
                self._read(rows, token, next(states))

    def recall(self, layer: int) -> LayerRecall:
        """What was found, by query."""
        parts, whole, answers = (
            torch.stack(rows, -1) for rows in (self._parts, self._whole, self._answers)
        )
        by_head = parts / whole.clamp_min(1e-30)
        of_layer = parts.sum(0) / whole.sum(0).clamp_min(1e-30)
        return layer_recall(layer, "linear", of_layer, by_head, answers)

    def _pass(self, rows: RuleRows, token: int, position: int) -> None:
        """What the token leaves of the needle, and writes if it is part of it."""
        key, rate = rows.keys[token], rows.beta[token].unsqueeze(-1)
        decay = rows.decay[token].unsqueeze(-1)
        self._left = [
            decay * (left - rate * key * (key * left).sum(-1, keepdim=True)) for left in self._left
        ]
        if self.needle[0] <= position < self.needle[1]:
            self._left.append(rate * key)
            self._keys.append(key)
            self._values.append(rows.values[token])

    def _read(self, rows: RuleRows, token: int, state: Tensor) -> None:
        query = rows.queries[token]
        out = torch.einsum("hk,hkv->hv", query, state)
        part, answer = torch.zeros(len(out)), torch.zeros(len(out))
        for left, key, value in zip(self._left, self._keys, self._values, strict=True):
            weight = (left * query).sum(-1)
            part += weight * (value * out).sum(-1)
            answer += cosines(torch.einsum("hk,hkv->hv", key, state), value)
        self._parts.append(part)
        self._whole.append(out.square().sum(-1))
        self._answers.append(answer / max(1, len(self._left)))


def layer_recall(
    layer: int,
    kind: Literal["linear", "full"],
    shares: Tensor,
    by_head: Tensor,
    answers: Tensor | None = None,
) -> LayerRecall:
    """As plain numbers. shares: [queries]; by_head, answers: [heads, queries]."""
    return LayerRecall(
        layer,
        kind,
        tuple(shares.tolist()),
        tuple(map(tuple, by_head.tolist())),
        () if answers is None else tuple(answers.mean(0).tolist()),
        () if answers is None else tuple(map(tuple, answers.tolist())),
    )
