"""Small windows: panes fold in order, and what is left can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from app.cache.legend import TreeLegend
from app.cache.pane import SECTIONS
from app.cache.sections import needs
from app.shell.window_memory import LEAST, WindowState
from engine.snapshot import DiskView
from tests.app.conftest import Desk, MakeDesk
from tests.app.settle import settle
from tests.app.sight import cut_labels, wrapped_height
from tests.mostly_slow import mostly_slow
from tests.present import present

SIZES = [LEAST, (700, 500), (1000, 700)]
TROUBLE = (
    "Nothing can be written to /home/someone/.cache/biplane/states: no space is left on the "
    "device. Checkpoints stay in memory, and it is tried again every minute."
)


def told(desk: Desk) -> Desk:
    """A window with two prompts behind it, evictions, a disk in trouble, and all figures shown."""
    desk.window.cache.show_figures(SECTIONS)
    desk.say("word " * 1200)
    desk.say("Another prompt. " * 30)
    show(desk, TROUBLE)
    return desk


def show(desk: Desk, trouble: str) -> None:
    disk = DiskView(1_034, 3 << 30, 4 << 30, 0, 0, trouble)
    evicted = (("state plane full", 1_204), ("kv plane full", 31))
    before = present(desk.session.cache.snapshot)
    desk.session.cache.snapshot = replace(before, disk=disk, evicted=evicted, version=9999)
    desk.window.cache.show_snapshot(desk.session)


def resize(desk: Desk, width: int, height: int) -> None:
    desk.window.resize(width, height)
    desk.until(lambda: desk.window.size().width() == width)
    desk.settle()


def unreadable(desk: Desk) -> list[str]:
    window = desk.window
    return cut_labels(window.cache, window.status, window.chat.composer, window.card)


class TestRenaming:
    @pytest.mark.parametrize("folded", ["by the user", "by the width"])
    def test_the_list_comes_back_for_the_new_name(self, desk: Desk, folded: str) -> None:
        """Without it the field would not be seen, and would take what is meant as a message."""
        resize(desk, *((700, 500) if folded == "by the width" else (1366, 740)))
        if folded == "by the user":
            desk.window.show_chats(False)
        assert not desk.window.chats.isVisible()
        desk.window.menus.rename.trigger()
        assert desk.window.chats.isVisible()
        field = desk.window.chats.list.findChild(QLineEdit)
        assert field is not None
        assert field.isVisible()


class TestReading:
    @pytest.mark.parametrize("size", mostly_slow((size,) for size in SIZES), ids=str)
    def test_nothing_is_cut_with_prompts_evictions_and_trouble(
        self, desk: Desk, size: tuple[int, int]
    ) -> None:
        told(desk)
        resize(desk, *size)
        desk.window.show_cache(True)
        resize(desk, *size)
        assert desk.window.cache.isVisible()
        assert unreadable(desk) == []
        central = present(desk.window.centralWidget())
        least = central.minimumSizeHint()
        assert least.height() <= central.height()
        assert least.width() <= central.width()

    @pytest.mark.parametrize("size", mostly_slow((size,) for size in SIZES), ids=str)
    def test_nothing_is_cut_with_a_nodes_details_open(
        self, desk: Desk, size: tuple[int, int]
    ) -> None:
        told(desk)
        resize(desk, *size)
        desk.window.show_cache(True)
        nodes = present(desk.session.cache.snapshot).nodes
        chosen = next(node for node in reversed(nodes) if node.checkpoint is not None)
        desk.window.cache.canvas.select(chosen.id)
        resize(desk, *size)
        assert desk.window.cache.drawer.isVisible()
        if size != LEAST:
            assert unreadable(desk) == []

    @pytest.mark.slow
    def test_at_any_height_what_is_shown_beside_a_nodes_details_is_whole(self, desk: Desk) -> None:
        told(desk)
        pane = desk.window.cache
        desk.window.show_cache(True)
        chosen = next(
            n for n in present(desk.session.cache.snapshot).nodes if n.checkpoint is not None
        )
        pane.canvas.select(chosen.id)
        squeezed, heights = [], range(600, 900, 12)
        for height in heights:
            desk.window.resize(1366, height)
            settle()
            for part in pane.children():
                if isinstance(part, QWidget) and part.isVisible():
                    lacks = needs(part, part.width()) - part.height()
                    squeezed += [(height, type(part).__name__, lacks)] if lacks > 0 else []
        assert squeezed == []

    @pytest.mark.parametrize("size", mostly_slow((size,) for size in SIZES), ids=str)
    def test_nothing_is_cut_before_the_first_prompt(
        self, desk: Desk, size: tuple[int, int]
    ) -> None:
        desk.window.cache.show_figures(SECTIONS)
        show(desk, "")
        resize(desk, *size)
        desk.window.show_cache(True)
        resize(desk, *size)
        assert unreadable(desk) == []
        assert cut_labels(desk.window.chat) == []

    @pytest.mark.parametrize("size", mostly_slow((size,) for size in SIZES), ids=str)
    def test_the_card_of_a_failure_is_whole(
        self, make_desk: MakeDesk, size: tuple[int, int]
    ) -> None:
        desk = make_desk()
        desk.open("broken")
        desk.window.card.bar.details.setChecked(True)
        resize(desk, *size)
        assert desk.window.card.isVisible()
        assert cut_labels(desk.window.card, desk.window.status) == []

    def test_at_1000_every_figure_and_every_mark_is_told(self, desk: Desk) -> None:
        told(desk)
        resize(desk, 1000, 700)
        desk.window.show_cache(True)
        desk.settle()
        show(desk, "")
        desk.settle()
        cache = desk.window.cache
        assert cache.summary.shown.endswith("· 1,235 evicted")
        rows = [figures for figures in cache.planes._bytes.values() if figures.isVisible()]
        assert len(rows) == 5
        assert all(
            figures.shown.split(" · ")[1:] == figures.text().split(" · ")[1:] for figures in rows
        )
        legend = present(cache.findChild(TreeLegend))
        assert legend.isVisible()
        assert legend.height() >= legend.heightForWidth(legend.width())

    @pytest.mark.parametrize("size", mostly_slow((size,) for size in SIZES), ids=str)
    def test_the_placeholder_of_the_system_text_is_whole(
        self, desk: Desk, size: tuple[int, int]
    ) -> None:
        resize(desk, *size)
        desk.window.settings.open()
        resize(desk, *size)
        fields = desk.window.chat.findChildren(QPlainTextEdit)
        field = next(f for f in fields if f.accessibleName() == "System text")
        width = field.viewport().width() - 2 * round(field.document().documentMargin())
        needed = wrapped_height(field.placeholderText(), field, width)
        assert needed <= field.viewport().height()

    @pytest.mark.parametrize("size", mostly_slow((size,) for size in SIZES), ids=str)
    def test_the_composers_placeholder_is_whole(
        self, make_desk: MakeDesk, size: tuple[int, int]
    ) -> None:
        desk = make_desk(hold=True)
        desk.bridge.open_model(Path("/models/a"))
        resize(desk, *size)
        field = present(desk.window.chat.composer.findChild(QPlainTextEdit))
        assert field.placeholderText().endswith("once the model is loaded")
        width = field.viewport().width() - 4
        assert wrapped_height(field.placeholderText(), field, width) <= field.viewport().height()


class TestTrouble:
    def test_it_stands_as_long_as_it_lasts(self, desk: Desk) -> None:
        told(desk)
        resize(desk, 1360, 900)
        trouble = desk.window.cache.planes.trouble
        assert trouble.isVisible()
        assert trouble.sentence.isVisible()
        assert trouble.sentence.text() == TROUBLE
        assert trouble.toolTip() == TROUBLE
        show(desk, "")
        assert not trouble.isVisible()

    def test_where_room_is_short_it_is_one_line(self, desk: Desk) -> None:
        told(desk)
        resize(desk, 700, 400)
        desk.window.show_cache(True)
        desk.settle()
        show(desk, TROUBLE)
        desk.settle()
        trouble = desk.window.cache.planes.trouble
        assert trouble.isVisible()
        assert not trouble.sentence.isVisible()
        assert trouble.line.shown == "Nothing is being written to disk"
        assert trouble.toolTip() == TROUBLE


class TestPanes:
    def shown(self, desk: Desk) -> tuple[bool, bool]:
        return desk.window.chats.isVisible(), desk.window.cache.isVisible()

    def test_they_fold_in_order_and_come_back(self, desk: Desk) -> None:
        seen = []
        for width in (1300, 900, 700, 900, 1300):
            resize(desk, width, 600)
            seen.append((*self.shown(desk), desk.window.splitter.strip.isVisible()))
        both, list_, none = (True, True, False), (True, False, True), (False, False, True)
        assert seen == [both, list_, none, list_, both]

    @pytest.mark.parametrize("width", [LEAST[0], 700, 900, 1199, 1200, 1366])
    def test_the_chat_is_never_narrower_than_560(self, desk: Desk, width: int) -> None:
        resize(desk, width, 600)
        assert desk.window.chat.width() >= 560

    def test_a_pane_put_away_by_hand_stays_away(self, desk: Desk) -> None:
        resize(desk, 1300, 700)
        desk.window.menus.cache.trigger()
        for width in (700, 1300):
            resize(desk, width, 600)
            assert not desk.window.cache.isVisible()
            assert not desk.window.splitter.strip.isVisible()
            assert not desk.window.menus.cache.isChecked()

    def test_a_folded_pane_comes_over_the_chat_when_it_is_asked_for(self, desk: Desk) -> None:
        resize(desk, 700, 500)
        before = desk.window.chat.width()
        assert not desk.window.menus.cache.isChecked()
        desk.window.menus.cache.trigger()
        assert self.shown(desk) == (False, True)
        assert desk.window.menus.cache.isChecked()
        desk.window.menus.chats.trigger()
        desk.settle()
        assert self.shown(desk) == (True, False)
        assert desk.window.chat.width() == before
        resize(desk, 1300, 700)
        assert self.shown(desk) == (True, True)

    def test_the_strip_opens_the_cache_and_closes_it(self, desk: Desk) -> None:
        desk.say("word " * 200)
        resize(desk, 900, 600)
        strip = desk.window.splitter.strip
        assert desk.window.cache.isHidden()
        desk.qtbot.mouseClick(strip.button, Qt.MouseButton.LeftButton)
        assert self.shown(desk) == (True, True)
        assert strip.button.isChecked()
        # What came while it was away is drawn.
        drawn = present(desk.window.cache.canvas.model.layout)
        assert drawn.extent == present(desk.session.cache.snapshot).nodes[-1].end
        desk.qtbot.mouseClick(strip.button, Qt.MouseButton.LeftButton)
        assert self.shown(desk) == (True, False)
        assert not strip.button.isChecked()

    def test_the_strip_shows_how_memory_is_split(self, desk: Desk) -> None:
        desk.say("word " * 200)
        resize(desk, 900, 600)
        desk.say("word " * 200)
        desk.settle()
        split, memory = (
            desk.window.splitter.strip.split,
            present(desk.session.cache.snapshot).memory,
        )
        held = (memory.weights, memory.kv_plane, memory.state_plane, memory.workspace)
        assert sum(part.bytes for part in split.parts) == sum(held)
        lowest = present(split.part_at(split.height() - 1))
        assert lowest == split.parts[0]
        assert lowest.tooltip in split.accessibleDescription()

    def test_escape_closes_what_is_over_the_chat_and_stops_no_answer(self, desk: Desk) -> None:
        resize(desk, 700, 500)
        desk.loop.steps = 1
        desk.say("word " * 60, wait=False)
        desk.window.menus.cache.trigger()
        desk.qtbot.keyClick(present(desk.window.focusWidget()), Qt.Key.Key_Escape)
        assert not desk.window.cache.isVisible()
        assert desk.session.busy
        assert desk.window.chat.isAncestorOf(present(desk.window.focusWidget()))

    def test_the_cache_makes_way_for_what_is_focused_behind_it(self, desk: Desk) -> None:
        desk.say("Hello")
        resize(desk, 900, 600)
        desk.window.menus.cache.trigger()
        desk.settle()
        desk.window.chat.composer.focus()
        assert desk.window.cache.isVisible()
        desk.window.chat.settings_button.setFocus(Qt.FocusReason.TabFocusReason)
        assert not desk.window.cache.isVisible()
        assert desk.window.chat.settings_button.hasFocus()

    def test_the_drawer_opens_from_the_header_and_closes_once_one_is_chosen(
        self, desk: Desk
    ) -> None:
        desk.say("One")
        desk.window.menus.new.trigger()
        desk.say("Two")
        resize(desk, 700, 500)
        opener = desk.window.splitter.opener
        desk.qtbot.mouseClick(opener, Qt.MouseButton.LeftButton)
        desk.settle()
        assert desk.window.chats.isVisible()
        assert not opener.isVisible()
        chats = desk.window.chats.list
        spot = chats.visualRect(chats.model().index(1, 0)).center()
        desk.qtbot.mouseClick(chats.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        assert desk.session.current.title == "One"
        assert not desk.window.chats.isVisible()
        assert opener.isVisible()

    def test_widths_set_by_hand_survive_a_narrow_moment(self, desk: Desk) -> None:
        resize(desk, 1300, 700)
        handle = desk.window.splitter.handle(2)
        qtbot, left = desk.qtbot, Qt.MouseButton.LeftButton
        qtbot.mousePress(handle, left, pos=QPoint(0, 50))
        qtbot.mouseMove(handle, QPoint(-60, 50))
        qtbot.mouseRelease(handle, left, pos=QPoint(-60, 50))
        own = desk.window.cache.width()
        assert desk.window.splitter.panes.cache_px == own
        resize(desk, 700, 500)
        assert not desk.window.cache.isVisible()
        resize(desk, 1300, 700)
        assert desk.window.cache.width() == own


class TestScreen:
    def test_the_window_lies_on_the_screen(self, desk: Desk) -> None:
        room = QGuiApplication.primaryScreen().availableGeometry()
        desk.window.layout_controller.restore(WindowState())
        assert room.contains(desk.window.geometry())
        for part in (desk.window.chat.composer, desk.window.status):
            lower = part.mapToGlobal(QPoint(part.width() - 1, part.height() - 1))
            assert room.contains(lower)

    def test_it_stands_where_it_stood(self, desk: Desk) -> None:
        desk.window.layout_controller.restore(WindowState())
        desk.window.setGeometry(20, 60, 720, 600)
        desk.window.show_cache(False)
        kept = desk.window.layout_controller.state()
        desk.window.setGeometry(0, 40, 640, 480)
        desk.window.show_cache(True)
        desk.window.layout_controller.restore(kept)
        assert desk.window.layout_controller.state() == kept
        assert not desk.window.cache.isVisible()
