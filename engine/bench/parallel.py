"""`biplane bench parallel`: the tokens a second of several answers that are written at once."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch

from engine import events
from engine.api import Engine
from engine.bench.harness import Progress, rounds
from engine.bench.llama_server import llama_server, write
from engine.bench.machine import machine_line
from engine.bench.timed import exactly, token_ids, warm_up
from engine.config import EngineConfig

PROMPT_TOKENS = 40
# When so many tokens of an answer had been written, by the clock of `time.perf_counter`.
Heard = list[tuple[float, int]]


@dataclass(frozen=True, slots=True)
class ParallelAsk:
    """What is measured.

    Attributes:
        streams: numbers of answers at once, beside one alone.
        tokens: of each answer.
        rounds: of all numbers, by turns.
        gguf: the model's file for llama-server, which then answers in the same rounds.
    """

    streams: tuple[int, ...] = (2, 4)
    tokens: int = 128
    rounds: int = 5
    gguf: Path | None = None


@dataclass(frozen=True, slots=True)
class ParallelRow:
    """So many answers at once.

    Attributes:
        tok_s: of all of them together, while all were written.
        ratio: to one alone on the same engine, the median of the rounds.
        beside: to as many on llama-server, the same; None without it.
    """

    engine: str
    streams: int
    tok_s: float
    ratio: float
    beside: float | None


@dataclass(frozen=True, slots=True)
class ParallelReport:
    """The figures of a model."""

    machine: str
    model: str
    weights: str
    rows: tuple[ParallelRow, ...]


def bench_parallel(
    folder: Path, config: EngineConfig, ask: ParallelAsk, progress: Progress
) -> ParallelReport:
    """Measure a model. Raises ModelError, CacheError or PromptError."""
    counts = (1, *ask.streams)
    config = replace(config, parallel=max(counts), decode_interval=0, drafts="off")
    with ExitStack() as stack:
        opened = stack.enter_context(Engine.open(folder, config))
        warm_up(opened)
        asks: list[tuple[str, Callable[[tuple[int, ...]], Heard]]] = [
            ("Biplane", partial(_answer, opened, ask.tokens))
        ]
        if ask.gguf is not None:
            threads = opened.on_core(lambda core: torch.get_num_threads())
            context = PROMPT_TOKENS + ask.tokens + 64
            url = stack.enter_context(llama_server(ask.gguf, context, threads, max(counts)))
            asks.append(
                ("llama-server", lambda prompt: write(url, prompt, ask.tokens, seed=1).heard)
            )
        progress(f"{ask.tokens} tokens, {ask.rounds} times: {', '.join(map(str, counts))} at once")
        prompts = [
            token_ids(10 + at, PROMPT_TOKENS, opened.model.vocab_size) for at in range(max(counts))
        ]
        made = [(name, count) for count in counts for name, _ in asks]
        calls = [partial(_rate, call, prompts[:count]) for count in counts for _, call in asks]
        found = dict(zip(made, rounds(calls, ask.rounds), strict=True))

        def ratio(one: tuple[str, int], other: tuple[str, int]) -> float:
            return statistics.median(a / b for a, b in zip(found[one], found[other], strict=True))

        info = opened.model
        return ParallelReport(
            machine_line(opened),
            info.name,
            info.weights,
            tuple(
                ParallelRow(
                    name,
                    count,
                    statistics.median(rates),
                    ratio((name, count), (name, 1)),
                    ratio((name, count), (asks[-1][0], count)) if name != asks[-1][0] else None,
                )
                for (name, count), rates in found.items()
            ),
        )


def _rate(answer: Callable[[tuple[int, ...]], Heard], prompts: Sequence[tuple[int, ...]]) -> float:
    """Tokens a second of all, from the last one's first token to the first one's last."""
    with ThreadPoolExecutor(len(prompts)) as readers:
        heard = list(readers.map(answer, prompts))
    began, ended = max(own[0][0] for own in heard), min(own[-1][0] for own in heard)
    written = 0
    for own in heard:
        within = [tokens for time, tokens in own if began <= time <= ended]
        written += within[-1] - within[0]
    return written / (ended - began)


def _answer(opened: Engine, tokens: int, prompt: tuple[int, ...]) -> Heard:
    asked = opened.generate(prompt, exactly(tokens))
    return [(one.time, one.tokens) for one in asked if isinstance(one, events.TextDelta)]
