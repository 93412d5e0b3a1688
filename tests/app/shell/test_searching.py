"""Ctrl+Shift+F: words are found in all conversations, and lead to the message that has them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit

from app.conversations.panel import Results, SearchField
from app.conversations.results_model import ROW, ResultRow
from app.core.session.keeper import Keeper
from app.core.store.opening import open_store
from app.core.store.records import StoreError
from app.core.store.searcher import Answer
from app.core.store.store import Store
from app.shell.searching import _PAUSE_MS, SearchController
from tests.app.chat.test_finding import marks
from tests.app.conftest import Desk, MakeDesk
from tests.app.core.store.made import fill
from tests.present import present
from tests.stopwatch import Stopwatch


class Search:
    """A window whose conversations are kept, and its search."""

    def __init__(self, desk: Desk, store: Store) -> None:
        self.desk, self.store = desk, store
        self.keeper = Keeper(desk.session, store, pytest.fail)
        self.keeper.restore()
        desk.bridge.changed.connect(self.keeper.keep)
        self.searching = SearchController(desk.window, desk.bridge, self.keeper)
        desk.window.refresh()
        desk.open()
        desk.window.activateWindow()
        desk.window.chat.composer.focus()

    @property
    def field(self) -> SearchField:
        return self.desk.window.chats.search

    @property
    def results(self) -> Results:
        return self.desk.window.chats.results

    def key(self, key: Qt.Key, *, control: bool = False) -> None:
        """Press a key where the cursor is."""
        held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        focused = QApplication.focusWidget()
        assert focused is not None
        self.desk.qtbot.keyClick(focused, key, held if control else Qt.KeyboardModifier(0))

    def type(self, text: str) -> None:
        self.key(Qt.Key.Key_F, control=True)
        assert self.field.hasFocus()
        self.desk.qtbot.keyClicks(self.field, text)
        self.wait(lambda: self.results.line.text() != "" and not self.searching._pause.isActive())

    def wait(self, done: Callable[[], bool]) -> None:
        self.desk.qtbot.waitUntil(done)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What is shown: ("title", text) and ("", text)."""
        rows = [self.results.model.index(i).data(ROW) for i in range(self.results.model.rowCount())]
        return [_shown(row) for row in rows]


def _shown(row: ResultRow) -> tuple[str, str]:
    if row.message is None:
        return "title", row.conversation.title.text
    return "", row.message.snippet.text


@pytest.fixture
def search(make_desk: MakeDesk, tmp_path: Path) -> Iterator[Search]:
    desk = make_desk(answer=lambda asked: ("", f"Answer about {asked[-1].content.split()[-1]}."))
    made = Search(desk, open_store(tmp_path / "data").store)
    yield made
    made.searching.close()
    desk.window.chat.finding.close()
    desk.bridge.changed.disconnect(made.keeper.keep)
    made.keeper.close()


@pytest.fixture
def talk(search: Search) -> Search:
    """Two conversations; the first one has a branch that is not on screen."""
    desk = search.desk
    desk.say("Tell me of rivers")
    desk.say("Tell me of lakes")
    edited = desk.turns[2].id
    desk.bridge.perform(desk.session.edit(edited, "Tell me of mountains"))
    desk.until(lambda: not desk.session.busy)
    desk.window.menus.new.trigger()
    desk.say("Boats on rivers and lakes")
    return search


class TestByKey:
    def test_from_the_words_to_the_message_on_its_branch_and_back(self, talk: Search) -> None:
        desk, session = talk.desk, talk.desk.session
        other = session.current
        talk.type("LAK")
        assert talk.rows == [
            ("title", "Boats on rivers and lakes"),
            ("", "Answer about lakes."),
            ("", "Boats on rivers and lakes"),
            ("title", "Tell me of rivers"),
            ("", "Answer about lakes."),
            ("", "Tell me of lakes"),
        ]
        assert talk.results.line.text() == "5 matches in 2 conversations"
        # The title of the second only says where its messages are.
        for _ in range(5):
            talk.key(Qt.Key.Key_Down)
        assert talk.results.list.currentIndex().row() == 5
        talk.key(Qt.Key.Key_Up)
        talk.key(Qt.Key.Key_Down)
        talk.key(Qt.Key.Key_Return)
        assert session.current is not other
        assert [turn.text for turn in desk.turns][2:] == ["Tell me of lakes", "Answer about lakes."]
        assert talk.field.hasFocus()
        assert marks(desk)[0] == ("lakes", True)
        assert [text for text, _ in marks(desk)] == ["lakes", "lakes"]
        talk.key(Qt.Key.Key_Up)
        talk.key(Qt.Key.Key_Return)
        assert marks(desk)[1] == ("lakes", True)
        talk.key(Qt.Key.Key_Escape)
        assert talk.field.text() == ""
        assert desk.window.chats.list.isVisible()
        assert marks(desk) == []
        assert desk.window.chat.composer.isAncestorOf(present(QApplication.focusWidget()))

    def test_enter_opens_the_first_one(self, talk: Search) -> None:
        talk.desk.window.menus.new.trigger()
        talk.type("boats")
        talk.key(Qt.Key.Key_Return)
        assert talk.desk.session.current.title == "Boats on rivers and lakes"

    def test_escape_leads_back_to_where_the_cursor_was(self, talk: Search) -> None:
        chats = talk.desk.window.chats
        chats.list.setFocus()
        talk.type("river")
        talk.key(Qt.Key.Key_Escape)
        assert chats.list.hasFocus()

    def test_from_anywhere_even_with_the_list_folded_away(self, talk: Search) -> None:
        window = talk.desk.window
        window.show_chats(False)
        window.chat.finding.open("x")
        talk.key(Qt.Key.Key_F, control=True)
        assert window.chats.isVisible()
        assert talk.field.hasFocus()
        window.cache.canvas.setFocus()
        talk.key(Qt.Key.Key_F, control=True)
        assert talk.field.hasFocus()
        window.chat.finding.close()

    def test_the_list_of_results_by_itself(self, talk: Search) -> None:
        talk.type("lakes")
        talk.results.list.setFocus()
        talk.key(Qt.Key.Key_Down)
        talk.key(Qt.Key.Key_Down)
        talk.key(Qt.Key.Key_Return)
        assert marks(talk.desk) != []
        assert talk.results.list.hasFocus()
        talk.key(Qt.Key.Key_Escape)
        assert talk.desk.window.chats.list.isVisible()
        assert marks(talk.desk) == []

    def test_renaming_brings_the_list_back(self, talk: Search) -> None:
        talk.type("lakes")
        talk.desk.window.menus.rename.trigger()
        chats = talk.desk.window.chats
        assert talk.field.text() == ""
        field = present(chats.list.findChild(QLineEdit))
        assert field.isVisible()
        talk.desk.qtbot.keyClick(field, Qt.Key.Key_Escape)

    def test_a_title_after_a_message_leaves_no_marks(self, talk: Search) -> None:
        talk.type("lakes")
        talk.key(Qt.Key.Key_Down)
        talk.key(Qt.Key.Key_Down)
        talk.key(Qt.Key.Key_Return)
        assert talk.desk.window.chat.find_bar.isVisible()
        talk.key(Qt.Key.Key_Up)
        talk.key(Qt.Key.Key_Return)
        assert not talk.desk.window.chat.find_bar.isVisible()

    def test_escape_does_not_stop_the_answer(self, talk: Search) -> None:
        talk.type("river")
        event = QKeyEvent(
            QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(talk.field, event)
        assert event.isAccepted()


class TestByMouse:
    def click(self, talk: Search, row: int) -> None:
        view = talk.results.list
        talk.wait(lambda: not view.visualRect(talk.results.model.index(row)).isEmpty())
        spot = view.visualRect(talk.results.model.index(row)).center()
        talk.desk.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)

    def test_a_message_and_a_title(self, talk: Search) -> None:
        desk, session = talk.desk, talk.desk.session
        talk.type("lakes")
        self.click(talk, 5)
        assert [turn.text for turn in desk.turns][2:] == ["Tell me of lakes", "Answer about lakes."]
        self.click(talk, 0)
        assert session.current.title == "Boats on rivers and lakes"
        # One that does not match itself leads to its newest message.
        self.click(talk, 3)
        assert session.current.title == "Tell me of rivers"
        assert marks(desk)[1] == ("lakes", True)

    def test_the_cross_in_the_field_ends_it(self, talk: Search) -> None:
        talk.type("lakes")
        talk.field._clear.trigger()
        assert talk.field.text() == ""
        assert talk.desk.window.chats.list.isVisible()


class TestWhatIsFound:
    def test_nothing_is_said_in_a_sentence(self, talk: Search) -> None:
        talk.type("glacier")
        assert talk.rows == []
        assert talk.results.line.text() == "No conversation has this word."
        talk.key(Qt.Key.Key_Down)
        talk.key(Qt.Key.Key_Return)
        assert talk.field.hasFocus()

    def test_several_words_are_all_marked(self, talk: Search) -> None:
        talk.type("boats lakes")
        talk.key(Qt.Key.Key_Down)
        talk.key(Qt.Key.Key_Down)
        talk.key(Qt.Key.Key_Return)
        assert [text for text, _ in marks(talk.desk)][:2] == ["Boats", "lakes"]

    def test_what_is_said_renamed_and_deleted_meanwhile(self, talk: Search) -> None:
        desk, session = talk.desk, talk.desk.session
        talk.type("rivers")
        assert len(talk.rows) == 5
        boats = session.current.id
        desk.say("More of rivers")
        talk.wait(lambda: ("", "Answer about rivers.") in talk.rows)
        desk.bridge.perform(session.rename(boats, "Ships"))
        talk.wait(lambda: ("title", "Ships") in talk.rows)
        desk.window.drafts.delete(boats)
        talk.wait(lambda: [text for what, text in talk.rows if what] == ["Tell me of rivers"])
        desk.window.menus.restore.trigger()
        talk.wait(lambda: ("title", "Ships") in talk.rows)

    def test_an_edited_wording_is_found_and_leads_to_its_branch(self, talk: Search) -> None:
        desk, session = talk.desk, talk.desk.session
        answer = desk.turns[1]
        desk.bridge.perform(session.edit_answer(answer.id, "All about canoes"))
        desk.bridge.perform(session.show_sibling(desk.turns[1].id, -1))
        talk.type("canoes")
        talk.key(Qt.Key.Key_Return)
        assert desk.turns[1].text == "All about canoes"

    def test_a_search_that_fails_is_said(
        self, talk: Search, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse() -> None:
            raise StoreError("The file is gone.")

        monkeypatch.setattr(talk.store, "reader", refuse)
        talk.type("rivers")
        assert talk.results.line.text() == "The conversations cannot be searched."


def test_ten_thousand_messages_are_found_within_50_ms(make_desk: MakeDesk, tmp_path: Path) -> None:
    store = open_store(tmp_path / "data").store
    text = "wings and lift and drag of a plane in the wind over the river number"
    fill(store, 500, 20, lambda id: f"{text} {id}")
    desk = make_desk()
    search = Search(desk, store)
    search.type("w")
    shown: dict[str, float] = {}
    watch = Stopwatch()

    def on_screen(answer: Answer) -> None:
        assert answer.hits
        search.results.list.viewport().repaint()
        shown[answer.query] = watch.spent_s()

    # After the window's own slot, which was connected first.
    search.searching.answered.connect(on_screen, Qt.ConnectionType.QueuedConnection)
    spent: list[float] = []
    for query in ("wi", "wing", "wings", "wings lift", "plane drag", "number 77", "riv", "li"):
        search.field.setText(query[:-1])
        # Not QTest's own wait, which lets no other thread run.
        desk.qtbot.wait(100)
        shown.clear()
        watch = Stopwatch()
        desk.qtbot.keyClicks(search.field, query[-1])
        search.wait(partial(shown.__contains__, query))
        spent.append(shown[query])
    search.searching.close()
    desk.bridge.changed.disconnect(search.keeper.keep)
    search.keeper.close()
    print("from the key to the screen, ms of the processor:", [round(1e3 * s, 1) for s in spent])
    # Nothing but the searcher's thread is waited for, and the pause after a key.
    assert _PAUSE_MS <= 10
    assert statistics.median(spent) < 0.05
