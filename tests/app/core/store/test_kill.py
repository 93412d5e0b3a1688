"""kill -9 at random moments: the file opens, and nothing that was complete is lost."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.store.opening import open_store
from tests.app.core.store.killed import said

ROUNDS, MOST_ROUNDS = 20, 100


class Killed:
    """A process that writes to a folder until it is killed."""

    def __init__(self, folder: Path, seed: int) -> None:
        command = [sys.executable, "-m", "tests.app.core.store.killed", str(folder), str(seed)]
        self._process = subprocess.Popen(
            command, cwd=Path(__file__).parents[4], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "open\n"

    def after(self, seconds: float) -> list[int]:
        """Kill it; the ids that were complete before."""
        try:
            self._process.wait(seconds)
            raise AssertionError("it ended by itself")
        except subprocess.TimeoutExpired:
            self._process.kill()
        told, _ = self._process.communicate()
        whole, _, _ = told.rpartition("\n")
        return [int(line) for line in whole.split()]


@pytest.mark.slow
def test_nothing_complete_is_lost(tmp_path: Path) -> None:
    """One folder is written, killed and opened again and again."""
    rng = random.Random(11)
    known: list[int] = []
    broken_off = 0
    for round in range(MOST_ROUNDS):
        if round >= ROUNDS and broken_off:
            break
        known += Killed(tmp_path / "data", round).after(rng.uniform(0.02, 0.5))
        opened = open_store(tmp_path / "data")
        store = opened.store
        assert opened.sentence == ""
        found = {
            message.id: message
            for conversation in store.conversations()
            for message in store.messages(conversation.id)
        }
        for number in known:
            message = found[number]
            assert message.complete
            assert message.content == said(number)
            if message.role == "assistant":
                assert message.token_ids == tuple(range(number, number + 50))
        for message in found.values():
            assert said(message.id).startswith(message.content)
            assert message.parent_id is None or message.parent_id in found
            broken_off += not message.complete
        for conversation in store.conversations():
            assert conversation.leaf in found
        assert store.drafts().keys() <= {one.id for one in store.conversations()}
        store.close()
    assert len(known) > 2 * ROUNDS
    # Some of the kills fell into the middle of an answer, whose beginning is there.
    assert broken_off
