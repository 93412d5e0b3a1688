"""Every view in both languages, at 100 and 200 %: nothing is clipped, and all can use it.

Which fonts there are is chosen here: none with Chinese letters, or one whose lines are 16 to 20 px.
A widget that no view shows is a gap, too: nobody would have looked at it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.app.access import gaps
from tests.app.block_font import only_fonts
from tests.app.clipping import clipped
from tests.app.rooms.kinds import kinds, unseen
from tests.app.untranslated import untranslated

ROOT = Path(__file__).parents[2]
LEAST_VIEWS = 90


# Ascents and descents of Chinese letters, in thousandths: lines of 16, 17 and 20 px beside Latin
# ones of 15.
LOW, MIDDLE, TALL = (1000, 230), (1042, 266), (1200, 300)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "mode", "scale", "chinese"),
    [
        pytest.param("en", "light", "1", None, id="en-light-1-none"),
        pytest.param("en", "dark", "2", TALL, id="en-dark-2-tall"),
        pytest.param("zh_CN", "light", "2", LOW, id="zh_CN-light-2-low"),
        pytest.param("zh_CN", "dark", "1", MIDDLE, id="zh_CN-dark-1-middle"),
        pytest.param("zh_CN", "light", "1", TALL, id="zh_CN-light-1-tall"),
    ],
)
def test_every_view_is_whole_and_can_be_used_by_all(
    language: str, mode: str, scale: str, chinese: tuple[int, int] | None, tmp_path: Path
) -> None:
    variables = {
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": scale,
        "FONTCONFIG_FILE": str(only_fonts(tmp_path, chinese)),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.app.every_view", language, mode],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=580,
        check=False,
        env=os.environ | variables,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    *found, last = done.stdout.splitlines()
    assert last.startswith("views\t")
    assert int(last.split("\t")[1]) >= LEAST_VIEWS
    assert not found


class Unvisited(QWidget):
    """Of no view; as if the program had it."""


class TestPlantedGaps:
    """What looks for gaps finds one of each kind."""

    def shown(self, qtbot: QtBot, *widgets: QWidget) -> QWidget:
        root = QWidget()
        column = QVBoxLayout(root)
        for widget in widgets:
            column.addWidget(widget)
        qtbot.addWidget(root)
        root.show()
        return root

    def test_a_view_without_gaps_has_none(self, qtbot: QtBot) -> None:
        field = QLineEdit()
        field.setAccessibleName("Name")
        root = self.shown(qtbot, QLabel("A text"), field, QPushButton("Send"))
        assert [*clipped(root), *gaps(root)] == []

    @pytest.mark.parametrize("kind", [QLabel, QPushButton])
    def test_a_text_without_room(
        self, qtbot: QtBot, kind: type[QLabel] | type[QPushButton]
    ) -> None:
        narrow = kind("A text that is far too long for its place")
        narrow.setFixedWidth(60)
        assert len(list(clipped(self.shown(qtbot, narrow)))) == 1

    def test_wrapped_lines_without_room(self, qtbot: QtBot) -> None:
        low = QLabel("Several words that need several lines in so narrow a place as this")
        low.setWordWrap(True)
        low.setFixedSize(80, 20)
        assert list(clipped(self.shown(qtbot, low)))

    def test_letters_taller_than_the_font(self, qtbot: QtBot, tall: QFont) -> None:
        low = QLabel("中文")
        low.setFont(tall)
        low.setFixedSize(80, low.fontMetrics().height())
        assert list(clipped(self.shown(qtbot, low)))

    def test_a_placeholder_without_room(self, qtbot: QtBot) -> None:
        field = QLineEdit()
        field.setPlaceholderText("Find whatever there is to be found")
        field.setFixedWidth(70)
        assert list(clipped(self.shown(qtbot, field)))

    def test_a_button_without_a_name(self, qtbot: QtBot) -> None:
        found = list(gaps(self.shown(qtbot, QPushButton())))
        assert any("no accessible name" in gap for gap in found)

    def test_a_button_out_of_reach(self, qtbot: QtBot) -> None:
        button = QPushButton("Send")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        found = list(gaps(self.shown(qtbot, button)))
        assert any("cannot be reached by keyboard" in gap for gap in found)

    def test_a_text_that_is_hard_to_see(self, qtbot: QtBot) -> None:
        faint = QLabel("Hard to see")
        faint.setStyleSheet("color: #999999; background: #ffffff")
        found = list(gaps(self.shown(qtbot, faint)))
        assert any("contrast of 2.8" in gap for gap in found)

    def test_a_text_that_nobody_translated(self, qtbot: QtBot) -> None:
        root = self.shown(qtbot, QLabel("打开"), QLabel("12 MiB"), QPushButton("Open it"))
        assert list(untranslated(root)) == ["QPushButton 'Open it'"]

    def test_a_widget_that_no_view_shows(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Unvisited, "__module__", "app.unvisited")
        assert "app.unvisited.Unvisited" in unseen(())
        widget = Unvisited()
        widget.setMinimumSize(10, 10)
        root = self.shown(qtbot, widget)
        assert "app.unvisited.Unvisited" not in unseen(kinds(root))
        widget.hide()
        assert "app.unvisited.Unvisited" in unseen(kinds(root))

    def test_an_order_that_goes_back(self, qtbot: QtBot) -> None:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setDirection(QHBoxLayout.Direction.RightToLeft)
        for name in ("First", "Second"):
            line.addWidget(QPushButton(name))
        root = self.shown(qtbot, row)
        assert any("Tab goes back" in gap for gap in gaps(root))
