"""A moment of the tape is what the engine held then: nodes, texts, owners, pools, bytes, sums."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from engine import EngineConfig, Message, Sampling
from engine.commands import DropCache, Submit, WatchJournal
from engine.events import Event, RequestFinished
from engine.journal.feed import JournalFed
from engine.journal.tape import Tape
from engine.loop import RunLoop
from engine.message import PromptOptions
from engine.snapshot import CacheSnapshot

REQUESTS = 24
DISK_BYTES = 1500 << 10


class Talk:
    """Chats on the demo model's tokenizer with a small device and, perhaps, tiers below."""

    def __init__(
        self, folder: Path, seed: int, host_bytes: int, cache_dir: Path | None = None
    ) -> None:
        config = EngineConfig(
            cache_bytes=(700 if cache_dir else 1500) << 10,
            host_bytes=host_bytes,
            disk_bytes=DISK_BYTES if cache_dir else 0,
            cache_dir=cache_dir,
            threads=1,
            interval=64,
            decode_interval=8,
        )
        self.loop = RunLoop(folder, config)
        self.loop.start()
        self.loop.post(WatchJournal(on=True))
        self.rng = np.random.default_rng(seed)
        self.tape: Tape | None = None
        self.chats: list[list[Message]] = [[] for _ in range(3)]
        self.moments: list[tuple[int, CacheSnapshot]] = []

    def ask(self, number: int) -> None:
        at = int(self.rng.integers(3))
        chat = self.chats[at]
        if len(chat) > 4 and self.rng.random() < 0.3:
            del chat[2:]
        words = " ".join(f"w{word}" for word in self.rng.integers(0, 300, 25))
        chat.append(Message("user", words))
        options = PromptOptions(thinking=bool(self.rng.random() < 0.5))
        sampling = Sampling.greedy(int(self.rng.integers(4, 20)))
        if self.rng.random() < 0.1:
            self.loop.post(DropCache())
        self.loop.post(Submit(number, tuple(chat), sampling, options, owner=at + 1))
        done: RequestFinished | None = None
        while done is None:
            for event in self._heard():
                done = event if isinstance(event, RequestFinished) else done
        chat.append(
            Message("assistant", done.text, thinking=done.thinking, token_ids=done.token_ids)
        )
        snapshot, entries = self.loop.call(
            lambda core: (core.read_anew(), core.store.journal.seq)
        ).result()
        assert self.tape is not None
        while not len(self.tape) or self.tape.entry(len(self.tape) - 1).seq < entries:
            self._heard()
        # While the engine is idle, it goes on writing files.
        index = len(self.tape)
        while self.tape.entry(index - 1).seq > entries:
            index -= 1
        self.moments.append((index, snapshot))

    def _heard(self) -> list[Event]:
        time.sleep(0.005)
        events = self.loop.drain()
        for event in events:
            if isinstance(event, JournalFed):
                if event.header is not None:
                    self.tape = Tape(event.header)
                assert self.tape is not None
                self.tape.append(event.lines)
        return events


@pytest.mark.slow
@pytest.mark.parametrize(
    ("host_bytes", "disk"),
    [(0, False), (6 << 20, False), (0, True), (400 << 10, True)],
    ids=["device", "host", "disk", "host and disk"],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_moment_is_as_it_was(
    tiny_folder: Path, tmp_path: Path, seed: int, host_bytes: int, disk: bool
) -> None:
    talk = Talk(tiny_folder, seed, host_bytes, tmp_path if disk else None)
    for number in range(1, REQUESTS + 1):
        talk.ask(number)
    tape = talk.tape
    assert tape is not None
    assert len(tape.evictions) > 5
    moments = [talk.moments[at] for at in talk.rng.permutation(len(talk.moments))]
    for index, live in moments:
        past = tape.snapshot(index)
        assert {n.id: n for n in past.nodes} == {n.id: n for n in live.nodes}
        assert (past.kv, past.state, past.host) == (live.kv, live.state, live.host)
        assert (past.disk, past.disk_untold) == (live.disk, False)
        assert past.memory == live.memory
        assert dict(past.evicted) == {cause: n for cause, n in live.evicted if n}
        assert past.skipped_checkpoints == live.skipped_checkpoints
        assert past.quarantined == live.quarantined
        # The bar's parts are those of the allocator.
        device = [node for node in past.nodes if node.tier == "device"]
        assert sum(node.kv_bytes for node in device) == live.kv.cached * live.kv.slot_bytes
    assert any(node.speech for _, live in moments for node in live.nodes)
    tiers = {n.checkpoint.state.tier for _, live in moments for n in live.nodes if n.checkpoint}
    below = ({"host"} if host_bytes else set()) | ({"disk"} if disk else set())
    assert tiers == {"device"} | below
    if disk:
        assert any(node.tier == "disk" for _, live in moments for node in live.nodes)
        assert "disk budget" in {one.evicted.cause for one in tape.evictions}
    assert talk.loop.close(60)
