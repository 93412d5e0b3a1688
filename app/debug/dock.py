"""A place on the desk for one panel."""

from __future__ import annotations

from PySide6.QtWidgets import QDockWidget, QWidget


class Dock(QDockWidget):
    """Shows its panel's title, unless a tab with the same words does."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._untitled = QWidget()
        self._untitled.setFixedHeight(0)

    def show_title(self, on: bool) -> None:
        """Show the title or leave it out; Qt draws that of a floating panel."""
        wanted = None if on or self.isFloating() else self._untitled
        if self.titleBarWidget() is not wanted:
            # None, which the stub does not know of, is Qt's own title.
            self.setTitleBarWidget(wanted)  # type: ignore[arg-type]
            self._untitled.setVisible(wanted is not None)
