"""The tab "Prefill and decode": figures, keys and mouse, in both themes and small windows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.core.session.ledger import Ran
from app.lab.logic.example import example
from app.lab.logic.phase_sentences import EXAMPLE_RUNS, running_totals
from app.lab.phases_tab import PhasesTab
from app.ui import theme
from tests.app.core.session.test_ledger import report
from tests.app.settle import settle
from tests.app.sight import cut_labels
from tests.present import present

RUNS = tuple(Ran(n, "A chat", "end", report()) for n in range(1, 9))


@pytest.fixture
def tab(mode: theme.Mode, qtbot: QtBot) -> PhasesTab:
    made = PhasesTab()
    qtbot.addWidget(made)
    made.resize(1000, 560)
    made.show_runs(RUNS, len(RUNS))
    made.show()
    made.activateWindow()
    settle()
    return made


class TestFigures:
    def test_sums_and_speeds(self, tab: PhasesTab) -> None:
        found = {key: (figure.text(), ratio.text()) for key, (figure, ratio) in tab.sums.items()}
        assert found == {
            "cached": ("360", ""),
            "cold": ("840", "2.3 ×"),
            "bare": ("4,920", "13.7 ×"),
        }
        assert [part[0].text() for part in tab.speeds.values()] == ["1.00 ms", "80.0 ms"]
        assert [part[2].share for part in tab.speeds.values()] == pytest.approx([1 / 80, 1])

    def test_before_anything_ran_it_shows_the_recorded_chat_and_says_so(
        self, tab: PhasesTab
    ) -> None:
        tab.show_runs((), 0)
        settle()
        assert tab.example
        assert tab.headline.text().startswith(EXAMPLE_RUNS)
        assert tab.runs == example().runs
        assert tab.settings() == ("4 requests, recorded with the bundled model",)
        tab.show_runs(RUNS, len(RUNS))
        assert (tab.example, tab.runs) == (False, RUNS)

    def test_nothing_is_cut(self, tab: PhasesTab) -> None:
        assert tab.body.focusPolicy() == Qt.FocusPolicy.NoFocus
        assert cut_labels(tab) == []

    def test_in_a_small_window_it_scrolls(self, tab: PhasesTab) -> None:
        tab.resize(580, 360)
        settle()
        content = present(tab.body.widget())
        assert content.height() > tab.body.viewport().height()
        assert tab.body.focusPolicy() == Qt.FocusPolicy.StrongFocus
        for part in content.findChildren(QLabel):
            assert not part.wordWrap() or part.heightForWidth(part.width()) <= part.height()


class TestRequests:
    def test_the_newest_is_looked_at_until_another_is_chosen(
        self, tab: PhasesTab, qtbot: QtBot
    ) -> None:
        assert tab.detail.text().startswith('Request 8 in "A chat":')
        tab.bars.setFocus()
        qtbot.keyClick(tab.bars, Qt.Key.Key_Left)
        assert tab.detail.text().startswith("Request 7 ")
        qtbot.keyClick(tab.bars, Qt.Key.Key_Home)
        qtbot.keyClick(tab.bars, Qt.Key.Key_Left)
        assert tab.bars.chosen == 0
        tab.show_runs((*RUNS, Ran(9, "", "end", report())), 9)
        assert tab.bars.chosen == 0
        qtbot.keyClick(tab.bars, Qt.Key.Key_End)
        tab.show_runs((*RUNS, *RUNS), 16)
        assert tab.bars.chosen == 15
        assert tab.bars.accessibleDescription() == tab.detail.text()

    def test_by_mouse(self, tab: PhasesTab, qtbot: QtBot) -> None:
        place = tab.bars.bar(2).center().toPoint()
        qtbot.mouseClick(tab.bars, Qt.MouseButton.LeftButton, pos=place)
        assert tab.bars.chosen == 2

    def test_more_than_fit(self, tab: PhasesTab, qtbot: QtBot) -> None:
        many = tuple(Ran(n, "", "end", report()) for n in range(1, 2001))
        tab.show_runs(many, 5000)
        assert tab.bars.first > 1900
        assert tab.bars.bar(1999).right() <= tab.bars.plot.right() + 1
        tab.bars.setFocus()
        qtbot.keyClick(tab.bars, Qt.Key.Key_Home)
        assert tab.bars.first == 0
        tab.grab()

    def test_bars_are_to_scale(self, tab: PhasesTab) -> None:
        seen, look, place = tab.bars.grab().toImage(), theme.current(), tab.bars.bar(3)
        x = round(place.center().x())
        column = [seen.pixelColor(x, y).name() for y in range(seen.height())]
        shares = {
            part: column.count(look.colour(part).name()) / place.height()
            for part in ("replayed", "computed", "accent")
        }
        assert shares == pytest.approx(
            {"replayed": 10 / 105, "computed": 30 / 105, "accent": 5 / 105}, abs=0.02
        )


class TestSumsInAPlot:
    def test_lines_are_where_the_sums_say(self, tab: PhasesTab) -> None:
        curves, sums = tab.curves, running_totals(RUNS)
        seen, look = curves.grab().toImage(), theme.current()
        for index in (2, 5):
            at = curves.point(index, sums[index].cached).toPoint()
            near = {seen.pixelColor(at.x(), at.y() + dy).name() for dy in (-1, 0, 1)}
            assert look.colour("accent").name() in near
        assert curves.point(7, sums[7].bare).y() < curves.point(7, sums[7].cold).y()
