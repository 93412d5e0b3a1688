"""Letters that our fonts lack: other fonts of the desktop lend them, and no height breaks."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QTextLayout
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.chat.body import CodeBlock
from app.chat.composer import Composer
from app.chat.prose import ProseView
from app.ui import theme
from tests.app.conftest import Desk, MakeDesk
from tests.app.settle import settle
from tests.present import present

SAMPLES = {
    "cjk": "日本語の文章です 中文",
    "emoji": "😀 👍🏽 👩\u200d👩\u200d👧 🇫🇷",
    "combining": "e\u0301 a\u0308\u0323 Z\u0351\u036b\u0343",
    "right to left": "שלום עולם مرحبا بالعالم",
    "in no font": "\U0001f9cc \U00012000 \ue000",
}
PLAIN = "Plain words"
# Between a font of ours and one that lends letters.
_MOST_TALLER = 1.6


@pytest.fixture(params=list(SAMPLES.values()), ids=list(SAMPLES))
def sample(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def fonts(qtbot: QtBot) -> list[QFont]:
    composer = Composer()
    qtbot.addWidget(composer)
    code = CodeBlock()
    qtbot.addWidget(code)
    field = present(composer.findChild(QPlainTextEdit))
    return [theme.ui_font(14), theme.mono_font(13), field.font(), code.text_view.font()]


class TestMerging:
    def test_no_font_forbids_it(self, qtbot: QtBot) -> None:
        theme.keeper()
        for font in fonts(qtbot):
            assert not font.styleStrategy() & QFont.StyleStrategy.NoFontMerging
            assert font.families()

    def test_the_code_font_asks_for_even_widths(self, qtbot: QtBot) -> None:
        theme.keeper()
        assert theme.mono_font().styleHint() == QFont.StyleHint.Monospace

    def test_a_font_of_the_desktop_lends_what_ours_lacks(self, qtbot: QtBot) -> None:
        theme.keeper()
        japanese = QFontDatabase.WritingSystem.Japanese
        if not QFontDatabase.families(japanese):
            pytest.skip("no font here has Japanese letters")
        for font in fonts(qtbot):
            layout = QTextLayout("日本語", font)
            layout.beginLayout()
            layout.createLine().setLineWidth(1000)
            layout.endLayout()
            glyphs = [glyph for run in layout.glyphRuns() for glyph in run.glyphIndexes()]
            assert len(glyphs) == 3
            # Number 0 is the box that stands for a letter that no font has.
            assert 0 not in glyphs


class TestHeights:
    def test_the_composer_shows_every_line(self, qtbot: QtBot, sample: str) -> None:
        theme.keeper()
        composer = Composer()
        qtbot.addWidget(composer)
        composer.resize(700, 200)
        composer.show()
        field = present(composer.findChild(QPlainTextEdit))
        heights = []
        for text in (PLAIN, sample):
            composer.set_text("\n".join([text] * 4))
            settle()
            document, block, taken = field.document(), field.document().firstBlock(), 0.0
            while block.isValid():
                taken += document.documentLayout().blockBoundingRect(block).height()
                block = block.next()
            assert field.viewport().height() >= taken
            heights.append(field.height())
        assert heights[1] <= _MOST_TALLER * heights[0]

    def test_so_do_code_and_prose(self, qtbot: QtBot, sample: str) -> None:
        theme.keeper()
        heights: dict[type, list[int]] = {CodeBlock: [], ProseView: []}
        for text in (PLAIN, sample):
            lines = "\n".join([text] * 6)
            code, prose = CodeBlock(), ProseView(14)
            code.show_code(lines, "", closed=True)
            prose.show_plain(lines)
            for part in (code, prose):
                qtbot.addWidget(part)
                part.resize(600, part.height_for(600))
                part.show()
                settle()
                assert part.text_view.verticalScrollBar().maximum() == 0
                heights[type(part)].append(part.height())
        assert all(after <= _MOST_TALLER * before for before, after in heights.values())


class TestWindow:
    def test_it_goes_through_a_conversation_the_list_and_find(
        self, make_desk: MakeDesk, sample: str
    ) -> None:
        desk: Desk = make_desk(answer=lambda _: ("", f"Said: {sample}\n\n```\n{sample}\n```"))
        desk.open()
        desk.say(sample)
        assert desk.session.current.title == sample
        finding = desk.window.chat.finding
        finding.open(sample)
        desk.until(lambda: len(finding.hits) == 3)
