"""A text that is as tall as its content."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFont,
    QImage,
    QPainter,
    QRegion,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.chat.formulas import PICTURE
from app.chat.logic.markdown_stream import Prose
from app.chat.logic.mathematics import set_apart
from app.chat.prose import ProseView, plain
from app.chat.rendered import block_text
from app.chat.typesetting import Source, typesetter
from app.ui import theme


def test_asking_for_its_ideal_width_does_not_unwrap_it(qtbot: QtBot) -> None:
    theme.keeper()
    prose = ProseView(14)
    qtbot.addWidget(prose)
    prose.show_plain("word " * 100)
    prose.resize(300, prose.height_for(300))
    laid_out = prose.document().textWidth()
    assert laid_out > 0
    assert prose.ideal_width() > 0
    assert prose.document().textWidth() == laid_out


def _shown(qtbot: QtBot, text: str, width: int = 500) -> ProseView:
    """Markdown in a view, once all of its formulas are typeset."""
    theme.keeper()
    typesetter().outlines(set_apart(text)[1])
    qtbot.waitUntil(
        lambda: Source.FOR_NOW not in typesetter().outlines(set_apart(text)[1]), timeout=20_000
    )
    prose = ProseView(14)
    qtbot.addWidget(prose)
    prose.show_markdown(text)
    prose.resize(width, prose.height_for(width))
    return prose


def _painted(
    prose: ProseView, on: Qt.GlobalColor = Qt.GlobalColor.transparent
) -> npt.NDArray[np.uint8]:
    """Blue, green, red and opacity of each pixel, at four to one of the window."""
    image = QImage(prose.size() * 4, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(4)
    image.fill(on)
    painter = QPainter(image)
    prose.viewport().render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    painter.end()
    bits = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return bits.copy()


def _ink(prose: ProseView) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is painted."""
    ys, xs = np.nonzero(_painted(prose)[..., 3] > 128)
    return int(xs.min()), int(ys.min()), int(xs.max()), int(ys.max())


@pytest.mark.parametrize("around", ["{}", "# {}", "- {}"])
def test_a_formula_stands_on_the_baseline_of_the_text(qtbot: QtBot, around: str) -> None:
    bottom = _ink(_shown(qtbot, around.format("x")))[3]
    assert _ink(_shown(qtbot, around.format("$x$")))[3] == pytest.approx(bottom, abs=4)
    beside = around.format(r"x $\begin{pmatrix} 1 \\ 2 \end{pmatrix}$ x")
    top, below = _ink(_shown(qtbot, beside))[1::2]
    assert top < _ink(_shown(qtbot, around.format("x")))[1]
    assert below > bottom


def test_a_formula_of_its_own_is_centred_and_shrinks_to_the_width(qtbot: QtBot) -> None:
    left, _, right, _ = _ink(_shown(qtbot, r"$$\frac{a}{b}$$", 400))
    assert (left + right) / 2 == pytest.approx(2 * 400, abs=40)
    wide = _shown(qtbot, "$$" + "a + " * 40 + "b$$", 400)
    left, _, right, _ = _ink(wide)
    assert 0 <= left < 60
    assert 4 * 340 < right < 4 * 400
    assert wide.document().firstBlock().layout().lineCount() == 1


def test_formulas_read_as_their_source(qtbot: QtBot) -> None:
    text = r"so $\frac{a}{b}$ and $x^2$, with $\foo{x}$"
    prose = _shown(qtbot, text)
    prose.selectAll()
    assert plain(prose.chosen().selectedText()) == text
    assert prose.createMimeDataFromSelection().text() == text
    assert block_text(Prose(text), markdown=True) == text
    reader = QAccessible.queryAccessibleInterface(prose)
    assert reader is not None
    spoken = reader.textInterface()
    assert spoken.text(0, spoken.characterCount()).replace(PICTURE, "") == text


def test_a_formula_is_selected_as_its_picture_is(qtbot: QtBot) -> None:
    prose = _shown(qtbot, "so $x^2$ and")
    picture = prose.document().toPlainText().index(PICTURE)
    cursor = prose.textCursor()
    for start, end, chosen in (
        (0, picture, "so "),
        (picture - 2, picture + 3, "$x^2$ a"),
        (picture, picture + 1, "$x^2$"),
        (picture - 3, picture - 1, ""),
    ):
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        prose.setTextCursor(cursor)
        assert plain(prose.chosen().selectedText()) == chosen


def test_a_passage_is_found_at_its_place_in_the_text(qtbot: QtBot) -> None:
    prose = _shown(qtbot, "so $x^2$ and $y_1$ end")
    for wanted, found in (("end", "end"), ("and", "and"), ("^2", f"$x^2${PICTURE}")):
        start = "so $x^2$ and $y_1$ end".index(wanted)
        assert prose.found(start, start + len(wanted)).selectedText() == found


def test_a_growing_text_with_formulas_is_shown_at_every_length(qtbot: QtBot) -> None:
    text = (
        "So\n\n$$\n\\frac{a_1}{b} \\le \\sqrt{x}\n$$\n\nand \\(x\\) or $y$ in\n\n1. \\[ z^2 \\]\n"
    )
    prose = _shown(qtbot, text)
    whole = prose.height_for(500)
    heights = []
    for length in range(1, len(text) + 1):
        prose.show_markdown(text[:length])
        heights.append(prose.height_for(500))
    assert heights[-1] == whole
    # The source of a fraction takes more lines than its picture.
    line = prose.fontMetrics().height() * 2
    assert all(after > before - 3 * line for before, after in pairwise(heights))
    assert max(heights) <= whole + line


def test_another_theme_colours_formulas_anew_without_moving_anything(qtbot: QtBot) -> None:
    prose = _shown(qtbot, r"so $\frac{a}{b}$")
    keeper = theme.keeper()
    before = prose.height_for(500), _ink(prose)
    modes: tuple[theme.Mode, ...] = ("dark", "light")
    for mode in modes:
        keeper.set_mode(mode)
        prose.restyle()
        assert (prose.height_for(500), _ink(prose)) == before
        image = prose.grab().toImage()
        text = theme.current().colour("text").lightness()
        shades = [image.pixelColor(x, y).lightness() for x in range(60) for y in range(24)]
        assert min(abs(shade - text) for shade in shades) < 25
    keeper.set_mode("system")


def test_a_quotation_in_a_list_has_its_bar_beside_it(qtbot: QtBot) -> None:
    for text, left in (("> so", 0), ("- a\n\n  > so", 26), ("- a\n  - b\n\n    > so", 52)):
        prose = _shown(qtbot, text)
        row = _painted(prose)[-4 * 10, : 4 * 80, 3]
        assert row[4 * left : 4 * (left + 3)].tolist() == [round(0.6 * 255)] * 12
        assert not row[: 4 * left].any()


def test_a_table_below_a_quotation_has_its_whole_head_in_bold(qtbot: QtBot) -> None:
    text = "> so\n\n| a | b |\n|---|---|\n| c<br>d | e |"
    prose = _shown(qtbot, text)
    assert prose.toPlainText() == block_text(Prose(text), markdown=True) == "so\na\nb\nc\nd\ne\n"
    cursor = prose.document().find("a")
    assert cursor.charFormat().fontWeight() == QFont.Weight.Bold


def test_a_footnote_is_marked_above_the_line_and_leads_nowhere(qtbot: QtBot) -> None:
    prose = _shown(qtbot, "So[^1] it is.\n\n[^1]: One")
    shape = prose.document().find("[1]").charFormat()
    assert shape.verticalAlignment() == QTextCharFormat.VerticalAlignment.AlignSuperScript
    assert not shape.isAnchor()
    assert prose.toPlainText() == "So[1] it is.\n[1] One"


def test_no_picture_is_loaded(qtbot: QtBot) -> None:
    prose = _shown(qtbot, "![a cat](file:///etc/hosts) and ![one][two]\n\n[two]: https://a.org")
    assert prose.toPlainText() == "a cat and one"
    assert PICTURE not in prose.document().toPlainText()


def test_a_double_click_selects_a_formula(qtbot: QtBot) -> None:
    prose = _shown(qtbot, "so $x^2 + y_1$ and")
    prose.show()
    before, after = (prose.cursorRect(prose.document().find(one)) for one in ("so ", "and"))
    spot = QPoint((before.right() + after.right()) // 2, before.center().y())
    qtbot.mouseDClick(prose.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert plain(prose.chosen().selectedText()) == "$x^2 + y_1$"
    qtbot.mouseDClick(prose.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, spot.y()))
    assert plain(prose.chosen().selectedText()) == "so"


def test_a_selected_formula_has_the_colour_of_selected_text(qtbot: QtBot) -> None:
    prose = _shown(qtbot, r"$$\sum_i \frac{a}{b}$$")

    def inked(colour: QColor) -> int:
        shades = _painted(prose, Qt.GlobalColor.white)[..., :3].astype(int)
        wanted = (colour.blue(), colour.green(), colour.red())
        return int((abs(shades - wanted).max(axis=2) < 8).sum())

    usual = inked(theme.current().colour("text"))
    assert usual > 500
    prose.selectAll()
    assert inked(prose.palette().highlightedText().color()) >= usual * 0.9
