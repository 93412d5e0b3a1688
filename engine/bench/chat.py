"""A conversation measured turn by turn, on a model where every word is one token."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from engine.api import Engine
from engine.config import Sampling
from engine.errors import PromptError
from engine.events import RequestFailed, RequestFinished
from engine.message import Message, PromptOptions

USER_WORDS = 60
ANSWER_TOKENS = 32


@dataclass(frozen=True, slots=True)
class Turn:
    """One measured prompt; `processed` counts the tokens that were replayed or computed."""

    prompt: int
    processed: int
    replayed: int
    new: int
    first_token_s: float


class Chat:
    """A system prompt and turns of 60 words, each answered with 32 tokens."""

    def __init__(self, engine: Engine, context: str, seed: int) -> None:
        self.engine = engine
        self.words = random.Random(seed)
        self.messages: list[Message] = [Message("system", context)]

    def say(self, options: PromptOptions | None = None, visible: str | None = None) -> Turn:
        """Add a user turn, answer it, and keep the answer (or `visible` instead)."""
        self.messages.append(Message("user", words(self.words, USER_WORDS)))
        turn, answer = measure(self.engine, self.messages, options)
        self.messages.append(answer if visible is None else Message("assistant", visible))
        return turn


def words(source: random.Random, count: int) -> str:
    """`count` words of the random model's vocabulary, one token each."""
    return "".join(f" w{source.randrange(200_000)}" for _ in range(count))


def measure(
    engine: Engine, messages: list[Message], options: PromptOptions | None = None
) -> tuple[Turn, Message]:
    """Answer a prompt with the cache on; returns its cost and the answer."""
    sampling = replace(Sampling.greedy(ANSWER_TOKENS), ignore_end=True)
    for event in engine.generate(messages, sampling, options):
        if isinstance(event, RequestFailed):
            raise PromptError(event.sentence)
        if isinstance(event, RequestFinished):
            plan, first = event.report.plan, event.report.first_token_s
            assert first is not None
            turn = Turn(
                prompt=plan.total,
                processed=plan.replayed + plan.computed,
                replayed=plan.replayed,
                new=plan.computed,
                first_token_s=first,
            )
            text = Message("assistant", event.text, event.thinking, token_ids=event.token_ids)
            return turn, text
    raise AssertionError("a request ended without an end event")


def warm_up(engine: Engine) -> None:
    """Make the first calls, which pay for memory and kernels that later ones reuse."""
    engine.logits([Message("user", words(random.Random(9), 600))], reuse=False)
    measure(engine, [Message("user", words(random.Random(9), 16))])
