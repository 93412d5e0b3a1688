"""Finds what somebody who sees little, or uses no mouse, could not use in a view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QImage, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QWidget,
)

LEAST_CONTRAST = 4.5
CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
)
ROLES: tuple[tuple[type[QWidget], frozenset[QAccessible.Role]], ...] = (
    (
        QAbstractButton,
        frozenset(
            {
                QAccessible.Role.Button,
                QAccessible.Role.ButtonMenu,
                QAccessible.Role.ButtonDropDown,
                QAccessible.Role.CheckBox,
                QAccessible.Role.RadioButton,
            }
        ),
    ),
    (QLineEdit, frozenset({QAccessible.Role.EditableText})),
    (QPlainTextEdit, frozenset({QAccessible.Role.EditableText})),
    (
        QAbstractItemView,
        frozenset({QAccessible.Role.List, QAccessible.Role.Table, QAccessible.Role.Tree}),
    ),
    (QTabBar, frozenset({QAccessible.Role.PageTabList})),
)
OTHER_WAYS = {
    # Up and Down in the palette's field choose in its list.
    ("QListView", "Palette"),
    # Delete removes the file that has the focus, as its name says.
    ("IconButton", "FileChip"),
    # Esc in a field is its sign for the mouse.
    ("QToolButton", "EscapeField"),
    ("QToolButton", "SearchField"),
    ("QToolButton", "_Filter"),
}
# Moved with what they belong to, or with the arrow keys beside a field.
_PARTS = ("qt_", "ScrollLeftButton", "ScrollRightButton")
# Widgets whose rows differ by less are on one line.
_LINE_PX = 12


def gaps(root: QWidget) -> Iterator[str]:
    """What is missing below a visible widget, one sentence each."""
    shown = [w for w in (root, *root.findChildren(QWidget)) if _counts(w)]
    for widget in shown:
        yield from _names(widget)
    yield from _order(root)
    yield from _contrasts(root, shown)


def _counts(widget: QWidget) -> bool:
    if not widget.isVisible() or not widget.isEnabled():
        return False
    if isinstance(widget, QScrollBar | QHeaderView) or widget.objectName().startswith(_PARTS):
        return False
    above = widget.parentWidget()
    if isinstance(above, QAbstractScrollArea) and above.viewport() is widget:
        return False
    return not tabbed_away(widget)


def tabbed_away(widget: QWidget) -> bool:
    """Whether it lies in a dock behind another one, which Qt counts as visible."""
    above: QWidget | None = widget
    while above is not None and not isinstance(above, QDockWidget):
        above = above.parentWidget()
    return above is not None and above.visibleRegion().isEmpty()


def _names(widget: QWidget) -> Iterator[str]:
    """A name, a role, and a way to it by keyboard."""
    control = isinstance(widget, CONTROLS)
    stop = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    if not control and not stop:
        return
    # A field of another control is named by it.
    if isinstance(widget.parentWidget(), QComboBox | QAbstractSpinBox):
        return
    found = QAccessible.queryAccessibleInterface(widget)
    name = _name(widget)
    told = name or widget.objectName() or widget.toolTip()
    what = f"{type(widget).__name__} {told!r} in {type(widget.parentWidget()).__name__}"
    if not name.strip():
        yield f"{what} has no accessible name"
    if found is None or found.role() == QAccessible.Role.NoRole:
        yield f"{what} has no role"
    else:
        for kind, roles in ROLES:
            if isinstance(widget, kind) and found.role() not in roles:
                yield f"{what} has the role {found.role().name}"
    if control and not stop and not _reached_otherwise(widget):
        yield f"{what} cannot be reached by keyboard"


def _name(widget: QWidget) -> str:
    found = QAccessible.queryAccessibleInterface(widget)
    return "" if found is None else found.text(QAccessible.Text.Name)


def _reached_otherwise(widget: QWidget) -> bool:
    """Whether a control that Tab passes by has another way, which the program states."""
    if widget.focusProxy() is not None or isinstance(widget, QTabBar):
        return True
    if isinstance(widget, QAbstractButton):
        # Of buttons of which one is on, Tab leads to that one, and arrows to the others.
        group = widget.group()
        alone = group.buttons() if group is not None and group.exclusive() else []
        if any(bool(other.focusPolicy() & Qt.FocusPolicy.TabFocus) for other in alone):
            return True
    return (type(widget).__name__, type(widget.parentWidget()).__name__) in OTHER_WAYS


def _order(root: QWidget) -> Iterator[str]:
    """Tab goes from left to right and from top to bottom, among the children of a widget."""
    last: dict[int, QWidget] = {}
    for widget in _chain(root):
        parent = widget.parentWidget()
        if parent is None:
            continue
        before = last.get(id(parent))
        last[id(parent)] = widget
        if before is None:
            continue
        here, there = widget.geometry(), before.geometry()
        same_line = abs(here.center().y() - there.center().y()) <= _LINE_PX
        back = here.right() < there.left() if same_line else here.bottom() < there.top()
        if back:
            yield (
                f"Tab goes back from {type(before).__name__} {_name(before)!r} to "
                f"{type(widget).__name__} {_name(widget)!r}"
            )


def _chain(root: QWidget) -> Iterator[QWidget]:
    widget = root.nextInFocusChain()
    while widget is not root and widget is not None:
        stop = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if stop and _counts(widget) and root.isAncestorOf(widget):
            yield widget
        widget = widget.nextInFocusChain()


def _contrasts(root: QWidget, shown: list[QWidget]) -> Iterator[str]:
    picture = root.grab().toImage()
    scale, pixels = picture.devicePixelRatio(), _pixels(picture)
    for widget in shown:
        text, ink = _ink(widget)
        if not text.strip() or not any(map(str.isalnum, text)):
            continue
        visible = widget.visibleRegion().boundingRect()
        if visible.isEmpty():
            continue
        corner = widget.mapTo(root, QPoint(visible.left(), visible.top()))
        # What lies behind a palette is not what somebody reads.
        there = root.childAt(corner + QPoint(visible.width() // 2, visible.height() // 2))
        if there is not None and there is not widget and not widget.isAncestorOf(there):
            continue
        ground = _ground(pixels, QRect(corner, visible.size()), scale)
        found = ratio(ink, ground)
        if found < LEAST_CONTRAST:
            yield (
                f"{type(widget).__name__} {text[:40]!r}: {ink.name()} on {ground.name()} has a "
                f"contrast of {found:.2f}"
            )


def _ink(widget: QWidget) -> tuple[str, QColor]:
    """The text of a widget and its colour, as the style sheet has set it."""
    if isinstance(widget, QLabel):
        return widget.text(), widget.palette().color(QPalette.ColorRole.WindowText)
    if isinstance(widget, QAbstractButton):
        return widget.text(), widget.palette().color(QPalette.ColorRole.ButtonText)
    if isinstance(widget, QLineEdit):
        return widget.text(), widget.palette().color(QPalette.ColorRole.Text)
    return "", QColor()


def _pixels(picture: QImage) -> NDArray[np.uint32]:
    """`[height, width]`, each 0xffRRGGBB."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.width()).copy()


def _ground(pixels: NDArray[np.uint32], area: QRect, scale: float) -> QColor:
    """The colour that most of an area has."""
    rows = (np.arange(area.top(), area.bottom() + 1, 2) * scale).astype(int)
    columns = (np.arange(area.left(), area.right() + 1, 3) * scale).astype(int)
    counts = Counter(pixels[np.ix_(rows, columns)].ravel().tolist())
    return QColor(counts.most_common(1)[0][0]) if counts else QColor("white")


@lru_cache(maxsize=4096)
def _light(rgb: int) -> float:
    """The relative luminance of WCAG 2."""
    parts = [((rgb >> shift) & 255) / 255 for shift in (16, 8, 0)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: QColor, other: QColor) -> float:
    """The contrast of two colours, 1 to 21."""
    high, low = sorted((_light(one.rgb()), _light(other.rgb())), reverse=True)
    return (high + 0.05) / (low + 0.05)
