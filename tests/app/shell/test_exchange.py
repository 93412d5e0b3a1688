"""File > Export and File > Import, from the whole program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from app.core.store.importing import read_file
from app.shell.exchange import ExchangeController
from tests.app.core.store.test_importing import FOREIGN
from tests.app.test_restart import Program


@pytest.fixture(autouse=True)
def on_a_screen(qtbot: QtBot) -> None:
    """These run the program itself."""


def exchange(program: Program) -> ExchangeController:
    found = program.window.findChild(ExchangeController)
    assert isinstance(found, ExchangeController)
    return found


def chosen(program: Program, path: Path) -> Callable[[], object]:
    """Choose a file in the dialog that is open."""

    def act() -> None:
        dialog = program.window.findChild(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        dialog.fileSelected.emit(str(path))
        dialog.filesSelected.emit([str(path)])
        dialog.close()

    return act


def notices(program: Program) -> list[str]:
    return list(program.window._session.log.notices)


class TestExchange:
    def test_what_was_exported_can_be_imported_and_read(self, tmp_path: Path) -> None:
        path = tmp_path / "chat.json"
        first = Program()
        first.use(
            first.say("One"),
            lambda: first.window.menus.export.trigger(),
            chosen(first, path),
            lambda: first.window.menus.new.trigger(),
            lambda: first.window.menus.import_.trigger(),
            chosen(first, path),
            lambda: exchange(first).wait(),
            lambda: first.window.chats.chosen.emit(first.window._session.conversations[-1].id),
        )
        assert path.stat().st_mode & 0o777 == 0o600
        again = Program()
        seen: list[list[str]] = []
        again.use(lambda: seen.append(again.titles), lambda: seen.append(again.texts))
        assert seen == [["One", "One"], ["One", "You said **One**."]]

    def test_markdown_and_what_cannot_be_done(self, tmp_path: Path) -> None:
        first = Program()
        said: list[str] = []
        enabled: list[bool] = []
        (tmp_path / "bad.json").write_text("{}")
        first.use(
            lambda: enabled.append(first.window.menus.export.isEnabled()),
            first.say("One"),
            lambda: enabled.append(first.window.menus.export.isEnabled()),
            lambda: exchange(first).export(tmp_path / "chat.md"),
            lambda: exchange(first).export(tmp_path / "none" / "chat.md"),
            lambda: exchange(first).import_files([tmp_path / "bad.json"]),
            lambda: exchange(first).wait(),
            lambda: said.extend(notices(first)),
        )
        assert enabled == [False, True]
        text = (tmp_path / "chat.md").read_text()
        assert text == "# One\n\n## You\n\nOne\n\n## Answer\n\nYou said **One**.\n"
        assert said == [
            "The conversation was exported to chat.md.",
            f"{tmp_path / 'none' / 'chat.md'} cannot be written: No such file or directory.",
            "Importing bad.json…",
            "bad.json cannot be imported: it is not an export of Biplane, ChatGPT or Open WebUI.",
        ]

    def test_all_conversations_at_once_and_back(self, tmp_path: Path) -> None:
        path = tmp_path / "all.json"
        first = Program()
        first.use(
            first.say("One"),
            lambda: first.window.menus.new.trigger(),
            first.say("Two"),
            lambda: first.window.menus.export_all.trigger(),
            chosen(first, path),
            lambda: exchange(first).wait(),
        )
        assert path.stat().st_mode & 0o777 == 0o600
        assert [one.name for one in tmp_path.iterdir()] == ["all.json"]
        read = read_file(path)
        assert [one.conversation.title for one in read.conversations] == ["Two", "One"]
        assert [m.content for m in read.conversations[1].messages] == ["One", "You said **One**."]

    def test_what_cannot_be_written_is_said(self, tmp_path: Path) -> None:
        first = Program()
        said: list[str] = []
        path = tmp_path / "none" / "all.json"
        first.use(
            lambda: exchange(first).export_all(path),
            lambda: exchange(first).wait(),
            lambda: said.extend(notices(first)),
        )
        assert said == [f"{path} cannot be written: No such file or directory."]

    def test_a_card_of_a_failure_goes_when_the_same_is_begun_again(self, tmp_path: Path) -> None:
        (tmp_path / "bad.json").write_text("{}")
        first = Program()
        shown: list[set[str]] = []
        titles: list[str] = []

        def look() -> None:
            cards = first.window.problems.cards
            shown.append(set(cards))
            titles.extend(card.title.text() for card in cards.values())

        def attempt(work: Callable[[], None]) -> tuple[Callable[[], object], ...]:
            return work, lambda: exchange(first).wait(), look

        first.use(
            *attempt(lambda: exchange(first).import_files([tmp_path / "bad.json"])),
            *attempt(lambda: exchange(first).export_all(tmp_path / "none" / "all.json")),
            *attempt(lambda: exchange(first).import_files([FOREIGN / "chatgpt.json"])),
            *attempt(lambda: exchange(first).export_all(tmp_path / "all.json")),
        )
        assert shown == [{"import"}, {"import", "export"}, {"export"}, set()]
        assert titles[0] == "A file was not imported"

    def test_of_files_chosen_together_the_failure_of_one_stays(self, tmp_path: Path) -> None:
        bad = tmp_path / "bad.json"
        bad.write_text("{}")
        first = Program()
        causes: list[str] = []
        first.use(
            lambda: exchange(first).import_files([bad, FOREIGN / "chatgpt.json"]),
            lambda: exchange(first).wait(),
            lambda: causes.append(first.window.problems.cards["import"].sentence.text()),
        )
        assert causes[0].startswith("bad.json cannot be imported")


class TestOpeningWhatWasImported:
    def test_a_button_beside_the_notice_leads_to_it(self, tmp_path: Path) -> None:
        path = tmp_path / "chat.json"
        first = Program()
        titles: list[str] = []
        visible: list[bool] = []
        settings: list[bool] = []

        def offer() -> QPushButton | None:
            return first.window.status.offers.get("imported")

        def take() -> None:
            button = offer()
            assert button is not None
            button.click()

        def look() -> None:
            button = offer()
            visible.append(button is not None and button.isVisible())
            titles.append(first.window._session.current.title)
            settings.append(first.window.settings_page.on_screen)

        first.use(
            first.say("One"),
            lambda: exchange(first).export(path),
            lambda: first.window.menus.new.trigger(),
            look,
            lambda: exchange(first).import_files([path]),
            lambda: exchange(first).wait(),
            look,
            lambda: first.window.menus.settings.trigger(),
            look,
            take,
            look,
            # Another notice ends the offer.
            lambda: exchange(first).import_files([path]),
            lambda: exchange(first).wait(),
            lambda: first.window._bridge.notify("Something else."),
            look,
        )
        assert visible == [False, True, True, False, False]
        assert titles == [*["New conversation"] * 3, "One", "One"]
        assert settings == [False, False, True, False, False]

    def test_nothing_was_imported(self, tmp_path: Path) -> None:
        (tmp_path / "bad.json").write_text("{}")
        first = Program()
        visible: list[bool] = []
        first.use(
            lambda: exchange(first).import_files([tmp_path / "bad.json"]),
            lambda: exchange(first).wait(),
            lambda: visible.append(bool(first.window.status.offers)),
        )
        assert visible == [False]


class TestDropping:
    def test_exports_of_other_programs_dropped_on_the_list(self, tmp_path: Path) -> None:
        first = Program()
        seen: list[list[str]] = []
        said: list[str] = []

        def drop(*paths: Path) -> bool:
            panel = first.window.chats
            data = QMimeData()
            data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
            known = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
            still = Qt.KeyboardModifier.NoModifier
            entered = QDragEnterEvent(QPoint(40, 90), *known, still)
            QApplication.sendEvent(panel, entered)
            if entered.isAccepted():
                QApplication.sendEvent(panel, QDropEvent(QPointF(40, 90), *known, still))
            return entered.isAccepted()

        def select(title: str) -> None:
            session = first.window._session
            (one,) = (c for c in session.conversations if c.title == title)
            first.window.chats.chosen.emit(one.id)

        (tmp_path / "notes.txt").touch()
        first.use(
            # The window says what it is; the list leaves it alone.
            lambda: drop(tmp_path / "notes.txt"),
            lambda: first.window.arrivals.wait(),
            lambda: drop(FOREIGN / "chatgpt.json", FOREIGN / "open_webui.json"),
            lambda: exchange(first).wait(),
            lambda: said.extend(notices(first)),
            lambda: select("Lift of a biplane"),
            lambda: seen.append(first.texts),
        )
        assert said.pop(0).startswith("notes.txt is nothing that Biplane opens")
        assert said == [
            "Importing chatgpt.json…",
            "Importing open_webui.json…",
            "2 conversations imported; 2 conversations and 2 messages could not be read.",
            "2 conversations imported; 1 message could not be read.",
        ]
        assert seen[0][1] == "Two wings lift more."
        again = Program()
        again.use(lambda: seen.append(again.titles))
        assert seen[1] == ["Engines", "Lift of a biplane", "Draw a wing.", "A poem"]
