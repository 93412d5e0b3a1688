"""The answer, one token at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.config import Sampling
from engine.events import StopReason
from engine.run.sampler import Sampler
from engine.run.sequence import LiveSequence
from engine.run.stream import AnswerStream, Piece

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends an answer, and how often it is checkpointed.

    Attributes:
        end_ids: tokens that end the answer; not part of it.
        context: longest sequence in tokens.
        decode_interval: tokens between two checkpoints; 0 takes none.
    """

    end_ids: frozenset[int]
    context: int
    decode_interval: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """The result of a decode.

    Attributes:
        ids: the generated ids, without the end token.
        first_at, last_at: `time.perf_counter()` at the first and the last token; None without
            tokens.
    """

    ids: tuple[int, ...]
    stop: StopReason
    first_at: float | None
    last_at: float | None

    @property
    def decode_tok_s(self) -> float | None:
        """Tokens per second after the first token."""
        if self.first_at is None or self.last_at is None or self.last_at <= self.first_at:
            return None
        return (len(self.ids) - 1) / (self.last_at - self.first_at) if len(self.ids) > 1 else None


# The prompt was cancelled.
NOTHING = Decoded((), "cancelled", None, None)


def decode(
    sequence: LiveSequence,
    logits: Tensor,
    sampler: Sampler,
    stream: AnswerStream,
    sampling: Sampling,
    limits: Limits,
    *,
    cancelled: Callable[[], bool],
    show: Callable[[Piece, int], None],
) -> Decoded:
    """Sample, show, apply, until something ends the answer.

    The last sampled token is not applied: what is stored afterwards is the state before it.
    """
    ids: list[int] = []
    first_at = last_at = None
    stop: StopReason = "length"
    since = 0
    while len(ids) < sampling.max_tokens:
        if cancelled():
            stop = "cancelled"
            break
        token = sampler.next(logits)
        last_at = time.perf_counter()
        first_at = first_at or last_at
        ends = token in limits.end_ids and not sampling.ignore_end
        if ends or token in sampling.stop_ids:
            stop = "end"
            break
        ids.append(token)
        for piece in stream.feed(token):
            show(piece, len(ids))
        if stream.stopped:
            stop = "stop string"
            break
        if len(ids) == sampling.max_tokens:
            break
        following = sequence.step(token) if sequence.position + 1 < limits.context else None
        if following is None:
            stop = "context"
            break
        logits = following
        since += 1
        if since == limits.decode_interval:
            sequence.donate("decode", "interval")
            since = 0
    for piece in stream.finish(cut=stop in ("length", "context", "cancelled")):
        show(piece, len(ids))
    return Decoded(tuple(ids), stop, first_at, last_at)
