"""Buttons that choose the view of a canvas."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from app.cache.canvas import TreeCanvas
from app.core.words.joining import titled
from app.core.words.tr import tr


class ViewSwitch(QWidget):
    """One button for each view; the pressed one is on screen."""

    def __init__(self, canvas: TreeCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("View of the tree"))
        self._canvas = canvas
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for view in canvas.views:
            button = QToolButton()
            button.setText(view.title)
            button.setToolTip(f"{view.tip} ({view.key})")
            button.setAccessibleName(titled(view.title, view.tip))
            button.setCheckable(True)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _on=False, name=view.name: canvas.show_view(name))
            self._group.addButton(button)
            self.buttons[view.name] = button
            row.addWidget(button)
        row.addStretch(1)
        canvas.view_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.buttons[self._canvas.view.name].setChecked(True)


class FocusButton(QToolButton):
    """Shows only the open conversation in full, the others on a line each."""

    def __init__(self, canvas: TreeCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        hint = tr("This chat in full, the others on a line each")
        self.setText(tr("This chat"))
        self.setToolTip(f"{hint} (C)")
        self.setAccessibleName(hint)
        self.setCheckable(True)
        self.setChecked(canvas.focused)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.toggled.connect(canvas.set_focused)
        canvas.focus_changed.connect(self.setChecked)
