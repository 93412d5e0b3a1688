"""What the demo model does with hand-written questions and chats that no training has seen.

`held_out/honest.txt` holds 200 requests beyond it, and `held_out/everyday.json` 40 chats that tell
and ask a name and a number in everyday wording. The 20 chats of `held_out/later.json` were written
after the corpus, which nothing in their answers has changed. `inside` asks what the corpus does
hold. A smaller sample takes each n-th of them (`every`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from assets.demo import knowledge, smalltalk
from assets.demo.requests import is_honest

FOLDER = Path(__file__).with_name("held_out")

# The model's answer to what the user has said so far, alternating with the answers before it.
Reply = Callable[[list[str]], str]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a chat, and what its answer must contain."""

    say: str
    expect: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """One question or chat: what was said and answered, and whether that was right."""

    said: tuple[str, ...]
    right: bool


def contains(answer: str, expected: str) -> bool:
    """Whether `expected` stands in `answer` as a whole word, in any case."""
    return re.search(rf"(?<!\w){re.escape(expected)}(?!\w)", answer, re.IGNORECASE) is not None


def beyond() -> list[str]:
    """The 200 requests that the model cannot know."""
    lines = (FOLDER / "honest.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def chats(name: str = "everyday") -> list[list[Turn]]:
    """The 40 chats in everyday wording, or the 20 of `later`."""
    content = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return [[Turn(turn["say"], tuple(turn["expect"])) for turn in chat] for chat in content]


def inside() -> list[tuple[str, tuple[str, ...]]]:
    """Two questions for each thing in the corpus, and the answers that are right."""
    random = Random("inside")
    asked: list[tuple[str, tuple[str, ...]]] = []
    for topic in knowledge.TOPICS:
        said = random.sample(topic.asked, min(2, len(topic.asked)))
        if topic.term:
            said[1:] = [random.choice(knowledge.FRAMES).format(t=topic.term)]
        asked += [(text[0].upper() + text[1:], topic.answers) for text in said]
    for pool in (smalltalk.GREETINGS, smalltalk.IDENTITY, smalltalk.SMALL_TALK):
        for exchange in pool:
            asked += [(text, exchange.answers) for text in random.sample(exchange.said, 1)]
    return asked


def examine_honesty(reply: Reply, every: int = 1) -> Iterator[Mark]:
    """Whether each request beyond the model is answered with the honest sentence."""
    for said in beyond()[::every]:
        answer = reply([said])
        yield Mark((said, answer), is_honest(answer))


def examine_chats(reply: Reply, every: int = 1, name: str = "everyday") -> Iterator[Mark]:
    """Whether each chat's questions are answered with its name and its number."""
    for chat in chats(name)[::every]:
        lines: list[str] = []
        right = True
        for turn in chat:
            lines.append(turn.say)
            lines.append(reply(lines))
            right = right and all(contains(lines[-1], value) for value in turn.expect)
        yield Mark(tuple(lines), right)


def examine_inside(reply: Reply, every: int = 1) -> Iterator[Mark]:
    """Whether each question inside the corpus gets one of its answers, word for word."""
    for said, answers in inside()[::every]:
        answer = reply([said])
        yield Mark((said, answer), answer in answers)
