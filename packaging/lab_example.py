"""Records assets/lab_example.json.gz: what the memory lab shows before there is anything to show.

    python packaging/lab_example.py [FILE]

With the bundled model: readings of the example's text, and a chat of four requests, the last of
which replaces an earlier message, with the cache that they leave.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import msgspec

from app.core.options.shared import demo_model_dir
from app.core.session.ledger import Ran
from app.lab.logic.example import TEXT, WORD, Example, example_file
from app.lab.token_field import occurrences
from engine import Engine, EngineConfig
from engine.commands import InspectMemory, InspectRecall
from engine.config import Sampling
from engine.events import RequestFinished
from engine.message import Message
from engine.readings import MemoryReading, RecallReading
from engine.run.inspect.jobs import memory_steps, recall_steps

CONFIG = EngineConfig(cache_bytes=32 << 20, threads=1)
SYSTEM = "You are a patient guide to prefix caches. Answer in a few short sentences."
QUESTIONS = ("What is a prefix cache?", "What is a checkpoint?", "And what is a tombstone?")
INSTEAD = "What does a branch cost?"
TITLE, ANSWER_TOKENS = "Prefix caches", 40


def read_memory(engine: Engine) -> MemoryReading:
    asked = InspectMemory(1, (), text=TEXT)
    *_, found = engine.on_core(lambda core: list(memory_steps(core, asked)))
    assert isinstance(found, MemoryReading)
    return found


def read_recall(engine: Engine, needle: tuple[int, int] | None = None) -> RecallReading:
    asked = InspectRecall(1, (), text=TEXT, needle=needle)
    *_, found = engine.on_core(lambda core: list(recall_steps(core, asked)))
    assert isinstance(found, RecallReading)
    return found


def chat(engine: Engine) -> tuple[Ran, ...]:
    """A question, two more, then another one in place of the second."""
    said, runs = [Message("system", SYSTEM)], list[Ran]()
    for question in (*QUESTIONS, INSTEAD):
        if question == INSTEAD:
            del said[3:]
        said.append(Message("user", question))
        *_, done = engine.generate(tuple(said), Sampling.greedy(ANSWER_TOKENS))
        assert isinstance(done, RequestFinished), done
        runs.append(Ran(len(runs) + 1, TITLE, done.stop, done.report))
        said.append(Message("assistant", done.text, token_ids=done.token_ids))
    return tuple(runs)


def main(target: Path) -> None:
    with Engine.open(demo_model_dir(), CONFIG) as engine:
        runs = chat(engine)
        needle = occurrences(read_recall(engine).texts, WORD)[0]
        made = Example(
            engine.model.cache_shape,
            read_memory(engine),
            read_recall(engine, needle),
            runs,
            len(runs) - 1,
            engine.snapshot(),
        )
    # Without the time of day, so that equal contents are an equal file.
    # Sentences become plain texts.
    data = msgspec.json.encode(made, enc_hook=str.__str__)
    target.write_bytes(gzip.compress(data, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else example_file())
