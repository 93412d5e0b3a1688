"""Who goes through the window by Tab sees where they are, in both themes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from app.core.session.changes import Changed
from app.core.session.records import Refusal
from app.ui import theme
from app.ui.widgets import IconButton
from tests.app.conftest import Desk, MakeDesk
from tests.app.settle import settle
from tests.present import present

# A ring around the smallest button has more; a blinking cursor has less.
_RING_PIXELS = 80
_MOST_STOPS = 80
TALK = ("Let me think.", "Some text.\n\n```py\nx = 1\n```\n\nAnd more.")


@pytest.fixture
def full(mode: theme.Mode, make_desk: MakeDesk) -> Desk:
    """A window with everything in it that can have the focus."""
    desk = make_desk(answer=lambda _: TALK)
    desk.open()
    desk.session.current.thinking = True
    # So wide that nothing lies over the chat.
    desk.window.resize(1900, 1000)
    desk.say("word " * 300)
    desk.session.refused = Refusal("bad", "config.json is missing.")
    desk.window.apply(frozenset({Changed.ENGINE}))
    desk.window.settings.open()
    chosen = next(
        n for n in reversed(present(desk.session.cache.snapshot).nodes) if n.checkpoint is not None
    )
    desk.window.cache.canvas.select(chosen.id)
    desk.window.chat.composer.set_text("Something to send")
    desk.window.activateWindow()
    settle()
    return desk


def stops(desk: Desk) -> list[QWidget]:
    """What Tab leads to, until it comes round."""
    desk.window.chat.composer.focus()
    settle()
    made: list[QWidget] = []
    for _ in range(_MOST_STOPS):
        widget = QApplication.focusWidget()
        assert widget is not None
        # A text stops at each of its terms.
        if widget in made[:-1]:
            return made
        if widget not in made:
            made.append(widget)
        desk.qtbot.keyClick(widget, Qt.Key.Key_Tab)
        settle()
    raise AssertionError("Tab never comes round")


def shot(desk: Desk, area: QRect) -> QImage:
    settle()
    return desk.window.grab(area).toImage()


def changed(before: QImage, after: QImage) -> int:
    assert before.size() == after.size()
    return sum(
        before.pixel(x, y) != after.pixel(x, y)
        for x in range(before.width())
        for y in range(before.height())
    )


class TestRings:
    def test_every_stop_shows_that_it_has_the_focus(self, full: Desk) -> None:
        found = stops(full)
        names = [widget.accessibleName() or getattr(widget, "text", str)() for widget in found]
        for name in ("Conversations", "Conversation", "Message", "System text"):
            assert name in names
        assert "Tree of cached prefixes" in names
        assert "Text of the node" in names
        assert "Choose another file…" in names
        blind = []
        for widget, name in zip(found, names, strict=True):
            # As Tab does it, so that what is out of sight is scrolled to.
            full.window.chat.view.ensureWidgetVisible(widget)
            corner = widget.mapTo(full.window, widget.rect().topLeft())
            area = QRect(corner, widget.size()).adjusted(-16, -12, 16, 12)
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            with_ring = shot(full, area)
            widget.clearFocus()
            if changed(shot(full, area), with_ring) < _RING_PIXELS:
                blind.append(name)
        assert blind == []

    def test_no_field_keeps_the_tab_key_for_itself(self, full: Desk) -> None:
        edit = next(
            button
            for button in full.window.findChildren(IconButton)
            if button.accessibleName().startswith("Edit")
        )
        edit.click()
        for field in full.window.findChildren(QPlainTextEdit):
            if field.isVisible() and field.focusPolicy() & Qt.FocusPolicy.TabFocus:
                text = field.toPlainText()
                field.setFocus()
                full.qtbot.keyClick(field, Qt.Key.Key_Tab)
                assert not field.hasFocus(), field.accessibleName()
                assert field.toPlainText() == text
