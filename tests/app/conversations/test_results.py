"""The results of a search as rows: what is shown of a text, days, and accessible names."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.conversations.results_model import ResultPainter, ResultsModel, day_text, fitted
from app.core.session.search import FoundConversation, FoundMessage, Marked, emphasised
from app.ui import theme
from tests.app.clipping import line_px

TODAY = date(2026, 11, 21)


class TestFitted:
    @pytest.fixture
    def metrics(self, qtbot: QtBot) -> QFontMetricsF:
        return QFontMetricsF(theme.ui_font(13))

    def test_what_fits_stays(self, metrics: QFontMetricsF) -> None:
        text = emphasised("Lift of a wing", ["wing"])
        assert fitted(text, metrics, 1000, 1) == text

    def test_the_match_is_shown_even_far_behind(self, metrics: QFontMetricsF) -> None:
        text = emphasised("A long title about the lift of a biplane wing and more", ["wing"])
        found = fitted(text, metrics, 160, 1)
        assert found.words == ("wing",)
        assert found.text.startswith("…")
        assert metrics.horizontalAdvance(found.text) <= 161

    def test_the_ellipsis_is_not_marked(self, metrics: QFontMetricsF) -> None:
        text = Marked("wingwingwingwingwingwing", ((0, 24),))
        found = fitted(text, metrics, 60, 1)
        assert found.text.endswith("…")
        assert "…" not in found.words[0]

    def test_without_a_mark_the_end_goes(self, metrics: QFontMetricsF) -> None:
        found = fitted(Marked("word " * 30), metrics, 100, 2)
        assert found.text.startswith("word word")
        assert found.text.endswith("…")


def test_rows_are_as_tall_as_the_letters_that_another_font_lends(
    qtbot: QtBot, tall: QFont, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ui_font(px: int) -> QFont:
        font = QFont(tall)
        font.setPixelSize(px)
        return font

    monkeypatch.setattr(theme, "ui_font", ui_font)
    model, painter = ResultsModel(), ResultPainter()
    for text in ("wing", "机翼"):
        found = FoundMessage(5, Marked(text), 0.0)
        model.show([FoundConversation(1, Marked(text), False, 0.0, (found,))], TODAY)
        title, message = (
            painter.sizeHint(QStyleOptionViewItem(), model.index(at)) for at in (0, 1)
        )
        assert title.height() == 8 + line_px(text, ui_font(13)) + 5
        assert message.height() == 2 * line_px(text, ui_font(12)) + 2 * 5


@pytest.mark.parametrize(
    ("when", "wanted"),
    [
        ((2026, 11, 21, 9, 5), "09:05"),
        ((2026, 11, 20, 9, 5), "20 Nov"),
        ((2025, 5, 3, 9, 5), "3 May 2025"),
    ],
)
def test_days(when: tuple[int, int, int, int, int], wanted: str) -> None:
    assert day_text(datetime(*when).timestamp(), TODAY) == wanted
    assert day_text(1e18, TODAY) == ""


def test_it_is_a_sound_model_whose_rows_can_be_heard(qtmodeltester: ModelTester) -> None:
    when = datetime(2026, 11, 20).timestamp()
    found = FoundConversation(
        1, Marked("A title"), False, when, (FoundMessage(5, Marked("a wing"), when),)
    )
    model = ResultsModel()
    model.show([found], TODAY)
    qtmodeltester.check(model)
    heard = [model.index(i).data(Qt.ItemDataRole.AccessibleTextRole) for i in range(2)]
    assert heard == ["conversation, 20 Nov: A title", "message, 20 Nov: a wing"]
    selectable = [bool(model.index(i).flags() & Qt.ItemFlag.ItemIsSelectable) for i in range(2)]
    assert selectable == [False, True]
