"""Chooses the next token from the logits."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.config import Sampling
from engine.errors import ModelError, PromptError
from engine.events import TokenScore
from engine.text.grammar import Constraint
from kernels.sampling import largest, sample

# This many of the likeliest tokens nearly always cover the requested probability; if not, more are
# taken.
FIRST_CANDIDATES = 256
# The number of candidates that `kernels.sampling` draws from.
DEVICE_CANDIDATES = 1024
SEED_MASK = (1 << 63) - 1


class Sampler:
    """Draws tokens for one request.

    The order is: penalties and biases, temperature, top-k, top-p, min-p, then one draw. Random
    numbers come from a generator on the CPU, so a seed means the same on every device.

    Attributes:
        seed: the seed in use, drawn if the request set none.
        scores: of each token drawn, if the request asks for them.
    """

    def __init__(
        self,
        sampling: Sampling,
        prompt_ids: Sequence[int],
        device: torch.device,
        earlier: Sequence[int] = (),
        ends: Collection[int] = (),
        piece: Callable[[int], bytes] = lambda token: b"",
        constraint: Constraint | None = None,
        think_close: int | None = None,
    ) -> None:
        """
        Args:
            think_close: the token that ends the thinking with which the answer begins.
            earlier: the tokens generated before, if an answer is continued.
            ends: tokens that end an answer.
            piece: the bytes of a token, for the scores.
            constraint: which tokens the format of the answer allows.
        """
        self._sampling = sampling
        self._piece = piece
        self._constraint = constraint
        # While the thinking has a limit.
        self._think_close = think_close if sampling.thinking_tokens else None
        self.scores: list[TokenScore] = []
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
        self._drawn = 0
        self._ends = torch.tensor(
            sorted({*ends, *sampling.stop_ids}), dtype=torch.long, device=device
        )
        bias = dict(sampling.logit_bias)
        self._biased = torch.tensor(list(bias), dtype=torch.long, device=device)
        # No temperature brings back what is ruled out.
        self._bias = torch.tensor(
            [-math.inf if value <= -100 else value for value in bias.values()], device=device
        )
        # The place of each generated token in the two tensors below.
        self._generated: dict[int, int] = {}
        self._seen: dict[int, None] = {}
        if sampling.repetition_penalty != 1.0:
            self._seen = dict.fromkeys(int(token) for token in (*prompt_ids, *earlier))
        self._seen_ids = torch.tensor(list(self._seen), dtype=torch.long, device=device)
        self._counts_generated = (
            sampling.presence_penalty != 0.0 or sampling.frequency_penalty != 0.0
        )
        self._generated_ids = torch.empty(0, dtype=torch.long, device=device)
        self._penalties = torch.empty(0, device=device)
        for token in earlier if self._counts_generated else ():
            self._count(token)

    def next(self, logits: Tensor) -> int:
        """The next token from `logits` ([vocab] float32, not modified).

        Raises ModelError if the logits hold no usable number.
        """
        assert logits.dim() == 1, f"logits are {tuple(logits.shape)}, not [vocab]"
        raw, forced = logits, None
        allowed = None
        if self._constraint is not None:
            forced = self._constraint.forced()
            allowed = self._constraint.allowed() if forced is None else None
        if self._think_close is not None and self._drawn >= self._sampling.thinking_tokens:
            forced = self._think_close
        if forced is None:
            logits = self._penalised(logits, allowed)
        if forced is not None:
            token = forced
        elif self._on_device:
            token = int(self.draw_on_device(logits))
            if token < 0:
                _check_top(float(logits.max()))
        elif self._sampling.temperature == 0:
            values, ids = largest(logits, 1)
            _check_top(float(values[0]))
            token = int(ids[0])
        else:
            token = self._draw(logits)
        if token == self._think_close:
            self._think_close = None
        self._remember(token)
        self._drawn += 1
        if self._sampling.scores is not None:
            self.scores.append(self._score(raw, token, self._sampling.scores))
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

    def _penalised(self, logits: Tensor, allowed: NDArray[np.bool_] | None = None) -> Tensor:
        sampling = self._sampling
        repetition = sampling.repetition_penalty != 1.0 and len(self._seen_ids) > 0
        unended = self._drawn < sampling.min_tokens
        if not (
            repetition
            or unended
            or allowed is not None
            or len(self._generated_ids)
            or len(self._biased)
        ):
            return logits
        logits = logits.clone()
        if repetition:
            seen = logits[self._seen_ids]
            penalty = sampling.repetition_penalty
            logits[self._seen_ids] = torch.where(seen > 0, seen / penalty, seen * penalty)
        if len(self._generated_ids):
            logits[self._generated_ids] -= self._penalties
        if len(self._biased):
            logits[self._biased] += self._bias
        if unended:
            logits[self._ends] = -math.inf
        if allowed is not None:
            logits.masked_fill_(torch.from_numpy(~allowed).to(logits.device), -math.inf)
        return logits

    def _score(self, logits: Tensor, token: int, top: int) -> TokenScore:
        """`logits`: as the model gave them."""
        whole = torch.logsumexp(logits.double(), 0)
        values, ids = largest(logits, min(top, len(logits))) if top else (logits[:0], logits[:0])
        likeliest = (values.double() - whole).tolist()
        return TokenScore(
            self._piece(token),
            float(logits[token].double() - whole),
            tuple(
                TokenScore(self._piece(int(other)), logprob)
                for other, logprob in zip(ids.tolist(), likeliest, strict=True)
            ),
        )

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
        if self._constraint is not None:
            self._constraint.take(token)
        if sampling.repetition_penalty != 1.0 and token not in self._seen:
            self._seen[token] = None
            self._seen_ids = self._grown(self._seen_ids, token)
        if self._counts_generated:
            self._count(token)

    def _count(self, token: int) -> None:
        """Penalise a token that was generated."""
        sampling = self._sampling
        at = self._generated.setdefault(token, len(self._generated))
        if at == len(self._penalties):
            self._generated_ids = self._grown(self._generated_ids, token)
            first = torch.tensor([sampling.presence_penalty], device=self._device)
            self._penalties = torch.cat([self._penalties, first])
        self._penalties[at] += sampling.frequency_penalty

    def _grown(self, ids: Tensor, token: int) -> Tensor:
        return torch.cat([ids, torch.tensor([token], dtype=torch.long, device=self._device)])


def check_biases(sampling: Sampling, vocab_size: int) -> None:
    """Raises PromptError if a bias is for a token that the model does not have."""
    last = max((token for token, _ in sampling.logit_bias), default=0)
    if last >= vocab_size:
        raise PromptError(
            "logit_bias names token {last}, but the model has only {vocab_size:,}.",
            last=last,
            vocab_size=vocab_size,
        )


def _check_top(value: float) -> None:
    """The greatest logit reveals NaN (which sorts first), +inf, and the lack of any finite one."""
    if not math.isfinite(value):
        raise ModelError(
            "The model's output is not a number ({value}). Its weights may be damaged, or too"
            " large for float16: download it again, or open it with dtype float32.",
            value=value,
        )
