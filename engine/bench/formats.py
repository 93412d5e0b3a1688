"""The cost of a weight format: its bytes, and how far it moves the stored weights' predictions.

Every format runs the same prompts: whole conversations that the stored weights have answered. The
Kullback-Leibler divergence is measured at every position.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from engine.api import Engine
from engine.audit.conversations import ANSWER_TOKENS, exact_extension, shared_system_text, tool_loop
from engine.bench.harness import Progress
from engine.bench.timed import answer
from engine.commands import Prompt
from engine.config import EngineConfig, Sampling, WeightFormat
from engine.message import Message, PromptOptions
from engine.model.hybrid import HybridModel

FORMATS: tuple[WeightFormat, ...] = ("stored", "int8", "int4")
SCRIPTS = (exact_extension, tool_loop, shared_system_text)


@dataclass(frozen=True, slots=True)
class FormatRow:
    """One format.

    Attributes:
        weights: our format, or the name of a GGUF file.
        weight_bytes: of the loaded weights.
        bits: of them per parameter.
        kl_mean, kl_median, kl_worst: over the positions, in nats, against the stored weights run
            in one pass.
        same_top: share of positions where the likeliest token is the same.
    """

    weights: str
    weight_bytes: int
    bits: float
    kl_mean: float
    kl_median: float
    kl_worst: float
    same_top: float


@dataclass(frozen=True, slots=True)
class FormatsReport:
    """Every format on one model; the first row is the stored weights run token by token.

    That row shows what the order of the arithmetic alone costs.
    """

    model: str
    dtype: str
    positions: int
    rows: tuple[FormatRow, ...]


def bench_formats(
    folder: Path, config: EngineConfig, progress: Progress, ggufs: Sequence[Path] = ()
) -> FormatsReport:
    """Compare every format on the model in `folder`. Raises ModelError, CacheError, PromptError.

    ggufs: the same model in other files, for a row each.
    """
    rows: list[FormatRow] = []
    with Engine.open(folder, replace(config, weights=FORMATS[0])) as engine:
        progress(f"{FORMATS[0]} weights")
        info = engine.model
        prompts = _conversations(engine)
        expected = _all(engine, prompts, _one_pass)
        by_token = _all(engine, prompts, _token_by_token)
        rows.append(_row("stored, by token", _size(engine), expected, by_token))
    others: list[tuple[str, Path, WeightFormat]] = [(one, folder, one) for one in FORMATS[1:]]
    others += [(file.name, file, FORMATS[0]) for file in ggufs]
    for name, path, weights in others:
        progress(f"{name} weights" if path == folder else name)
        with Engine.open(path, replace(config, weights=weights)) as engine:
            found = _all(engine, prompts, _one_pass)
            rows.append(_row(name, _size(engine), expected, found))
    return FormatsReport(info.name, info.dtype, sum(map(len, prompts)), tuple(rows))


def _size(engine: Engine) -> tuple[int, int]:
    """The bytes of the loaded weights, and how many weights the model has."""
    drafts = engine.on_core(lambda core: core.model.draft_bytes)
    return engine.model.weight_bytes - drafts, engine.model.parameters


def _conversations(engine: Engine) -> list[tuple[int, ...]]:
    """The longest prompt of each script, with the model's own answers in it."""

    def token_ids(prompt: Prompt, options: PromptOptions) -> tuple[int, ...]:
        return engine.on_core(lambda core: core.prompt_ids(prompt, options))

    sampling = Sampling.greedy(ANSWER_TOKENS)
    longest = []
    for script in SCRIPTS:
        steps = script(token_ids)
        step, seen = next(steps), []
        while True:
            seen.append(token_ids(step.prompt, step.options))
            said = ""
            if step.answer:
                said = answer(engine, step.prompt, sampling, step.options).text
            try:
                step = steps.send(Message("assistant", said))
            except StopIteration:
                break
        longest.append(max(seen, key=len))
    return longest


def _all(
    engine: Engine,
    prompts: Sequence[tuple[int, ...]],
    run: Callable[[HybridModel, Tensor], Tensor],
) -> list[Tensor]:
    return engine.on_core(lambda core: [run(core.model, torch.tensor(ids)) for ids in prompts])


def _one_pass(model: HybridModel, ids: Tensor) -> Tensor:
    """Float32 logits [tokens, vocab]."""
    kv, states, extents = model.make_kv_plane(len(ids)), model.make_state_plane(1), [(0, len(ids))]
    logits = model.forward(ids, 0, kv, extents, states, 0, write_from=0, logits="all")
    assert logits is not None
    return logits


def _token_by_token(model: HybridModel, ids: Tensor) -> Tensor:
    """The same logits, from decode steps."""
    kv, states = model.make_kv_plane(len(ids)), model.make_state_plane(1)
    rows = []
    for at in range(len(ids)):
        one = ids[at : at + 1]
        logits = model.forward(one, at, kv, [(0, at + 1)], states, 0, write_from=at)
        assert logits is not None
        rows.append(logits)
    return torch.stack(rows)


def _row(
    weights: str,
    size: tuple[int, int],
    expected: Sequence[Tensor],
    found: Sequence[Tensor],
) -> FormatRow:
    """size: see `_size`."""
    (nbytes, parameters), same = size, 0
    divergences: list[float] = []
    for right, other in zip(expected, found, strict=True):
        log_right, log_other = right.log_softmax(-1), other.log_softmax(-1)
        kl = (log_right.exp() * (log_right - log_other)).sum(-1).clamp_min_(0.0)
        divergences += kl.tolist()
        same += int((right.argmax(-1) == other.argmax(-1)).sum())
    return FormatRow(
        weights=weights,
        weight_bytes=nbytes,
        bits=8 * nbytes / parameters,
        kl_mean=statistics.fmean(divergences),
        kl_median=statistics.median(divergences),
        kl_worst=max(divergences),
        same_top=same / len(divergences),
    )
