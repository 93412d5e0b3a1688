"""What stands in the composer is in the file at every moment, as a draft or as a message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app.core.session.changes import Change
from app.core.session.keeper import Keeper
from app.core.store.opening import open_store
from app.core.store.store import Store
from tests.app.conftest import Desk

TEXT = "Not lost"


@dataclass
class Watched:
    """A desk whose every change is written at once, and what the file held after each.

    Attributes:
        drafts, messages: the texts, one set for each change.
    """

    desk: Desk
    store: Store
    drafts: list[set[str]] = field(default_factory=list)
    messages: list[set[str]] = field(default_factory=list)

    def note(self, _changes: frozenset[Change]) -> None:
        """As if the writer's thread were always faster than the window's."""
        assert self.store.flush()
        said = [
            m.content for one in self.store.conversations() for m in self.store.messages(one.id)
        ]
        self.drafts.append(set(self.store.drafts().values()))
        self.messages.append(set(said))

    def field(self, name: str) -> QPlainTextEdit:
        fields = self.desk.window.findChildren(QPlainTextEdit)
        (found,) = (f for f in fields if f.accessibleName() == name and f.isVisible())
        return found

    def enter(self, name: str, text: str) -> None:
        self.desk.qtbot.keyClicks(self.field(name), text)
        self.desk.qtbot.keyClick(self.field(name), Qt.Key.Key_Return)
        self.desk.until(lambda: not self.desk.session.busy)


@pytest.fixture
def watched(desk: Desk, tmp_path: Path) -> Iterator[Watched]:
    store = open_store(tmp_path / "data").store
    keeper = Keeper(desk.session, store, pytest.fail)
    keeper.restore()
    made = Watched(desk, store)
    desk.bridge.changed.connect(keeper.keep)
    desk.bridge.changed.connect(made.note)
    yield made
    desk.bridge.changed.disconnect(made.note)
    desk.bridge.changed.disconnect(keeper.keep)
    assert keeper.close()


def test_a_sent_text_is_a_draft_until_it_is_a_message(watched: Watched) -> None:
    watched.enter("Message", TEXT)
    both = [
        TEXT in drafts | said for drafts, said in zip(watched.drafts, watched.messages, strict=True)
    ]
    # Once the last letter was typed, it never left the file.
    assert False not in both[both.index(True) :]
    assert TEXT in watched.messages[-1]
    assert watched.drafts[-1] == set()


def test_an_edited_message_leaves_the_draft_alone(watched: Watched) -> None:
    watched.enter("Message", "One")
    watched.desk.qtbot.keyClicks(watched.field("Message"), TEXT)
    watched.desk.window.menus.edit_last.trigger()
    QApplication.processEvents()
    watched.field("Edit your message").selectAll()
    watched.enter("Edit your message", "Uno")
    assert watched.messages[-1] >= {"One", "Uno"}
    assert watched.desk.window.chat.composer.text == TEXT
    assert watched.drafts[-1] == {TEXT}
