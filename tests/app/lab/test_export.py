"""The lab's Export button: each tab as a picture, its figures as a table."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from app.core.session.lab import LabAnswers
from app.core.session.ledger import Ran
from app.lab.window import TABS, MemoryLab
from tests.app.core.session.test_ledger import report
from tests.app.fake_loop import MODEL
from tests.app.lab.readings import memory, recall
from tests.present import present


@pytest.fixture
def lab(qtbot: QtBot) -> MemoryLab:
    made = MemoryLab()
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show_model(MODEL)
    made.show_runs((Ran(1, "A chat", "end", report()),), 1)
    answers = LabAnswers()
    answers.memory, answers.recall = memory(), recall()
    made.show_answers(answers)
    made.show()
    QApplication.processEvents()
    return made


@pytest.mark.parametrize("name", TABS)
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_each_tab_is_a_picture_with_its_settings(
    lab: MemoryLab, tmp_path: Path, name: str, ending: str
) -> None:
    lab.show_tab(name)
    QApplication.processEvents()
    picture = lab.export.picture()
    assert picture.title == f"Memory lab: {name}"
    assert all(picture.lines)
    assert picture.lines
    path = tmp_path / f"tab.{ending}"
    told: list[str] = []
    lab.notice.connect(told.append)
    lab.export.save_picture(path)
    assert told == [f"The picture was saved to tab.{ending}."]
    if ending == "png":
        image = QImage(str(path))
        assert image.width() == 2 * picture.size.width()
        rows = range(30, image.height(), 25)
        colours = {image.pixel(x, y) for x in range(0, image.width(), 7) for y in rows}
        assert len(colours) > 3
    else:
        root = ET.parse(path).getroot()
        assert len(root.findall(".//{*}path")) + len(root.findall(".//{*}rect")) > 10
        texts = "".join(root.itertext())
        assert picture.lines[0].split(",")[0].split()[0] in texts


@pytest.mark.parametrize("name", TABS)
def test_each_tab_has_a_table(
    lab: MemoryLab, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.show_tab(name)
    path = tmp_path / "figures.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    menu = present(lab.export.menu())
    menu.aboutToShow.emit()
    action = next(one for one in menu.actions() if one.text() == "Figures as CSV…")
    assert action.isEnabled()
    action.trigger()
    lab.export.behind.wait()
    assert len(path.read_text(encoding="utf-8").splitlines()) >= 2


def test_the_keyboard_reaches_it(lab: MemoryLab, qtbot: QtBot) -> None:
    lab.export.setFocus()
    assert lab.export.focusPolicy() & Qt.FocusPolicy.TabFocus
    menu = present(lab.export.menu())
    qtbot.keyClick(lab.export, Qt.Key.Key_Space)
    qtbot.waitUntil(menu.isVisible)
    menu.close()


def test_nothing_to_save_is_greyed(qtbot: QtBot) -> None:
    made = MemoryLab()
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    for name in ("two memories", "recall"):
        made.show_tab(name)
        menu = present(made.export.menu())
        menu.aboutToShow.emit()
        assert not menu.actions()[1].isEnabled()


def test_what_cannot_be_written_is_said(lab: MemoryLab, tmp_path: Path) -> None:
    told: list[str] = []
    lab.notice.connect(told.append)
    lab.export.save_picture(tmp_path / "missing" / "tab.svg")
    assert len(told) == 1
    assert "cannot be written" in told[0]
