"""Deleting conversations in the window, on the real engine and the bundled model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.core.options.shared import demo_model_dir
from app.core.session.model import Session
from engine.config import EngineConfig, Sampling
from tests.app.real_window import RealWindow

RULES = "Answer in one short sentence, and stay polite. " * 8
HERS = "My name is Annabel and my locker has the number 4711."
HIS = "What is a prefix cache, and what is it good for?"


class Chats(RealWindow):
    """A window on the real engine, with files in a folder."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.folder = folder
        config = EngineConfig(
            threads=1,
            cache_bytes=64 << 20,
            host_bytes=16 << 20,
            disk_bytes=64 << 20,
            cache_dir=folder,
            interval=64,
        )
        super().__init__(qtbot, Session(sampling=Sampling(max_tokens=24, seed=1)), config)
        self.open()

    def begin(self, *texts: str) -> int:
        """A conversation with the common system text; its number."""
        self.window.menus.new.trigger()
        self.bridge.perform(self.session.set_system(RULES))
        for text in texts:
            self.say(text)
        return self.session.current.id

    def written(self) -> None:
        """Let the engine write what it has."""
        self.qtbot.waitUntil(self._at_rest)

    def _at_rest(self) -> bool:
        snapshot = self.session.cache.snapshot
        disk = None if snapshot is None else snapshot.disk
        return disk is not None and disk.files > 0 and not disk.pending and self._saved()

    def _saved(self) -> bool:
        """Every state on the device is in a file: their positions are."""
        assert self.session.cache.snapshot is not None
        held = {n.end for n in self.session.cache.snapshot.nodes if n.checkpoint is not None}
        return held <= {end for _, end, _ in segments(self.folder)}

    def files_with(self, text: str) -> list[str]:
        """The files whose tokens spell `text`."""
        from tokenizers import Tokenizer

        read = Tokenizer.from_file(str(demo_model_dir() / "tokenizer.json"))
        return [
            name
            for name, _, ids in segments(self.folder)
            if text in read.decode(ids, skip_special_tokens=False)
        ]


def segments(folder: Path) -> list[tuple[str, int, list[int]]]:
    """Name, end and token ids of every segment file, read by hand."""
    found = []
    for path in folder.rglob("*.safetensors"):
        raw = path.read_bytes()
        size = int.from_bytes(raw[:8], "little")
        header = json.loads(raw[8 : 8 + size])
        start, end = header["tokens"]["data_offsets"]
        ids = np.frombuffer(raw[8 + size + start : 8 + size + end], "<i4").tolist()
        about = json.loads(header["__metadata__"]["segment"])
        found.append((path.name, about["end"], ids))
    return found


@pytest.fixture
def chats(qtbot: QtBot, tmp_path: Path) -> Iterator[Chats]:
    made = Chats(qtbot, tmp_path)
    yield made
    made.close()


def test_a_deleted_conversation_leaves_the_disk_and_the_other_keeps_its_cache(
    chats: Chats,
) -> None:
    hers = chats.begin(HERS, "What is my name?")
    chats.begin(HIS)
    chats.written()
    assert chats.files_with("Annabel")
    kept = set(chats.files_with("prefix cache"))
    assert kept
    status = chats.window.status
    chats.window.chats.deleted.emit(hers)
    assert chats.files_with("Annabel"), "a deletion that can be undone removes nothing yet"
    evict = status.offers["evict"]
    evict.setFocus(Qt.FocusReason.TabFocusReason)
    chats.qtbot.keyClick(evict, Qt.Key.Key_Space)
    chats.qtbot.waitUntil(lambda: "Evicted from the cache" in status.currentMessage())
    assert chats.files_with("Annabel") == []
    assert chats.files_with("4711") == []
    assert kept <= set(chats.files_with("prefix cache"))
    chats.say("And what is a checkpoint?")
    report = chats.session.current.turns[-1].report
    first = chats.session.current.turns[1].report
    assert report is not None
    assert first is not None
    # All of the first prompt, which nothing of the deleted conversation followed.
    assert report.plan.reused >= first.plan.total - 8
    assert report.plan.replayed == 0


def test_an_undone_deletion_is_there_again_after_its_cache_is_gone(chats: Chats) -> None:
    hers = chats.begin(HERS)
    chats.begin(HIS)
    chats.window.chats.deleted.emit(hers)
    chats.window.menus.evict.trigger()
    status = chats.window.status
    chats.qtbot.waitUntil(lambda: "Evicted from the cache" in status.currentMessage())
    chats.window.menus.restore.trigger()
    assert chats.session.current.id == hers
    chats.say("What is my name?")
    assert chats.session.current.turns[-1].text


def test_the_details_of_a_prefix_lead_to_its_message(chats: Chats) -> None:
    hers = chats.begin(HERS, "What is my name?")
    his = chats.begin(HIS)
    drawer, canvas = chats.window.cache.drawer, chats.window.cache.canvas
    snapshot = chats.session.cache.snapshot
    assert snapshot is not None
    leaf = next(n for n in snapshot.nodes if "Annabel" in n.text or "My name" in n.text)
    shared = next(n for n in snapshot.nodes if n.start == 0 and n.end > 0)
    canvas.select(shared.id)
    chats.qtbot.waitUntil(lambda: len(drawer.owners.links) == 2)
    assert [link.text()[:7] for link in drawer.owners.links] == ["What is", "My name"]
    canvas.select(leaf.id)
    chats.qtbot.waitUntil(lambda: len(drawer.owners.links) == 1)
    assert chats.session.current.id == his
    link = drawer.owners.links[0]
    link.setFocus(Qt.FocusReason.TabFocusReason)
    chats.qtbot.keyClick(link, Qt.Key.Key_Space)
    assert chats.session.current.id == hers
    asked = chats.session.current.turns[0]
    assert asked.text == HERS
    canvas.select(leaf.id)
    chats.window.chats.deleted.emit(hers)
    assert not drawer.owners.isVisible(), "a link to a conversation that is deleted leads nowhere"
