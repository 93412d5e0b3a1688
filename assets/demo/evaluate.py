"""Measures the demo model: `python -m assets.demo.evaluate --count 200` for recall over whole
conversations, `--honest`, `--everyday` and `--inside` for what `examine` describes.

Three ways to answer, which must agree: the engine with its cache, the engine without it, and the
training network's own greedy generation, which knows no cache at all (`--by cache|cold|network`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch

from assets.demo.bundle import MODEL_FOLDER, load_network
from assets.demo.examine import (
    Mark,
    Reply,
    contains,
    examine_chats,
    examine_honesty,
    examine_inside,
)
from assets.demo.generate import reply
from assets.demo.recall import RecallConversation, recall_conversations
from assets.demo.tokenizer import open_tokenizer
from engine import Engine, EngineConfig, Message, PromptOptions, Sampling
from engine.events import RequestFinished

LONGEST_ANSWER = 160


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: the message for the history, and whether it ended by itself."""

    message: Message
    stopped: bool


Answer = Callable[[list[Message], bool], Said]


@contextmanager
def answering(by: str, folder: Path, threads: int) -> Iterator[Answer]:
    """A greedy answer to messages, thinking first or not, by one of the three ways."""
    if by == "network":
        torch.set_num_threads(threads)
        network, tokenizer = load_network(folder), open_tokenizer(folder)

        def from_network(messages: list[Message], thinking: bool) -> Said:
            rows = [{"role": m.role, "content": m.content} for m in messages]
            said = reply(network, tokenizer, rows, thinking=thinking)
            return Said(Message("assistant", said.content), said.stopped)

        yield from_network
        return
    with Engine.open(folder, EngineConfig(threads=threads)) as engine:

        def from_engine(messages: list[Message], thinking: bool) -> Said:
            *_, last = engine.generate(
                messages,
                Sampling.greedy(LONGEST_ANSWER),
                PromptOptions(thinking=thinking),
                reuse=by == "cache",
            )
            assert isinstance(last, RequestFinished), last
            message = Message(
                "assistant", last.text, thinking=last.thinking, token_ids=last.token_ids
            )
            return Said(message, last.stop == "end")

        yield from_engine


def judge(conversation: RecallConversation, answer: str) -> dict[str, bool]:
    """Which of the expected name and number the answer holds."""
    name, number = (contains(answer, expected) for expected in conversation.expected)
    return {"name": name, "number": number, "both": name and number}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--distance", type=int, default=6, help="turns from the facts to the question"
    )
    parser.add_argument("--model", type=Path, default=MODEL_FOLDER)
    parser.add_argument("--thinking", action="store_true", help="think before the last answer")
    parser.add_argument("--by", choices=("cache", "cold", "network"), default="cache")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument(
        "--show", type=int, default=0, help="print this many conversations, or wrong answers"
    )
    for name, said in EXAMINED.items():
        parser.add_argument(f"--{name}", action="store_true", help=said[0])
    given = parser.parse_args()
    wanted = [name for name in EXAMINED if getattr(given, name)]
    with answering(given.by, given.model, given.threads or 2) as answer:
        for name in wanted:
            print(json.dumps({"by": given.by, "measured": name} | examined(answer, name, given)))
        if not wanted:
            print(json.dumps({"by": given.by} | measure(answer, given)))


EXAMINED: dict[str, tuple[str, Callable[[Reply], Iterator[Mark]]]] = {
    "honest": ("requests beyond the model", examine_honesty),
    "everyday": ("names and numbers in everyday wording", examine_chats),
    "later": ("the same, written after the corpus", partial(examine_chats, name="later")),
    "inside": ("questions inside the corpus", examine_inside),
}


def spoken(answer: Answer, thinking: bool) -> Reply:
    """`answer` for user and assistant lines that alternate."""

    def said_back(lines: list[str]) -> str:
        roles = ("user", "assistant")
        messages = [Message(roles[place % 2], line) for place, line in enumerate(lines)]
        return answer(messages, thinking).message.content

    return said_back


def examined(answer: Answer, name: str, given: argparse.Namespace) -> dict[str, int]:
    """How many of the marks are right; shows up to `--show` of those that are not."""
    marks = list(EXAMINED[name][1](spoken(answer, given.thinking)))
    wrong = [mark for mark in marks if not mark.right]
    for mark in wrong[: given.show]:
        print("\n  ".join(mark.said))
    return {"right": len(marks) - len(wrong), "of": len(marks)}


def measure(answer: Answer, given: argparse.Namespace) -> dict[str, float]:
    """Hold every conversation and count what the last answer knows."""
    totals = {"name": 0, "number": 0, "both": 0, "stopped": 0}
    turns = 0
    for index, talk in enumerate(recall_conversations(given.seed, given.count, given.distance)):
        messages = [Message("system", talk.system)] if talk.system else []
        for turn, said in enumerate(talk.user_turns):
            messages.append(Message("user", said))
            last = turn == len(talk.user_turns) - 1
            said_back = answer(messages, given.thinking and last)
            messages.append(said_back.message)
            totals["stopped"] += said_back.stopped
            turns += 1
        marks = judge(talk, messages[-1].content)
        for key, value in marks.items():
            totals[key] += value
        if index < given.show:
            print("\n".join(f"{m.role}: {m.content}" for m in messages), marks, "\n")
    shares = {key: totals[key] / given.count for key in ("name", "number", "both")}
    figures = {"conversations": given.count, "distance": given.distance, "seed": given.seed}
    return figures | shares | {"turns": turns, "stopped": totals["stopped"] / turns}


if __name__ == "__main__":
    main()
