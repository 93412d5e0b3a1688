"""What the scenarios do again and again."""

from __future__ import annotations

from typing import Any

import torch

from engine import Engine, Message, PromptOptions, Sampling
from engine.events import RequestFinished
from engine.reuse import ReusePlan

BOUND = 1e-4
# The bundled model computes in bfloat16.
HALF = 1e-2


def right(
    engine: Engine, prompt: tuple[int, ...] | list[Message], bound: float = BOUND
) -> ReusePlan:
    """Run a prompt cached and cold, demand the same logits, and give the cached run's plan."""
    cached, cold = engine.logits(prompt), engine.logits(prompt, reuse=False)
    assert off_by(cached.logits, cold.logits) <= bound
    return cached.plan


def off_by(found: torch.Tensor, expected: torch.Tensor) -> float:
    """The largest difference over the largest logit."""
    return float((found - expected).abs().max() / expected.abs().max())


def answer(
    engine: Engine,
    prompt: tuple[int, ...] | list[Message],
    tokens: int = 12,
    *,
    thinking: bool = False,
    **options: Any,
) -> RequestFinished:
    """A greedy answer of so many tokens."""
    sampling = Sampling(temperature=0, max_tokens=tokens, ignore_end=True)
    asked = PromptOptions(thinking=thinking, **options)
    last = list(engine.generate(prompt, sampling, asked))[-1]
    assert isinstance(last, RequestFinished), last
    return last


def message_of(finished: RequestFinished) -> Message:
    """The answer as the next prompt puts it back."""
    return Message("assistant", finished.text, finished.thinking, token_ids=finished.token_ids)


def positions(engine: Engine, provenance: str = "") -> list[int]:
    """Where checkpoints are, of one provenance or of all."""
    points = [node.checkpoint for node in engine.snapshot().nodes]
    return sorted(p.state.position for p in points if p and provenance in ("", p.state.provenance))
