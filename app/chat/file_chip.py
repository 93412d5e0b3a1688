"""A file of a message as a chip: its name, its size, and its beginning on demand."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolTip, QWidget

from app import theme
from app.icons import pixmap
from app.session.attachments import Attachment, first_lines
from app.widgets import IconButton, label
from app.words import format as fmt
from app.words.tr import tr

_NAME_PX, _LEAST_NAME_PX = 190, 40
_ICON_PX = 14
_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class FileChip(QFrame):
    """Shows one file. It can have the focus; then its beginning is shown as under the mouse.

    Attributes:
        file: what it shows.

    Signals:
        removed: the user does not want it to be sent.
        opened: it was clicked, or Enter or Space was pressed on it.
    """

    removed = Signal()
    opened = Signal()

    def __init__(
        self, file: Attachment, parent: QWidget | None = None, *, removable: bool = True
    ) -> None:
        super().__init__(parent)
        self.setObjectName("fileChip")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._removable = removable
        self._width = _NAME_PX * 3
        self._sign = QLabel()
        self._name = label("")
        self._figures = label("", "faint")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 4 if removable else 10, 3)
        row.setSpacing(6)
        for part in (self._sign, self._name, self._figures):
            row.addWidget(part)
        if removable:
            remove = IconButton("close", tr("Remove the file"), self.removed.emit, size=12)
            # The chip itself is the stop of the Tab key: Delete removes it.
            remove.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            row.addWidget(remove)
        self.show_file(file)
        self.restyle()

    def show_file(self, file: Attachment) -> None:
        """Show a file, whose tokens may be known by now."""
        self.file = file
        figures = fmt.byte_size(file.size)
        if file.tokens is not None:
            figures += f" · {fmt.plural(file.tokens, 'token')}"
        self._figures.setText(figures)
        self.fit(self._width)
        cure = tr(". Press Delete to remove it") if self._removable else ""
        self.setAccessibleName(
            tr("File {name}, {figures}{cure}").format(name=file.name, figures=figures, cure=cure)
        )
        shown = escape(first_lines(file))
        self.setToolTip(
            f"<p style='white-space: pre'><b>{escape(file.name)}</b> ({escape(figures)})</p>"
            f"<pre style='font-family: \"{theme.mono_family()}\"'>{shown}</pre>"
        )

    def fit(self, width: int) -> None:
        """Shorten the name where the chip would be wider than `width`."""
        self._width = width
        metrics = self._name.fontMetrics()
        others = self.sizeHint().width() - self._name.sizeHint().width()
        room = max(_LEAST_NAME_PX, min(_NAME_PX, width - others))
        self._name.setText(metrics.elidedText(self.file.name, Qt.TextElideMode.ElideMiddle, room))

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("file", theme.current().colours["dim"], _ICON_PX))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._removable and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Not for what is around it."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.opened.emit()
        else:
            super().mouseReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in _BY_KEYBOARD:
            # Qt hides a tooltip that is there while the focus moves.
            QTimer.singleShot(0, self, self._show_tip)

    def _show_tip(self) -> None:
        if self.hasFocus():
            QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), self.toolTip(), self)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() in _BY_KEYBOARD:
            QToolTip.hideText()
