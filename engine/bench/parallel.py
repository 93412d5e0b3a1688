"""`biplane bench parallel`: the tokens a second of several answers that are written at once."""

from __future__ import annotations

import statistics
import threading
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from engine import events
from engine.api import Engine, RequestEvents
from engine.bench.harness import Progress, rounds
from engine.bench.machine import machine_line
from engine.bench.timed import exactly, token_ids, warm_up
from engine.config import EngineConfig

PROMPT_TOKENS = 40


@dataclass(frozen=True, slots=True)
class ParallelAsk:
    """What is measured.

    Attributes:
        streams: numbers of answers at once, beside one alone.
        tokens: of each answer.
        rounds: of all numbers, by turns.
    """

    streams: tuple[int, ...] = (2, 4)
    tokens: int = 128
    rounds: int = 5


@dataclass(frozen=True, slots=True)
class ParallelRow:
    """So many answers at once.

    Attributes:
        tok_s: of all of them together, while all were written.
        ratio: to one alone, the median of the rounds.
    """

    streams: int
    tok_s: float
    ratio: float


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
    with Engine.open(folder, config) as opened:
        warm_up(opened)
        progress(f"{ask.tokens} tokens, {ask.rounds} times: {', '.join(map(str, counts))} at once")
        calls = [partial(_rate, opened, count, ask.tokens) for count in counts]
        found = rounds(calls, ask.rounds)
        info = opened.model
        return ParallelReport(
            machine_line(opened),
            info.name,
            info.weights,
            tuple(
                ParallelRow(
                    count,
                    statistics.median(rates),
                    statistics.median(
                        rate / alone for rate, alone in zip(rates, found[0], strict=True)
                    ),
                )
                for count, rates in zip(counts, found, strict=True)
            ),
        )


def _rate(opened: Engine, count: int, tokens: int) -> float:
    """Tokens a second of all, from the last one's first token to the first one's last."""
    vocab = opened.model.vocab_size
    asked = [
        opened.generate(token_ids(10 + at, PROMPT_TOKENS, vocab), exactly(tokens))
        for at in range(count)
    ]
    heard: list[list[events.TextDelta]] = [[] for _ in asked]
    readers = [
        threading.Thread(target=_listen, args=pair) for pair in zip(asked, heard, strict=True)
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    began, ended = max(own[0].time for own in heard), min(own[-1].time for own in heard)
    written = 0
    for own in heard:
        within = [one.tokens for one in own if began <= one.time <= ended]
        written += within[-1] - within[0]
    return written / (ended - began)


def _listen(asked: RequestEvents, heard: list[events.TextDelta]) -> None:
    heard += (event for event in asked if isinstance(event, events.TextDelta))
