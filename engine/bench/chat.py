"""A conversation measured turn by turn, on a model where every word is one token."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine.api import Engine
from engine.bench.timed import answer, exactly
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
        turn, said = measure(self.engine, self.messages, options)
        self.messages.append(said if visible is None else Message("assistant", visible))
        return turn


def words(source: random.Random, count: int) -> str:
    """`count` words of the random model's vocabulary, one token each."""
    return "".join(f" w{source.randrange(200_000)}" for _ in range(count))


def measure(
    engine: Engine, messages: list[Message], options: PromptOptions | None = None
) -> tuple[Turn, Message]:
    """Answer a prompt with the cache on; returns its cost and the answer."""
    ended = answer(engine, messages, exactly(ANSWER_TOKENS), options)
    plan, first = ended.report.plan, ended.report.first_token_s
    assert first is not None
    turn = Turn(
        prompt=plan.total,
        processed=plan.replayed + plan.computed,
        replayed=plan.replayed,
        new=plan.computed,
        first_token_s=first,
    )
    return turn, Message("assistant", ended.text, ended.thinking, token_ids=ended.token_ids)


def warm_up(engine: Engine) -> None:
    """Make the first calls, which pay for memory and kernels that later ones reuse."""
    engine.logits([Message("user", words(random.Random(9), 600))], reuse=False)
    measure(engine, [Message("user", words(random.Random(9), 16))])
