"""The lab's first tab: figures, pictures, keys and mouse, in both themes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.lab.logic.arithmetic import Pools, designs
from app.lab.memory_tab import MemoryTab
from app.ui import theme
from engine.cache_shape import LayerKind
from engine.events import ModelInfo
from tests.app.fake_loop import MODEL
from tests.app.settle import settle
from tests.app.sight import cut_labels

WINDOW = MODEL.cache_shape.window
_RING_PIXELS = 80


@pytest.fixture
def lab(qtbot: QtBot) -> MemoryTab:
    return opened(qtbot, MODEL)


@pytest.fixture
def themed(mode: theme.Mode, qtbot: QtBot) -> MemoryTab:
    return opened(qtbot, MODEL)


def opened(qtbot: QtBot, model: ModelInfo) -> MemoryTab:
    made = MemoryTab()
    qtbot.addWidget(made)
    made.resize(1060, 690)
    made.show_model(model)
    made.show_conversation(None)
    made.show()
    made.activateWindow()
    made.slider.setFocus()
    settle()
    return made


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def differing(one: QImage, other: QImage) -> int:
    return sum(
        one.pixel(x, y) != other.pixel(x, y)
        for y in range(one.height())
        for x in range(one.width())
    )


def totals(lab: MemoryTab) -> list[str]:
    return [figure.text() for figure in lab.totals.figures.values()]


class TestFigures:
    def test_those_at_32k(self, lab: MemoryTab) -> None:
        assert lab.tokens == 32_768
        assert totals(lab) == ["6.00 GiB", "1.50 GiB", "403 MiB"]
        assert [ratio.text() for ratio in lab.totals.ratios.values()] == ["15.3 ×", "3.81 ×", ""]
        products = [product.text() for _, product in lab.sums.rows]
        assert products[1].endswith("× 32,768 tokens = 1,610,612,736 B (1.50 GiB)")
        assert products[5].endswith("= 422,191,104 B (403 MiB)")
        assert lab.layer_name.text() == "Layer 3: full attention, 64.0 MiB"

    def test_bars_are_to_scale(self, lab: MemoryTab) -> None:
        shares = [bar.share for bar in lab.totals.bars.values()]
        assert shares == pytest.approx([1, 1 / 4, 422_191_104 / 6_442_450_944])

    def test_without_a_model_it_shows_the_bundled_one_and_says_so(self, lab: MemoryTab) -> None:
        lab.show_model(None)
        assert lab.model.text() == (
            "No model is open; as an example, the bundled one. "
            "Biplane demo: 8 layers, 2 full and 6 linear. Window 8,192 tokens."
        )
        lab.choose(100)
        assert lab.layer.text().startswith("K [2, 100, 64] bfloat16: 25,600 B")
        lab.choose(32_768)
        assert lab.tokens == 8192
        lab.show_conversation(50)
        lab.show_model(MODEL)
        assert totals(lab) == ["6.00 GiB", "1.50 GiB", "403 MiB"]

    def test_a_model_with_a_shorter_window(self, lab: MemoryTab) -> None:
        lab.choose(WINDOW)
        lab.show_model(replace(MODEL, cache_shape=replace(MODEL.cache_shape, window=4096)))
        assert (lab.tokens, lab.field.maximum()) == (4096, 4096)
        assert lab.slider.value() == lab.slider.maximum()

    @pytest.mark.parametrize("kind", ["full", "linear"])
    def test_layers_of_one_kind(self, qtbot: QtBot, kind: LayerKind) -> None:
        shape = replace(MODEL.cache_shape, kinds=(kind,) * 200)
        lab = opened(qtbot, replace(MODEL, cache_shape=shape))
        lab.strip.pick(199)
        assert lab.layer_name.text().startswith(f"Layer 199: {kind} attention")
        assert lab.strip.cell(199).bottom() <= lab.strip.height()


class TestChoosingALength:
    def test_by_keys_on_the_slider(self, lab: MemoryTab, qtbot: QtBot) -> None:
        lab.slider.setFocus()
        qtbot.keyClick(lab.slider, Qt.Key.Key_PageUp)
        assert (lab.tokens, lab.field.value()) == (65_536, 65_536)
        qtbot.keyClick(lab.slider, Qt.Key.Key_Left)
        assert 32_768 < lab.tokens < 65_536
        qtbot.keyClick(lab.slider, Qt.Key.Key_End)
        assert lab.tokens == WINDOW
        assert totals(lab) == ["48.0 GiB", "12.0 GiB", "3.02 GiB"]
        qtbot.keyClick(lab.slider, Qt.Key.Key_Home)
        assert lab.tokens == 16

    def test_by_typing_it(self, lab: MemoryTab, qtbot: QtBot) -> None:
        lab.field.setFocus()
        lab.field.selectAll()
        qtbot.keyClicks(lab.field, "1000")
        qtbot.keyClick(lab.field, Qt.Key.Key_Return)
        assert lab.tokens == 1000
        assert lab.isVisible()
        assert "× 1,000 tokens =" in lab.sums.rows[0][1].text()
        assert lab.layer.text().startswith("K [2, 1,000, 256]")

    def test_by_dragging_in_the_plot(self, lab: MemoryTab, qtbot: QtBot) -> None:
        area = lab.curves.area
        qtbot.mousePress(lab.curves, Qt.MouseButton.LeftButton, pos=area.center().toPoint())
        # Half way between 16 and 262,144 on a logarithmic axis.
        assert lab.tokens == pytest.approx(2048, rel=0.05)
        qtbot.mouseMove(lab.curves, area.topRight().toPoint())
        beyond = QPoint(lab.curves.width(), 5)
        qtbot.mousePress(lab.curves, Qt.MouseButton.LeftButton, pos=beyond)
        assert lab.tokens == WINDOW

    def test_that_of_the_conversation(self, lab: MemoryTab, qtbot: QtBot) -> None:
        assert not lab.here.isEnabled()
        lab.show_conversation(4321)
        qtbot.mouseClick(lab.here, Qt.MouseButton.LeftButton)
        assert lab.tokens == lab.field.value() == 4321

    def test_screen_readers_hear_the_figures(self, lab: MemoryTab) -> None:
        lab.choose(32_768)
        heard = lab.slider.accessibleDescription()
        assert heard == lab.curves.accessibleDescription()
        assert heard == (
            "At 32,768 tokens: Full attention, every head 6.00 GiB, "
            "Full attention, grouped heads 1.50 GiB, This model 403 MiB."
        )


class TestLayers:
    def test_by_keys(self, lab: MemoryTab, qtbot: QtBot) -> None:
        strip = lab.strip
        strip.setFocus()
        qtbot.keyClick(strip, Qt.Key.Key_Right)
        assert lab.layer_name.text() == "Layer 4: linear attention, 1.04 MiB"
        assert "state [16, 128, 128] float32: 1,048,576 B" in lab.layer.text()
        assert "512 KiB" in strip.accessibleDescription()
        qtbot.keyClick(strip, Qt.Key.Key_End)
        qtbot.keyClick(strip, Qt.Key.Key_Right)
        assert strip.chosen == 23
        qtbot.keyClick(strip, Qt.Key.Key_Home)
        qtbot.keyClick(strip, Qt.Key.Key_Left)
        assert strip.chosen == 0

    def test_what_it_holds_now(self, lab: MemoryTab) -> None:
        assert lab.now.text() == "This conversation has no tokens yet."
        lab.show_conversation(1000)
        lab.show_pools(Pools(5000, 12))
        lab.strip.pick(7)
        assert lab.now.text().splitlines() == [
            "K [2, 1,000, 256] bfloat16: 1,024,000 B (0.98 MiB)",
            "V [2, 1,000, 256] bfloat16: 1,024,000 B (0.98 MiB)",
            "All conversations, on the device: 5,000 tokens, 9.77 MiB.",
        ]
        lab.strip.pick(8)
        assert lab.now.text().startswith("state [16, 128, 128] float32: 1,048,576 B (1.00 MiB)")
        # Each with its window of the convolution.
        assert lab.now.text().endswith("on the device: 12 states, 12.4 MiB.")
        assert "12 states" in lab.strip.accessibleDescription()
        lab.show_pools(None)
        assert "device" not in lab.now.text()

    def test_by_mouse(self, lab: MemoryTab, qtbot: QtBot) -> None:
        place = lab.strip.cell(7).center().toPoint()
        qtbot.mouseClick(lab.strip, Qt.MouseButton.LeftButton, pos=place)
        assert lab.layer_name.text() == "Layer 7: full attention, 64.0 MiB"

    def test_arrows_go_from_row_to_row(self, qtbot: QtBot) -> None:
        shape = replace(MODEL.cache_shape, kinds=MODEL.cache_shape.kinds * 8)
        lab = opened(qtbot, replace(MODEL, cache_shape=shape))
        columns = lab.strip.columns(lab.strip.width())
        assert columns < len(shape.kinds)
        lab.strip.pick(1)
        qtbot.keyClick(lab.strip, Qt.Key.Key_Down)
        assert lab.strip.chosen == 1 + columns
        assert lab.strip.cell(1 + columns).top() > lab.strip.cell(1).bottom() - 1

    def test_kinds_differ_in_colour_and_height(self, themed: MemoryTab) -> None:
        themed.strip.pick(23)
        look, seen = theme.current(), picture(themed.strip)
        for index, kind in enumerate(MODEL.cache_shape.kinds[:23]):
            place = themed.strip.cell(index)
            x = round(place.center().x())
            low, high = round(place.top()) + 25, round(place.top()) + 6
            token = "kv_cached" if kind == "full" else "state_cached"
            assert seen.pixelColor(x, low) == look.colour(token)
            assert (seen.pixelColor(x, high) == look.colour(token)) == (kind == "full")


class TestPictures:
    def test_curves_are_where_the_arithmetic_says(self, themed: MemoryTab) -> None:
        curves, look = themed.curves, theme.current()
        themed.choose(1024)
        seen = picture(curves)
        for tokens in (64, 100_000):
            # Only the model's own is a continuous line.
            at = curves.point(tokens, designs(MODEL.cache_shape, tokens)[2].bytes).toPoint()
            near = {seen.pixelColor(at.x(), at.y() + dy).name() for dy in (-1, 0, 1)}
            assert look.colour("accent").name() in near

    def test_the_conversation_is_marked(self, themed: MemoryTab) -> None:
        before = picture(themed.curves)
        themed.show_conversation(4321)
        marked = picture(themed.curves)
        assert differing(before, marked) > 100
        x = themed.curves.point(4321, 1).x()
        columns = {
            at
            for at in range(before.width())
            for y in range(60, 200)
            if before.pixel(at, y) != marked.pixel(at, y)
        }
        assert columns
        assert all(abs(at - x) <= 2 for at in columns)

    def test_the_focus_is_seen(self, themed: MemoryTab) -> None:
        for widget in (themed.slider, themed.field, themed.here, themed.strip):
            themed.show_conversation(4321)
            widget.clearFocus()
            settle()
            before = picture(widget)
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            settle()
            assert differing(before, picture(widget)) >= _RING_PIXELS, widget

    def test_nothing_is_cut_on_a_small_screen(self, themed: MemoryTab) -> None:
        themed.show_conversation(200_000)
        themed.choose(WINDOW)
        settle()
        assert themed.width() <= 1366
        assert themed.height() <= 768 - 40
        assert cut_labels(themed) == []

    def test_keys_reach_what_is_out_of_sight(self, lab: MemoryTab, qtbot: QtBot) -> None:
        assert lab.focusWidget() is lab.slider
        assert lab.body.focusPolicy() == Qt.FocusPolicy.NoFocus
        lab.resize(600, 420)
        settle()
        assert lab.layer.visibleRegion().isEmpty()
        lab.body.setFocus()
        qtbot.keyClick(lab.body, Qt.Key.Key_PageDown)
        qtbot.keyClick(lab.body, Qt.Key.Key_PageDown)
        settle()
        assert not lab.layer.visibleRegion().isEmpty()
