"""A message's files as chips in rows, which scroll beyond a few."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolTip,
    QWidget,
)

from app.core.session.attachments import Attachment, first_lines
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.ui import theme
from app.ui.icons import pixmap
from app.ui.widgets import FlowRow, IconButton, label

_GAP_PX = 6
_MOST_ROWS = 3
_NAME_PX, _LEAST_NAME_PX = 190, 40
_ICON_PX = 14
_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


def files_of(data: QMimeData) -> list[Path]:
    """The local files of a drop or the clipboard; none if it contains anything else."""
    urls = data.urls() if data.hasUrls() else []
    if not urls or not all(url.isLocalFile() for url in urls):
        return []
    return [Path(url.toLocalFile()) for url in urls]


class FileChip(QFrame):
    """Shows one file; focusable, with a preview as tooltip on focus or hover.

    Attributes:
        file: the one shown.

    Signals:
        removed: the user removes the file.
        opened: the chip was clicked, or Enter or Space was pressed on it.
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
            # Tab stops at the chip itself: Delete removes it.
            remove.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            row.addWidget(remove)
        self.show_file(file)
        self.restyle()

    def show_file(self, file: Attachment) -> None:
        """Show a file, whose token count may be known by now."""
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
        """Elide the name if the chip would be wider than `width`."""
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
        """Accept it, so that it does not reach the parent."""
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
            # Qt hides a visible tooltip when the focus moves.
            QTimer.singleShot(0, self, self._show_tip)

    def _show_tip(self) -> None:
        if self.hasFocus():
            QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), self.toolTip(), self)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() in _BY_KEYBOARD:
            QToolTip.hideText()


class FileChips(QScrollArea):
    """Shows the chips; hidden without files.

    Attributes:
        chips: in the order of the files.

    Signals:
        removed: the id of a file to remove.
        opened: a chip was clicked.
        left: the last chip was removed while it had the focus.
    """

    removed = Signal(object)
    opened = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None, *, removable: bool = True) -> None:
        super().__init__(parent)
        self.chips: list[FileChip] = []
        self._removable = removable
        self._row = FlowRow(_GAP_PX, line_gap=_GAP_PX)
        self._row.setObjectName("column")
        self.setWidget(self._row)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Attached files"))
        self.hide()

    def show_files(self, files: Sequence[Attachment]) -> None:
        """Show files; the focus stays, or moves to the neighbour of a removed chip."""
        if [file.id for file in files] == [chip.file.id for chip in self.chips] and all(
            file.name == chip.file.name for file, chip in zip(files, self.chips, strict=True)
        ):
            for file, chip in zip(files, self.chips, strict=True):
                if file is not chip.file:
                    chip.show_file(file)
            self._row.arrange()
            return
        focused = next((at for at, chip in enumerate(self.chips) if chip.hasFocus()), None)
        self._row.clear()
        self.chips = [self._made(file) for file in files]
        before = self._stop_before()
        for chip in self.chips:
            QWidget.setTabOrder(before, chip)
            before = chip
        self.setVisible(bool(self.chips))
        self._row.arrange()
        self._fit()
        if focused is not None and self.chips:
            self.chips[min(focused, len(self.chips) - 1)].setFocus()
        elif focused is not None:
            self.left.emit()

    def restyle(self) -> None:
        for chip in self.chips:
            chip.restyle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, FileChip):
            self.ensureWidgetVisible(watched, 0, 0)
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            # The rows get their width only after this.
            QTimer.singleShot(0, self, self._fit)

    def _stop_before(self) -> QWidget:
        """The widget before the chips in the Tab order: as they are created late, Qt would put them
        last."""
        stop = self.previousInFocusChain()
        while stop is not None and stop is not self:
            if stop.focusPolicy() & Qt.FocusPolicy.TabFocus:
                return stop
            stop = stop.previousInFocusChain()
        return self

    def _made(self, file: Attachment) -> FileChip:
        chip = FileChip(file, self._row, removable=self._removable)
        chip.removed.connect(lambda: self.removed.emit(file.id))
        chip.opened.connect(self.opened)
        chip.installEventFilter(self)
        self._row.add(chip)
        return chip

    def lay_out(self, width: int) -> None:
        """Fit the height to the rows at a width, up to a maximum."""
        if not self.chips:
            return
        for chip in self.chips:
            chip.fit(width)
        self._row.arrange()
        row = max(chip.sizeHint().height() for chip in self.chips)
        wanted = self._row.heightForWidth(max(1, width))
        most = _MOST_ROWS * row + (_MOST_ROWS - 1) * _GAP_PX
        # Half a row more shows that there are others.
        height = wanted if wanted <= most else most + row // 2
        if height != self.height():
            self.setFixedHeight(height)

    def _fit(self) -> None:
        self.lay_out(self.viewport().width())
