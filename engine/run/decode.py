"""The answer, one token at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.config import Sampling
from engine.drafted import NO_DRAFTS, Drafted
from engine.events import Channel, StopReason
from engine.plan.drafter import Drafter
from engine.run.sampler import Sampler
from engine.run.sequence import LiveSequence
from engine.run.turns import Step, Wait, Work
from engine.text.detokenizer import Detokenizer
from engine.text.prompt import BegunAnswer
from engine.text.think_splitter import StopStrings, ThinkSplitter

if TYPE_CHECKING:
    from torch import Tensor


Piece = tuple[Channel, str]


class AnswerStream:
    """Turns ids into pieces of thinking and answer; stop strings end the answer.

    A cut-off answer is continued with `resume`: its ids are processed again without output, so that
    whatever spans the cut (a character, a tag, a stop string) comes out as in one go.

    Attributes:
        stopped: a stop string was hit; no text follows it.
    """

    def __init__(
        self, detokenizer: Detokenizer, starts_thinking: bool, stops: Sequence[str]
    ) -> None:
        self._detokenizer = detokenizer
        self._splitter = ThinkSplitter(starts_thinking, detokenizer.tags)
        self._stops = StopStrings(stops)
        self._text = _nothing()
        # Of a continued answer: its text, and how its ids decode on their own.
        self._before = self._old = _nothing()

    @property
    def stopped(self) -> bool:
        return bool(self._stops.hit)

    @property
    def text(self) -> str:
        """The answer; complete after `finish`."""
        return self._whole("answer")

    @property
    def thinking(self) -> str:
        """The thinking; complete after `finish`."""
        return self._whole("thinking")

    def resume(self, begun: BegunAnswer) -> None:
        """Continue an answer; call it before `feed`. No stop string in the answer ends it."""
        self._before = {"thinking": begun.thinking, "answer": begun.text}
        self._splitter.feed("".join(map(self._detokenizer.feed, begun.ids)))
        ended = copy(self._splitter)
        ended.finish()
        self._old = {"thinking": ended.thinking, "answer": ended.answer}
        self._text["thinking"] = self._splitter.thinking
        self._text["answer"] = self._stops.resume(self._splitter.answer)

    def feed(self, token: int) -> list[Piece]:
        """The text completed by this id."""
        return self._show(self._splitter.feed(self._detokenizer.feed(token)))

    def finish(self, *, cut: bool = False) -> list[Piece]:
        """The text held back until the end.

        `cut`: the answer may be continued; an incomplete character is then left pending.
        """
        pieces = [] if cut else self._show(self._splitter.feed(self._detokenizer.finish()))
        pieces += self._show(self._splitter.finish())
        if not self.stopped:
            pieces += self._add("answer", self._stops.finish())
        return pieces

    def _show(self, pieces: list[Piece]) -> list[Piece]:
        """Stop strings count only in the answer: a thought may mention one."""
        shown: list[Piece] = []
        for channel, text in pieces:
            shown += self._add(channel, self._stops.feed(text) if channel == "answer" else text)
        return shown

    def _add(self, channel: Channel, text: str) -> list[Piece]:
        """The new part only: the end of a continued answer may have been held back again."""
        known = max(len(self._text[channel]), len(self._old[channel]))
        self._text[channel] += text
        new = self._text[channel][known:]
        return [(channel, new)] if new else []

    def _whole(self, channel: Channel) -> str:
        text, old = self._text[channel], self._old[channel]
        # Otherwise the old text turned out to begin a tag or a stop string.
        return self._before[channel] + text[len(old) :] if text.startswith(old) else text


def _nothing() -> dict[Channel, str]:
    return {"thinking": "", "answer": ""}


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
        drafts: what they did; zeros without.
    """

    ids: tuple[int, ...]
    stop: StopReason
    first_at: float | None
    last_at: float | None
    drafts: Drafted = NO_DRAFTS

    @property
    def decode_tok_s(self) -> float | None:
        """Tokens per second after the first token."""
        if self.first_at is None or self.last_at is None or self.last_at <= self.first_at:
            return None
        return (len(self.ids) - 1) / (self.last_at - self.first_at) if len(self.ids) > 1 else None


# The result of a cancelled prompt.
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
    room: Callable[[], Wait | None],
    show: Callable[[Piece, int], None],
    drafts: Drafter | None = None,
) -> Work[Decoded]:
    """Sample, emit and apply tokens until something ends the answer.

    The last sampled token is not applied: what is stored afterwards is the state before it.

    Args:
        room: asked where the KV plane is full: whether it is worth waiting for a slot.
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
        following = None
        if sequence.position + 1 < limits.context:
            # No further than the end, nor than the next checkpoint, where drafts are dropped.
            ahead = min(sampling.max_tokens - len(ids), limits.context - sequence.position - 1)
            if limits.decode_interval:
                ahead = min(ahead, limits.decode_interval - since)
            step = Step(sequence, token, drafts, ahead - 1)
            following = yield step
            while following is None and (wait := room()) is not None and not cancelled():
                yield wait
                following = yield step
        if following is None:
            stop = "cancelled" if cancelled() else "context"
            break
        logits = following
        since += 1
        if since == limits.decode_interval:
            sequence.donate("decode", "interval")
            since = 0
    for piece in stream.finish(cut=stop in ("length", "context", "cancelled")):
        show(piece, len(ids))
    drafted = NO_DRAFTS if drafts is None else drafts.drafted
    return Decoded(tuple(ids), stop, first_at, last_at, drafted)
