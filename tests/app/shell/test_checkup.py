"""Help > Check this computer, and for a newer version: what is found, and what is said of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel

from app.core import newer
from app.core.checks.finding import Finding
from app.shell import checkup
from app.shell.checkup import CheckDialog, read_findings
from tests.app.conftest import Desk
from tests.present import present

FINE = Finding("memory", "Memory", "ok", "8.00 GiB of 16.0 GiB are free.")
LESS = Finding("processor", "Processor", "note", "It lacks AVX2.", "Take small models.")
BAD = Finding("disk.cache", "Disk", "problem", "Only 1.00 MiB are free.", "Make room.")


def texts(dialog: CheckDialog) -> list[str]:
    return [one.text() for one in dialog.area.findChildren(QLabel) if one.text()]


def program(*lines: str) -> list[str]:
    return [sys.executable, "-c", "\n".join(("import json, sys, time", *lines))]


@pytest.fixture
def dialog(desk: Desk) -> Iterator[CheckDialog]:
    made = CheckDialog(desk.window)
    made.show()
    yield made
    made.close()


class TestDialog:
    def test_it_opens_with_a_new_look(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(checkup, "quick_findings", lambda: [FINE, BAD])
        desk.window.menus.checkup.trigger()
        shown = present(desk.window.checkup.dialog)
        desk.until(lambda: len(shown.rows) == 2)
        assert texts(shown)[:2] == ["Disk", "Only 1.00 MiB are free. Make room."]
        assert shown.said.text() == "Something does not work. What to do is said with each."
        shown.close()

    def test_the_gravest_comes_first_and_each_has_a_name(self, dialog: CheckDialog) -> None:
        dialog.show_findings([FINE, LESS, BAD])
        assert [one.level for one in dialog.rows] == ["problem", "note", "ok"]
        marks = [one.accessibleName() for one in dialog.area.findChildren(QLabel) if not one.text()]
        assert "Disk: does not work" in marks
        dialog.show_findings([FINE, LESS])
        assert dialog.said.text() == "Everything works; some of it could be better."
        dialog.show_findings([FINE])
        assert dialog.said.text() == "Everything is in order."

    def test_it_is_copied(self, dialog: CheckDialog) -> None:
        dialog.show_findings([FINE, BAD])
        dialog.copy.click()
        assert QGuiApplication.clipboard().text() == (
            "problem Disk: Only 1.00 MiB are free. Make room.\n"
            "ok      Memory: 8.00 GiB of 16.0 GiB are free.\n"
        )


class TestDeeper:
    def test_what_the_process_finds_is_shown(self, desk: Desk) -> None:
        found = {"id": "logits", "title": "Logits", "level": "problem", "sentence": "Off."}
        report = json.dumps({"level": "problem", "findings": [found]})
        made = CheckDialog(
            desk.window,
            program("print('… Asking', file=sys.stderr, flush=True)", f"print({report!r})"),
        )
        made.show()
        made.deeper.click()
        assert not made.deeper.isEnabled()
        desk.until(lambda: bool(made.rows))
        assert made.rows == [Finding("logits", "Logits", "problem", "Off.")]
        assert made.deeper.isEnabled()
        made.close()

    @pytest.mark.parametrize(
        ("argv", "says"),
        [
            (program("sys.exit(3)"), "ended without a report (code 3)"),
            (program("print('[]')"), "ended without a report"),
            (["/none/python"], "could not be started"),
        ],
    )
    def test_one_that_fails_is_a_finding(self, desk: Desk, argv: list[str], says: str) -> None:
        made = CheckDialog(desk.window, argv)
        made.show_findings([FINE])
        made.look_deeper()
        desk.until(lambda: len(made.rows) == 2)
        assert says in made.rows[0].sentence
        made.close()

    def test_closing_ends_it(self, desk: Desk) -> None:
        made = CheckDialog(desk.window, program("time.sleep(600)"))
        made.show()
        made.look_deeper()
        process = present(made.child.process)
        assert process.waitForStarted()
        made.close()
        assert made.child.process is None

    @pytest.mark.parametrize("output", [b"", b"{}", b"[]", b'{"findings": 3}', b"\xff"])
    def test_what_is_no_report(self, output: bytes) -> None:
        assert read_findings(output) is None


class TestStart:
    def look(self, desk: Desk, monkeypatch: pytest.MonkeyPatch, *found: Finding) -> None:
        monkeypatch.setattr(checkup, "quick_findings", lambda: list(found))
        monkeypatch.setattr(checkup, "_LATER_MS", 0)
        desk.window.checkup.look_later()
        desk.until(lambda: desk.window.checkup.found == list(found))

    def test_nothing_is_said_while_nothing_is_wrong(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.look(desk, monkeypatch, FINE, LESS)
        assert not desk.window.problems.cards

    def test_a_problem_is_said_with_a_way_to_all_of_it(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.look(desk, monkeypatch, FINE, BAD)
        card = desk.window.problems.cards[checkup.CHECKUP]
        assert card.problem.cause == "Only 1.00 MiB are free. Make room."
        card.buttons[checkup.CHECKUP].click()
        present(desk.window.checkup.dialog).close()
        desk.window.checkup.wait()

    def test_what_others_tell_is_not_told_twice(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told = Finding("folder.conversations", "Folder", "problem", "It cannot be written.")
        self.look(desk, monkeypatch, told)
        assert not desk.window.problems.cards


class TestNewer:
    def test_a_newer_one_is_offered(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(newer, "ask", lambda: newer.Answer("There is one.", newer=True))
        opened: list[QUrl] = []

        def open_url(url: QUrl) -> bool:
            opened.append(url)
            return True

        monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
        desk.window.menus.newer.trigger()
        desk.until(lambda: desk.window.status.currentMessage() == "There is one.")
        desk.window.status.chosen.emit(checkup._PAGE)
        assert [url.toString() for url in opened] == [newer.PAGE]

    def test_none_offers_nothing(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(newer, "ask", lambda: newer.Answer("This is the newest."))
        desk.window.menus.newer.trigger()
        desk.until(lambda: desk.window.status.currentMessage() == "This is the newest.")
        assert not desk.window.status.offers
