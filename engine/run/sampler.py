"""Chooses the next token from the logits."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from engine.config import Sampling
from engine.errors import ModelError
from kernels.sampling import largest, sample

# This many of the likeliest tokens nearly always cover the requested probability; if not, more are
# taken.
FIRST_CANDIDATES = 256
# The number of candidates that `kernels.sampling` draws from.
DEVICE_CANDIDATES = 1024
SEED_MASK = (1 << 63) - 1


class Sampler:
    """Draws tokens for one request.

    The order is: penalties, temperature, top-k, top-p, min-p, then one draw. Random numbers come
    from a generator on the CPU, so a seed means the same on every device.

    Attributes:
        seed: the seed in use, drawn if the request set none.
    """

    def __init__(
        self,
        sampling: Sampling,
        prompt_ids: Sequence[int],
        device: torch.device,
        earlier: Sequence[int] = (),
    ) -> None:
        """`earlier`: the tokens generated before, if an answer is continued."""
        self._sampling = sampling
        self._device = device
        # What a kernel can draw exactly as this class does is drawn without waiting for the device.
        plain = sampling.top_p >= 1 and sampling.min_p == 0
        bounded = 0 < sampling.top_k <= DEVICE_CANDIDATES
        self._on_device = device.type == "cuda" and (bounded or plain or sampling.temperature == 0)
        self._generator = torch.Generator()
        if sampling.seed is None:
            self.seed = self._generator.seed()
        else:
            self.seed = sampling.seed & SEED_MASK
            self._generator.manual_seed(self.seed)
        self._generated: dict[int, None] = {}
        self._seen: dict[int, None] = {}
        if sampling.repetition_penalty != 1.0:
            self._seen = dict.fromkeys(int(token) for token in (*prompt_ids, *earlier))
        if sampling.presence_penalty != 0.0:
            self._generated = dict.fromkeys(earlier)
        self._seen_ids = torch.tensor(list(self._seen), dtype=torch.long, device=device)
        self._generated_ids = torch.tensor(list(self._generated), dtype=torch.long, device=device)

    def next(self, logits: Tensor) -> int:
        """The next token from `logits` ([vocab] float32, not modified).

        Raises ModelError if the logits hold no usable number.
        """
        assert logits.dim() == 1, f"logits are {tuple(logits.shape)}, not [vocab]"
        logits = self._penalised(logits)
        if self._on_device:
            token = int(self.draw_on_device(logits))
            if token < 0:
                _check_top(float(logits.max()))
        elif self._sampling.temperature == 0:
            values, ids = largest(logits, 1)
            _check_top(float(values[0]))
            token = int(ids[0])
        else:
            token = self._draw(logits)
        self._remember(token)
        return token

    def draw_on_device(self, logits: Tensor) -> Tensor:
        """A token drawn by `kernels.sampling`: [1] int64 on the device, -1 if none can be drawn."""
        sampling = self._sampling
        uniform = torch.rand((), dtype=torch.float64, generator=self._generator)
        if logits.device.type == "cuda":
            uniform = uniform.pin_memory().to(logits.device, non_blocking=True)
        greedy = sampling.temperature == 0
        top_k = 0 if greedy else sampling.top_k
        return sample(logits, sampling.temperature, top_k, sampling.top_p, sampling.min_p, uniform)

    def _penalised(self, logits: Tensor) -> Tensor:
        sampling = self._sampling
        repetition = sampling.repetition_penalty != 1.0 and len(self._seen_ids) > 0
        presence = sampling.presence_penalty != 0.0 and len(self._generated_ids) > 0
        if not (repetition or presence):
            return logits
        logits = logits.clone()
        if repetition:
            seen = logits[self._seen_ids]
            penalty = sampling.repetition_penalty
            logits[self._seen_ids] = torch.where(seen > 0, seen / penalty, seen * penalty)
        if presence:
            logits[self._generated_ids] -= sampling.presence_penalty
        return logits

    def _draw(self, logits: Tensor) -> int:
        sampling = self._sampling
        if sampling.top_k == 0 and sampling.top_p >= 1 and sampling.min_p == 0:
            top = logits.max()
            _check_top(float(top))
            return self._pick(self._weights(logits, top))
        values, ids, total = self._candidates(logits)
        weights = self._weights(values, values[0])
        keep = len(weights)
        if sampling.top_p < 1:
            before = torch.cumsum(weights, 0) - weights
            keep = max(1, int((before < sampling.top_p * total).sum()))
        if sampling.min_p > 0:
            keep = max(1, min(keep, int((weights >= sampling.min_p).sum())))
        return int(ids[self._pick(weights[:keep])])

    def _candidates(self, logits: Tensor) -> tuple[Tensor, Tensor, float]:
        """The likeliest logits in descending order, their ids, and the sum of all weights.

        They suffice for top-k, top-p and min-p; weights are relative to the likeliest token's.
        """
        sampling = self._sampling
        vocab = len(logits)
        count = min(sampling.top_k or FIRST_CANDIDATES, vocab)
        values, ids = largest(logits, count)
        _check_top(float(values[0]))
        if sampling.top_k:
            return values, ids, float(self._weights(values, values[0]).sum())
        total = math.inf
        if sampling.top_p < 1:
            total = float(self._weights(logits, values[0]).sum())
        while count < vocab and not self._enough(values, total):
            count = min(count * 16, vocab)
            values, ids = largest(logits, count)
        return values, ids, total

    def _enough(self, values: Tensor, total: float) -> bool:
        """Whether min-p or top-p ends inside `values`."""
        weights = self._weights(values, values[0])
        if float(weights[-1]) < self._sampling.min_p:
            return True
        return float(weights.sum()) >= self._sampling.top_p * total

    def _weights(self, logits: Tensor, top: Tensor) -> Tensor:
        """exp of the scaled logits in float64, 1 at the likeliest."""
        return torch.exp((logits - top).double() / self._sampling.temperature)

    def _pick(self, weights: Tensor) -> int:
        """An index drawn with probability proportional to `weights` (float64)."""
        upto = torch.cumsum(weights, 0)
        uniform = torch.rand((), dtype=torch.float64, generator=self._generator).item()
        # A zero weight is never drawn: its running sum equals the one before it.
        at = int(torch.searchsorted(upto, uniform * upto[-1], right=True))
        if at == len(weights):
            at = int(torch.nonzero(weights)[-1])
        return at

    def _remember(self, token: int) -> None:
        sampling = self._sampling
        if sampling.repetition_penalty != 1.0 and token not in self._seen:
            self._seen[token] = None
            self._seen_ids = self._grown(self._seen_ids, token)
        if sampling.presence_penalty != 0.0 and token not in self._generated:
            self._generated[token] = None
            self._generated_ids = self._grown(self._generated_ids, token)

    def _grown(self, ids: Tensor, token: int) -> Tensor:
        return torch.cat([ids, torch.tensor([token], dtype=torch.long, device=self._device)])


def _check_top(value: float) -> None:
    """The greatest logit reveals NaN (which sorts first), +inf, and the lack of any finite one."""
    if not math.isfinite(value):
        raise ModelError(
            "The model's output is not a number ({value}). Its weights may be damaged, or too"
            " large for float16: download it again, or open it with dtype float32.",
            value=value,
        )
