"""The queue of messages that wait for the running answer, in a box above the composer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.core.session.attachments import parted
from app.core.session.records import Conversation, Queued
from app.core.words import format as fmt
from app.core.words.joining import titled
from app.core.words.tr import tr
from app.ui.widgets import ElidedLabel, IconButton, label

_ROW_PX = 28
_MOST_ROWS = 3


class QueueRow(QWidget):
    """One queued message.

    Signals:
        edited: the user wants to edit it.
        removed: the user removes it.
    """

    edited = Signal()
    removed = Signal()

    def __init__(self, waiting: Queued, first: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(_ROW_PX)
        self.text = ElidedLabel("dim")
        self.text.setText(queue_line(waiting.text, first))
        self.text.setToolTip(self.text.text())
        self.edit = IconButton("edit", tr("Edit this message"), self.edited.emit, size=14)
        self.remove = IconButton("close", tr("Remove this message"), self.removed.emit, size=14)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.text, 1)
        row.addWidget(self.edit)
        row.addWidget(self.remove)


class QueueView(QFrame):
    """Shows the queue; hidden while it is empty.

    Attributes:
        rows: one per message, in order of sending.
        why: why nothing is sent although no answer is running.
        send: sends the queue then.

    Signals:
        edited, removed: the id of a message.
        released: the user sends the queue.
        emptied: the last row was removed while it had the focus.
    """

    edited = Signal(object)
    removed = Signal(object)
    released = Signal()
    emptied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("queue")
        self.rows: list[QueueRow] = []
        self._shown: list[int] = []
        self.why = label("", "dim", wrap=True)
        self.why.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.send = QPushButton(tr("Send now"))
        self.send.setProperty("kind", "small")
        self.send.clicked.connect(self.released)
        self._head = QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(0, 2, 0, 2)
        head.addWidget(self.why, 1)
        head.addWidget(self.send)
        inner = QWidget()
        inner.setObjectName("column")
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        self._area = QScrollArea()
        self._area.setWidget(inner)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(tr("Messages that are sent next"))
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 8, 4)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self._area)
        self.hide()

    def show_queue(self, conversation: Conversation) -> None:
        """Show the queue of a conversation."""
        self.why.setText(conversation.held)
        # During an answer it only has to wait.
        self._head.setVisible(bool(conversation.held) and conversation.running is None)
        if [waiting.id for waiting in conversation.queue] != self._shown:
            self._fill(conversation.queue)
        self.setVisible(bool(conversation.queue))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, QWidget):
            self._area.ensureWidgetVisible(watched, 0, 0)
        return super().eventFilter(watched, event)

    def _fill(self, queue: Sequence[Queued]) -> None:
        focused = next((at for at, row in enumerate(self.rows) if _has_focus(row)), None)
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._shown = [waiting.id for waiting in queue]
        self.rows = [self._row(waiting, at == 0) for at, waiting in enumerate(queue)]
        shown = min(len(queue), _MOST_ROWS)
        # Half a row more shows that there are others.
        more = _ROW_PX // 2 if len(queue) > _MOST_ROWS else 0
        self._area.setFixedHeight(shown * _ROW_PX + more)
        if focused is not None and self.rows:
            self.rows[min(focused, len(self.rows) - 1)].remove.setFocus()
        elif focused is not None:
            self.emptied.emit()

    def _row(self, waiting: Queued, first: bool) -> QueueRow:
        row = QueueRow(waiting, first)
        row.edited.connect(lambda: self.edited.emit(waiting.id))
        row.removed.connect(lambda: self.removed.emit(waiting.id))
        for button in (row.edit, row.remove):
            button.installEventFilter(self)
        self._list.addWidget(row)
        return row


def queue_line(message: str, first: bool) -> str:
    """ "Next: Why do wings lift? (2 files)"."""
    found = parted(message)
    text = " ".join(found.text[:500].split())
    files = fmt.plural(len(found.files), "file") if found.files else ""
    shown = f"{text} ({files})" if text and files else text or files
    return titled(tr("Next") if first else tr("Then"), shown)


def _has_focus(row: QueueRow) -> bool:
    return row.edit.hasFocus() or row.remove.hasFocus()
