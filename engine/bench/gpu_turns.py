"""Two turns of a chat after a long context: the time to the first token of each."""

from __future__ import annotations

from dataclasses import dataclass

from engine import events
from engine.bench.timed import token_ids
from engine.commands import Submit
from engine.config import EngineConfig, Sampling
from engine.message import PromptOptions
from engine.model.hybrid import HybridModel
from engine.run.core import Core

ANSWER, FOLLOWING = 64, 73
INTERVAL = 1024
# Checkpoints besides those at the interval: ends, branches and decoded ones.
SPARE_STATES = 8
SLACK_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class GpuTurns:
    """A cold prompt, its answer, and the next message after both.

    Attributes:
        first_s, second_s: seconds to the first token of each turn.
        reused: tokens of the second prompt that did not run again; `prompt` is its length.
        decode_tok_s: of the whole engine, not of the model alone.
    """

    context: int
    first_s: float
    second_s: float
    prompt: int
    reused: int
    decode_tok_s: float | None


def turns_config(model: HybridModel, contexts: tuple[int, ...]) -> EngineConfig:
    """A cache that holds the longest chat with all its checkpoints, without lower tiers."""
    tokens = max(contexts) + ANSWER + FOLLOWING + SLACK_TOKENS
    kv = tokens * model.kv_slot_bytes()
    states = (tokens // INTERVAL + SPARE_STATES) * model.state_slot_bytes()
    return EngineConfig(
        device=model.device.type,
        interval=INTERVAL,
        cache_bytes=kv + states,
        state_share=states / (kv + states),
        rebalance=False,
        context=tokens,
    )


def measure_turns(core: Core, context: int) -> GpuTurns:
    """Run both turns on an empty cache, after a warm-up with a prompt of the same length."""
    vocab = core.model.config.vocab_size
    # The first prompt of a given length compiles and tunes the kernels.
    core.logits(token_ids(7, context, vocab), False, PromptOptions())
    core.drop_cache()
    prompt = token_ids(8, context, vocab)
    first = _turn(core, prompt)
    prompt += first.token_ids + token_ids(9, FOLLOWING, vocab)
    second = _turn(core, prompt)
    return GpuTurns(
        context=context,
        first_s=first.report.first_token_s or 0.0,
        second_s=second.report.first_token_s or 0.0,
        prompt=len(prompt),
        reused=second.report.plan.reused,
        decode_tok_s=first.report.decode_tok_s,
    )


def _turn(core: Core, prompt: tuple[int, ...]) -> events.RequestFinished:
    sampling = Sampling(temperature=0.0, max_tokens=ANSWER, ignore_end=True)
    ended: list[events.RequestFinished] = []

    def emit(event: events.Event) -> None:
        if isinstance(event, events.RequestFinished):
            ended.append(event)

    core.run(Submit(1, prompt, sampling), emit, lambda: False)
    return ended[0]
