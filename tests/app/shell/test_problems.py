"""Cards for what went wrong: cause and action, by mouse and by keyboard; and what they lead to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from app.core.folder_check import Found
from app.core.log import Log
from app.core.session.keeper import Keeper
from app.core.store.opening import open_store
from app.shell.exchange import ExchangeController
from app.shell.problems import MOST, Problem
from app.shell.troubles import CrashDialog, Troubles
from engine import events
from tests.app.conftest import Desk
from tests.present import present


@pytest.fixture
def log(tmp_path: Path) -> Log:
    path = tmp_path / "biplane.log"
    path.write_text("The end of the log.\n", encoding="utf-8")
    return Log(path, lost="The last run of Biplane crashed.", crash="Fatal: here")


@pytest.fixture
def troubles(desk: Desk, log: Log) -> Troubles:
    return Troubles(desk.window, desk.bridge, log)


class TestCards:
    def test_title_cause_and_a_way_to_dismiss(self, desk: Desk) -> None:
        problems = desk.window.problems
        assert not problems.isVisible()
        problems.report(Problem("a", "Nothing was imported", "It is not JSON: choose another."))
        card = problems.cards["a"]
        assert card.isVisible()
        assert (card.title.text(), card.sentence.text()) == (
            "Nothing was imported",
            "It is not JSON: choose another.",
        )
        assert card.accessibleName() == "Nothing was imported"
        card.dismiss.setFocus(Qt.FocusReason.TabFocusReason)
        desk.qtbot.keyClick(card.dismiss, Qt.Key.Key_Space)
        assert not problems.isVisible()

    def test_no_button_competes_with_the_card_of_the_model(self, desk: Desk) -> None:
        problems = desk.window.problems
        problems.report(Problem("a", "Title", "Cause.", (("x", "First"), ("y", "Second"))))
        buttons = problems.cards["a"].buttons.values()
        assert [button.property("kind") for button in buttons] == [None, None]

    def test_the_same_problem_has_one_card(self, desk: Desk) -> None:
        problems = desk.window.problems
        problems.report(Problem("a", "First", "x"))
        card = problems.cards["a"]
        problems.report(Problem("a", "First", "x"))
        assert problems.cards["a"] is card
        problems.report(Problem("a", "Second", "x"))
        assert [one.title.text() for one in problems.cards.values()] == ["Second"]

    def test_there_are_never_so_many_that_the_conversation_has_no_room(self, desk: Desk) -> None:
        for number in range(10):
            desk.window.problems.report(Problem(str(number), "One more", "x"))
        assert list(desk.window.problems.cards) == ["7", "8", "9"]
        assert MOST == 3

    def test_the_one_before_is_there_again_once_the_last_one_is_dismissed(self, desk: Desk) -> None:
        problems = desk.window.problems
        for key in ("a", "b"):
            problems.report(Problem(key, f"Problem {key}", "x"))
        assert [problems.cards[key].isVisible() for key in ("a", "b")] == [False, True]
        problems.cards["b"].dismiss.click()
        assert problems.cards["a"].isVisible()
        problems.cards["a"].dismiss.click()
        assert not problems.isVisible()

    def test_nothing_of_a_card_is_cut_off_in_a_small_window(self, desk: Desk) -> None:
        desk.window.resize(1000, 640)
        long = "conversations.json is not an export that Biplane can read, for this reason: " * 3
        desk.window.problems.report(Problem("a", "Nothing was imported", long, (("b", "Again"),)))
        card = desk.window.problems.cards["a"]

        card.details.click()

        def whole() -> bool:
            tall = card.sentence.height() >= card.sentence.heightForWidth(card.sentence.width())
            button = card.buttons["b"]
            shown = card.title.whole and button.isVisible()
            inside = card.rect().contains(button.mapTo(card, button.rect().bottomRight()))
            return tall and shown and inside

        desk.qtbot.waitUntil(whole)


class TestFolding:
    def test_two_lines_are_enough_until_details_are_wanted(self, desk: Desk) -> None:
        long = "It is not an export that Biplane can read, for a reason: " * 4
        problem = Problem("a", "Nothing was imported", long, (("b", "Again"), ("c", "Show log")))
        desk.window.problems.report(problem)
        desk.settle()
        card = desk.window.problems.cards["a"]
        assert card.height() <= 72
        assert (card.line.isVisible(), card.sentence.isVisible()) == (True, False)
        assert [button.isVisible() for button in card.buttons.values()] == [False, False]
        card.details.setFocus(Qt.FocusReason.TabFocusReason)
        desk.qtbot.keyClick(card.details, Qt.Key.Key_Space)
        desk.settle()
        assert (card.line.isVisible(), card.sentence.isVisible()) == (False, True)
        assert [button.isVisible() for button in card.buttons.values()] == [True, True]
        assert card.accessibleDescription() == long

    def test_the_best_button_does_what_the_first_one_does(self, desk: Desk) -> None:
        problems, chosen = desk.window.problems, []
        problems.chosen.connect(lambda _problem, offer: chosen.append(offer))
        problems.report(Problem("a", "Title", "Cause.", (("x", "First"), ("y", "Second"))))
        best = problems.cards["a"].best
        assert best.text() == "First"
        desk.qtbot.mouseClick(best, Qt.MouseButton.LeftButton)
        assert chosen == ["x"]

    def test_without_more_to_say_there_are_no_details(self, desk: Desk) -> None:
        desk.window.problems.report(Problem("a", "Title", "Cause."))
        desk.settle()
        card = desk.window.problems.cards["a"]
        assert not card.details.isVisible()
        assert not card.best.isVisible()

    def test_a_refusal_can_be_dismissed_at_once(self, desk: Desk) -> None:
        desk.found = Found("It is broken.")
        desk.bridge.open_model(Path("/models/other"))
        desk.until(desk.window.card.dismiss.isVisible)
        desk.qtbot.mouseClick(desk.window.card.dismiss, Qt.MouseButton.LeftButton)
        assert not desk.window.card.isVisible()
        assert desk.window.model_button.state == "Qwen3.5-0.8B"


class TestImport:
    @pytest.fixture
    def exchange(self, desk: Desk, tmp_path: Path) -> Iterator[ExchangeController]:
        keeper = Keeper(desk.session, open_store(tmp_path / "data").store, print)
        yield ExchangeController(desk.window, desk.bridge, keeper)
        keeper.close()

    def test_a_file_that_is_none_and_another_try(
        self, desk: Desk, tmp_path: Path, exchange: ExchangeController, troubles: Troubles
    ) -> None:
        bad = tmp_path / "bad.json"
        bad.write_text("{", encoding="utf-8")
        exchange.import_files([bad])
        exchange.wait()
        cards = desk.window.problems.cards
        desk.qtbot.waitUntil(lambda: "import" in cards)
        card = cards["import"]
        assert "bad.json" in card.sentence.text()
        assert card.best.text() == "Choose another file…"
        card.best.setFocus(Qt.FocusReason.TabFocusReason)
        desk.qtbot.keyClick(card.best, Qt.Key.Key_Space)
        dialogs = desk.window.findChildren(QFileDialog)
        assert len(dialogs) == 1
        dialogs[0].reject()
        assert "import" not in cards

    def test_a_place_that_cannot_be_written(
        self, desk: Desk, tmp_path: Path, exchange: ExchangeController
    ) -> None:
        desk.say("Hello")
        exchange.export(tmp_path / "none" / "chat.md")
        assert "export" in desk.window.problems.cards


class TestDiagnostics:
    def test_from_the_menu(self, desk: Desk, troubles: Troubles) -> None:
        desk.say("w79 is my secret word")
        desk.window.menus.diagnostics.trigger()
        text = QGuiApplication.clipboard().text()
        assert "Name: Qwen3.5-0.8B" in text
        assert "The end of the log." in text
        assert "w79" not in text
        assert "Diagnostics copied" in desk.window.status.currentMessage()

    def test_from_the_card_of_an_engine_that_died(self, desk: Desk, troubles: Troubles) -> None:
        desk.loop.emit(events.EngineFailed(sentence="The engine stopped unexpectedly (OSError)."))
        desk.loop.emit(events.EngineClosed())
        desk.until(desk.window.card.isVisible)
        card = desk.window.card
        assert card.title.text() == "Qwen3.5-0.8B has stopped"
        assert card.bar.best.text() == card.back.text() == "Reopen Qwen3.5-0.8B"
        desk.qtbot.mouseClick(card.bar.details, Qt.MouseButton.LeftButton)
        desk.settle()
        desk.qtbot.mouseClick(card.diagnose, Qt.MouseButton.LeftButton)
        assert "The engine stopped unexpectedly (OSError)." in QGuiApplication.clipboard().text()

    def test_from_the_card_of_an_error_that_nothing_expected(
        self, desk: Desk, troubles: Troubles
    ) -> None:
        troubles.unexpected("An unexpected error occurred (KeyError).")
        card = desk.window.problems.cards["unexpected"]
        card.buttons["diagnostics"].click()
        assert "Python: " in QGuiApplication.clipboard().text()
        assert desk.window.chat.composer.isAncestorOf(present(QApplication.focusWidget()))


class TestCrashReport:
    def test_it_is_offered_shown_whole_and_copied(self, desk: Desk, troubles: Troubles) -> None:
        card = desk.window.problems.cards["crash"]
        assert card.sentence.text() == (
            "The last run of Biplane crashed. There is a report of it on this computer; nothing "
            "is sent anywhere."
        )
        card.buttons["report"].click()
        (dialog,) = desk.window.findChildren(CrashDialog)
        assert dialog.text.toPlainText() == "Fatal: here"
        next(b for b in dialog.buttons.buttons() if b.text() == "Copy").click()
        assert QGuiApplication.clipboard().text() == "Fatal: here"
        desk.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()
