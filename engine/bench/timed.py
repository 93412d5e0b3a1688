"""Prompts of plain token ids, timed requests, and the peak memory of a process."""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from engine.api import Engine, Prompt
from engine.bench.harness import median
from engine.config import Sampling
from engine.errors import PromptError
from engine.events import RequestFailed, RequestFinished
from engine.message import PromptOptions
from engine.reuse import ReusePlan

# In the random model, the ids below are special tokens, roles and the newline.
FIRST_WORD = 9
WARM_TOKENS = 600
HIGH_WATER = "VmHWM:"
T = TypeVar("T")


def on_own_thread(call: Callable[[], T]) -> T:
    """Run `call` on a thread of its own; that thread and its workers have ended on return."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(call).result()


def forget_peak() -> bool:
    """Reset the peak. False if the system cannot: it then covers the whole process.

    Source: proc_pid_clear_refs(5), value 5 of /proc/self/clear_refs.
    """
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def peak_bytes() -> int:
    """Peak resident bytes since `forget_peak`, or since the process began."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(HIGH_WATER):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest << 10


def token_ids(seed: int, count: int, vocab: int) -> tuple[int, ...]:
    """A reproducible prompt."""
    draw = random.Random(seed)
    return tuple(draw.randrange(min(FIRST_WORD, vocab - 1), vocab) for _ in range(count))


def first_logits(engine: Engine, ids: tuple[int, ...], *, reuse: bool) -> tuple[float, ReusePlan]:
    """Seconds until the logits after a prompt can be read, and what was reused."""
    began = time.perf_counter()
    result = engine.logits(ids, reuse=reuse)
    # Reading a value waits for a device that has only queued the work.
    float(result.logits[0])
    return time.perf_counter() - began, result.plan


def answer(
    engine: Engine, prompt: Prompt, sampling: Sampling, options: PromptOptions | None = None
) -> RequestFinished:
    """Answer a prompt with the cache on. Raises PromptError."""
    for event in engine.generate(prompt, sampling, options):
        if isinstance(event, RequestFailed):
            raise PromptError(event.sentence)
        if isinstance(event, RequestFinished):
            return event
    raise AssertionError("a request ended without an end event")


def exactly(tokens: int) -> Sampling:
    """So many tokens, greedily."""
    return replace(Sampling.greedy(tokens), ignore_end=True)


def answer_rate(engine: Engine, ids: tuple[int, ...], tokens: int) -> float:
    """Tokens per second of one answer of several tokens."""
    rate = answer(engine, ids, exactly(tokens)).report.decode_tok_s
    assert rate is not None, "an answer of several tokens has a rate"
    return rate


def decode_rate(engine: Engine, ids: tuple[int, ...], tokens: int, repeats: int) -> float:
    """Median tokens per second after a cached prompt."""
    engine.logits(ids)
    return median(partial(answer_rate, engine, ids, tokens), repeats)


def warm_up(engine: Engine) -> None:
    """Make the first calls, which pay for memory and kernels that later ones reuse."""
    ids = token_ids(0, min(WARM_TOKENS, engine.model.context // 2), engine.model.vocab_size)
    engine.logits(ids, reuse=False)
    answer(engine, ids[:16], exactly(4))
    engine.drop_cache()
