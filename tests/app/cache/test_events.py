"""Cache > Event log in the window: it stays open, follows, filters, copies and selects nodes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from app.cache.event_window import EventWindow
from app.cache.logic.event_rows import LOG
from app.core.session.event_log import MOST_EVICTIONS, EventLog
from app.ui import theme
from engine.snapshot import Evicted
from tests.app.conftest import Desk
from tests.app.samples import evicted, snapshot
from tests.app.sight import cut_labels
from tests.present import present
from tests.stopwatch import Stopwatch


@pytest.fixture
def told(desk: Desk) -> Iterator[Desk]:
    """A window whose event log is open, with a tree, three evictions and a notice."""
    desk.say("word " * 600)
    last = node_ids(desk)[-1]
    tell(
        desk,
        evicted(1, node_now=last, start=0, end=1, cause="state pressure", plane="state"),
        evicted(2, above=last, cause="kv pressure", copy="host"),
        evicted(3, above=0, cause="kv pressure", kv_bytes=9000),
    )
    desk.bridge.notify("The disk is full.")
    desk.window.menus.events.trigger()
    assert window(desk).isVisible()
    yield desk
    window(desk).close()


def window(desk: Desk) -> EventWindow:
    return present(desk.window.events.window)


def node_ids(desk: Desk) -> list[int]:
    return [one.id for one in present(desk.session.cache.snapshot).nodes if one.parent is not None]


def tell(desk: Desk, *gone: Evicted) -> None:
    """Evictions arrive with the tree as it is; the newest is the last."""
    shown = present(desk.session.cache.snapshot)
    timed = tuple(replace(one, time=shown.time - len(gone) + n) for n, one in enumerate(gone))
    desk.bridge.perform(desk.session.cache.see(replace(shown, evictions=timed)))


def column(desk: Desk, title: str) -> list[str]:
    model = window(desk).view.model()
    return [
        model.index(line, LOG.titles.index(title)).data(Qt.ItemDataRole.DisplayRole)
        for line in range(model.rowCount())
    ]


def press(widget: QWidget, desk: Desk, key: Qt.Key, *, control: bool = False) -> None:
    modifier = Qt.KeyboardModifier
    desk.qtbot.keyClick(widget, key, modifier.ControlModifier if control else modifier.NoModifier)


def button(desk: Desk, text: str) -> QPushButton:
    return next(b for b in window(desk).findChildren(QPushButton) if b.text().startswith(text))


class TestWindow:
    def test_it_lists_the_newest_first_and_leaves_the_window_usable(self, told: Desk) -> None:
        assert column(told, "Event")[1:] == ["kv pressure", "kv pressure", "state pressure"]
        assert column(told, "Text")[0] == "The disk is full."
        assert not window(told).isModal()
        told.say("one more")
        assert window(told).isVisible()

    def test_it_grows_by_rows_and_is_never_reset(self, told: Desk) -> None:
        model = window(told).view.shown
        inserted: list[int] = []
        model.rowsInserted.connect(lambda _parent, first, last: inserted.append(last - first + 1))
        resets: list[int] = []
        model.modelReset.connect(lambda: resets.append(1))
        tell(told, evicted(4), evicted(5))
        tell(told, evicted(6))
        assert inserted == []
        told.qtbot.waitUntil(lambda: model.rowCount() == 7)
        assert (sum(inserted), resets) == (3, [])

    def test_rows_that_come_leave_the_chosen_one_and_what_is_read_in_place(
        self, told: Desk
    ) -> None:
        view = window(told).view
        tell(told, *[evicted(number) for number in range(10, 300)])
        told.window.events._follow()
        view.selectRow(150)
        view.scrollTo(view.currentIndex(), view.ScrollHint.PositionAtTop)
        chosen, top = view.current, view.shown.row(view.indexAt(QPoint(0, 0)))
        seen: list[object] = []
        view.chosen.connect(seen.append)
        tell(told, *[evicted(number) for number in range(300, 310)])
        told.window.events._follow()
        assert view.current is chosen
        assert view.shown.row(view.indexAt(QPoint(0, 0))) is top
        assert seen == []

    def test_closing_hides_it_and_stops_its_timer(self, told: Desk) -> None:
        tell(told, evicted(4))
        assert told.window.events._timer.isActive()
        press(window(told).view, told, Qt.Key.Key_Escape)
        assert not window(told).isVisible()
        assert not told.window.events._timer.isActive()
        told.window.menus.events.trigger()
        assert window(told).view.shown.rowCount() == 5

    def test_it_goes_with_the_window(self, told: Desk) -> None:
        told.window.close()
        assert not window(told).isVisible()

    def test_the_cache_is_looked_at_while_only_it_is_open(self, told: Desk) -> None:
        told.window.show_cache(False)
        assert told.session.cache.watched
        window(told).close()
        assert not told.session.cache.watched
        told.window.menus.events.trigger()
        assert told.session.cache.watched
        told.window.show_cache(True)
        shown = present(told.session.cache.snapshot)
        assert present(told.window.cache.canvas.model.layout).version == shown.version


class TestFilter:
    def test_words_narrow_and_esc_empties_them_before_it_closes(self, told: Desk) -> None:
        events_window = window(told)
        press(events_window.view, told, Qt.Key.Key_F, control=True)
        told.qtbot.keyClicks(events_window.filter, "lost kv")
        assert column(told, "Event") == ["kv pressure"]
        assert events_window.count.text() == "1 of 4 events"
        press(events_window.filter, told, Qt.Key.Key_Escape)
        assert (events_window.isVisible(), len(column(told, "Event"))) == (True, 4)
        press(events_window.filter, told, Qt.Key.Key_Escape)
        assert not events_window.isVisible()

    def test_sums_are_toggles(self, told: Desk) -> None:
        assert button(told, "KV pressure").text() == "KV pressure  2 · 11.9 KiB"
        assert button(told, "KV pressure").accessibleName() == (
            "KV pressure: 2 events, 11.9 KiB freed"
        )
        assert button(told, "Notices").text() == "Notices  1"
        told.qtbot.mouseClick(button(told, "KV pressure"), Qt.MouseButton.LeftButton)
        assert column(told, "Event") == ["kv pressure"] * 2
        press(button(told, "Moved down"), told, Qt.Key.Key_Space)
        assert column(told, "Copy") == ["host"]
        tell(told, evicted(7), evicted(8, copy="disk"))
        told.window.events._follow()
        assert column(told, "Copy") == ["disk", "host"]
        assert button(told, "KV pressure").text().startswith("KV pressure  4")

    def test_the_chosen_line_stays_chosen_if_it_is_still_shown(self, told: Desk) -> None:
        view = window(told).view
        view.selectRow(2)
        chosen = view.current
        window(told).filter.setText("kv pressure")
        assert view.current is chosen
        assert len(view.selected) == 1

    def test_what_is_not_listed_is_counted(self, told: Desk) -> None:
        shown = replace(present(told.session.cache.snapshot), evictions=(), unlisted=12)
        told.session.cache.see(shown)
        told.window.events._follow()
        assert window(told).count.text() == (
            "4 events · 12 more evictions are not listed individually"
        )
        assert "Evicted from the device since the model was opened" in window(told).count.toolTip()


class TestLines:
    @pytest.mark.parametrize("key", ["menu", "Shift+F10"])
    def test_a_header_sorts_by_mouse_and_the_menu_by_key(self, told: Desk, key: str) -> None:
        view = window(told).view
        head = view.horizontalHeader()
        at = QPoint(
            head.sectionViewportPosition(LOG.titles.index("Bytes")) + 20, head.height() // 2
        )
        told.qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
        sizes = ["", "2.15 KiB", "2.15 KiB", "9.77 KiB"]
        assert column(told, "Bytes") in (sizes, sizes[::-1])
        view.setFocus()
        if key == "menu":
            reason = QContextMenuEvent.Reason.Keyboard
            QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, QPoint(), QPoint()))
        else:
            told.qtbot.keyClick(view, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        menu = next(m for m in view.findChildren(QMenu) if m.isVisible() and m.title() == "")
        order = present(next(a.menu() for a in menu.actions() if a.text() == "Sort by"))
        assert isinstance(order, QMenu)
        next(a for a in order.actions() if a.text() == "Event").trigger()
        menu.close()
        assert column(told, "Event") == [
            "kv pressure",
            "kv pressure",
            "notice",
            "state pressure",
        ]

    def test_selected_lines_are_copied(self, told: Desk) -> None:
        view = window(told).view
        view.setFocus()
        view.selectRow(0)
        told.qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        press(view, told, Qt.Key.Key_C, control=True)
        lines = QGuiApplication.clipboard().text().splitlines()
        assert [line.split("\t")[1] for line in lines] == ["Event", "notice", "kv pressure"]
        press(view, told, Qt.Key.Key_A, control=True)
        told.qtbot.mouseClick(button(told, "Copy"), Qt.MouseButton.LeftButton)
        assert len(QGuiApplication.clipboard().text().splitlines()) == 5
        assert window(told).note.text() == "4 lines copied."


class TestChoosing:
    def test_a_line_selects_its_node_by_key(self, told: Desk) -> None:
        press(window(told).filter, told, Qt.Key.Key_Down)
        view, canvas = window(told).view, told.window.cache.canvas
        assert window(told).note.text() == "A notice belongs to no node."
        press(view, told, Qt.Key.Key_Down)
        assert canvas.selected is None
        assert "neither is any node above it" in window(told).note.text()
        press(view, told, Qt.Key.Key_Down)
        assert canvas.selected == node_ids(told)[-1]
        assert "The nearest node above it is selected" in window(told).note.text()

    def test_a_click_selects_it_and_a_double_click_goes_there(self, told: Desk) -> None:
        view, canvas = window(told).view, told.window.cache.canvas
        at = view.visualRect(view.model().index(3, LOG.titles.index("Text"))).center()
        told.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert canvas.selected in node_ids(told)
        told.window.show_cache(False)
        view.selectRow(2)
        assert window(told).note.text().endswith("Press Enter to show the tree.")
        told.qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert told.window.cache.isVisible()

    def test_enter_goes_to_the_tree(self, told: Desk) -> None:
        view = window(told).view
        told.window.show_cache(False)
        view.selectRow(2)
        press(view, told, Qt.Key.Key_Return)
        assert told.window.cache.isVisible()
        assert told.window.cache.canvas.selected == node_ids(told)[-1]
        assert window(told).isVisible()

    def test_a_node_out_of_sight_is_brought_in(self, told: Desk) -> None:
        canvas = told.window.cache.canvas
        canvas.zoom(40.0, QPointF(0, 60))
        before = canvas.viewport
        made = present(canvas.model.layout)
        row = int(made.table.end.argmax())
        number = next(n for n in node_ids(told) if made.row_of(n) is not None)
        canvas.reveal(number)
        assert canvas.selected == number
        start, end = int(made.table.start[row]), int(made.table.end[row])
        assert end > before.right
        far = before.showing((max(start, end - 1), end), 0, end, 1)
        assert far.left < end <= far.right
        assert far.showing((max(start, end - 1), end), 0, end, 1) == far


def test_it_can_be_read_and_named(told: Desk, mode: theme.Mode) -> None:
    QApplication.processEvents()
    assert cut_labels(window(told)) == []
    named = [window(told).filter, window(told).view, window(told).chips]
    assert all(part.accessibleName() for part in named)
    lost = window(told).view.model().index(1, LOG.titles.index("Copy"))
    assert lost.data(Qt.ItemDataRole.ForegroundRole) == theme.current().colour("danger")


def test_ten_thousand_lines_are_followed_and_filtered_quickly(told: Desk) -> None:
    log = EventLog()
    gone = tuple(evicted(number, end=501 + number % 900) for number in range(MOST_EVICTIONS))
    log.add_evictions(replace(snapshot(), evictions=gone), 0.0)
    made = EventWindow()
    told.qtbot.addWidget(made)
    made.show()
    watch = Stopwatch()
    made.follow(log, None)
    times = [watch.spent_s()]
    watch = Stopwatch()
    made.filter.setText("600")
    made.filter.clear()
    times.append(watch.spent_s())
    watch = Stopwatch()
    log.add_evictions(replace(snapshot(), evictions=gone[:200]), 1.0)
    made.follow(log, None)
    QApplication.processEvents()
    times.append(watch.spent_s())
    print("filled, filtered twice, followed: " + ", ".join(f"{took:.3f} s" for took in times))
    assert made.view.model().rowCount(QModelIndex()) == MOST_EVICTIONS
    # Several times what it takes.
    assert max(times) < 3
