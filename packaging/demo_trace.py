"""Records assets/demo.trace.jsonl.gz: what File > Open demo trace shows.

    python packaging/demo_trace.py [FILE]

Three chats on one system prompt, on the bundled model, in a cache that is too small for them: later
turns, an edited message, another answer, thinking that the template drops, checkpoints that are
evicted to host memory and come back. The trace has the texts.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.core.options.shared import demo_model_dir
from engine.commands import Record, StopRecording, Submit
from engine.config import EngineConfig, Sampling
from engine.events import EngineFailed, RecordingEnded, RequestFailed, RequestFinished
from engine.loop import RunLoop
from engine.message import Message, PromptOptions

CONFIG = EngineConfig(
    cache_bytes=5 << 20, host_bytes=8 << 20, interval=128, decode_interval=32, threads=1
)
SYSTEM = (
    "You are a patient guide to prefix caches. Answer in a few short sentences, and name the plane "
    "you speak of: the keys and values of the attention layers, or the states of the linear ones."
)
CACHES = (
    "What is a prefix cache?",
    "What is a checkpoint?",
    "Why can a state not be cut in the middle?",
    "What is a tombstone?",
    "And what does a branch cost?",
)
PHASES = ("What is prefill?", "And decode?", "Which one takes longer?", "What is an eviction?")
STORY = ("Tell me a story about a fox.", "And then?", "Who was the other one?", "How did it end?")


@dataclass
class Chat:
    """A conversation: its number, and what was said so far."""

    owner: int
    thinking: bool = False
    said: list[Message] = field(default_factory=lambda: [Message("system", SYSTEM)])


class Day:
    """An engine that is recorded, and what is asked of it."""

    def __init__(self, target: Path) -> None:
        self._loop = RunLoop(demo_model_dir(), CONFIG)
        self._loop.start()
        self._requests = 0
        self._loop.post(Record(str(target), text=True))

    def ask(self, chat: Chat, text: str, tokens: int = 60) -> None:
        """Say something and wait for the answer."""
        chat.said.append(Message("user", text))
        self._answer(chat, tokens)

    def again(self, chat: Chat, tokens: int = 60) -> None:
        """Another answer to the last question."""
        chat.said.pop()
        self._answer(chat, tokens)

    def edit(self, chat: Chat, turn: int, text: str) -> None:
        """Ask another question in place of an earlier one, from 0; what followed it goes."""
        del chat.said[1 + 2 * turn :]
        self.ask(chat, text)

    def end(self) -> None:
        self._loop.post(StopRecording())
        self._wait(RecordingEnded)
        self._loop.close(30)

    def _answer(self, chat: Chat, tokens: int) -> None:
        self._requests += 1
        sampling = replace(Sampling.greedy(tokens), seed=1)
        options = PromptOptions(thinking=chat.thinking)
        prompt = tuple(chat.said)
        self._loop.post(Submit(self._requests, prompt, sampling, options, owner=chat.owner))
        done = self._wait(RequestFinished)
        assert isinstance(done, RequestFinished)
        chat.said.append(
            Message("assistant", done.text, thinking=done.thinking, token_ids=done.token_ids)
        )

    def _wait(self, kind: type) -> object:
        while True:
            for event in self._loop.drain():
                if isinstance(event, EngineFailed | RequestFailed):
                    raise SystemExit(event.sentence)
                if isinstance(event, kind):
                    return event
            time.sleep(0.01)


def main(target: Path) -> None:
    day = Day(target)
    caches, phases, story = Chat(1), Chat(2, thinking=True), Chat(3)
    for turn in range(3):
        day.ask(caches, CACHES[turn])
        day.ask(phases, PHASES[turn], 90)
    day.ask(story, STORY[0])
    day.ask(story, STORY[1])
    day.edit(caches, 1, "What is kept at a checkpoint, and in which plane?")
    day.again(caches)
    day.ask(phases, PHASES[3], 90)
    day.ask(story, STORY[2])
    day.ask(caches, CACHES[3])
    day.edit(story, 1, "And what did the others say?")
    day.ask(caches, CACHES[4])
    day.end()


if __name__ == "__main__":
    folder = Path(__file__).resolve().parents[1] / "assets"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else folder / "demo.trace.jsonl.gz")
