"""Records the golden traces of tests/assets/traces: `python -m tests.assets.make_traces`.

One workload on the bundled model, three chats in rotation on one system text, with an edit and a
return; recorded with a small device, with twice as much, and with a host and a disk tier below.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path

import assets
from engine import Engine, EngineConfig, Message, Sampling
from engine.events import RequestFinished

TRACES = Path(__file__).parent / "traces"
DEMO_MODEL = Path(assets.__file__).parent / "demo_model"
SMALL_BYTES = 5 << 20
ROUNDS = 4
PAUSE_S = 1.5

SYSTEM = Message("system", "You are a friendly assistant. " + "Answer kindly and briefly. " * 12)
TOPICS = ("my cat Tom", "the rain in May", "a walk to the sea")
CONFIG = EngineConfig(
    cache_bytes=SMALL_BYTES, interval=64, decode_interval=16, context=1024, threads=1
)
SETTINGS = {
    "small": CONFIG,
    "roomy": replace(CONFIG, cache_bytes=2 * SMALL_BYTES),
    "tiers": replace(CONFIG, host_bytes=3 << 20, disk_bytes=8 << 20),
}


def ask(engine: Engine, chat: list[Message], text: str) -> None:
    """One more turn of a chat."""
    chat.append(Message("user", text))
    *_, last = engine.generate([SYSTEM, *chat], Sampling.greedy(40))
    assert isinstance(last, RequestFinished), last
    chat.append(Message("assistant", last.text))


def run(engine: Engine) -> None:
    """The workload, with a pause in each round."""
    chats: list[list[Message]] = [[] for _ in TOPICS]
    for turn in range(ROUNDS):
        for chat, topic in zip(chats, TOPICS, strict=True):
            ask(engine, chat, f"Tell me more about {topic}, part {turn + 1}. " + "Please. " * 20)
        time.sleep(PAUSE_S)
    edited = chats[0][:2]
    ask(engine, edited, "Now something else entirely. What is your name?")
    ask(engine, chats[0], "And back to the first branch. What did I ask you?")


def record(name: str, config: EngineConfig) -> None:
    with tempfile.TemporaryDirectory() as folder:
        config = replace(config, cache_dir=Path(folder)) if config.disk_bytes else config
        with Engine.open(DEMO_MODEL, config) as engine:
            engine.record(TRACES / f"{name}.jsonl.gz", text=True)
            run(engine)
            done = engine.stop_recording()
    assert done is not None, name
    assert not done.problem, done.problem
    print(f"{name}: {done.lines:,} lines")


def main() -> None:
    TRACES.mkdir(exist_ok=True)
    for name, config in SETTINGS.items():
        record(name, config)


if __name__ == "__main__":
    main()
