"""The files of a message as chips in rows; beyond a few rows they scroll."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from app.chat.file_chip import FileChip
from app.flow_row import FlowRow
from app.session.attachments import Attachment
from app.words.tr import tr

_GAP_PX = 6
_MOST_ROWS = 3


class FileChips(QScrollArea):
    """Hidden while there are no files.

    Attributes:
        chips: in the order of the files.

    Signals:
        removed: the id of a file that the user does not want.
        opened: a chip was clicked.
        left: the last chip is gone that had the focus.
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
        """Show files; what has the focus keeps it, or its neighbour gets it."""
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
            # The rows have their width only after this.
            QTimer.singleShot(0, self, self._fit)

    def _stop_before(self) -> QWidget:
        """Where the Tab key stands before it comes here: chips are made late, and Qt would put
        them last."""
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
        """As tall as the rows in a width, up to some."""
        if not self.chips:
            return
        for chip in self.chips:
            chip.fit(width)
        self._row.arrange()
        row = max(chip.sizeHint().height() for chip in self.chips)
        wanted = self._row.heightForWidth(max(1, width))
        most = _MOST_ROWS * row + (_MOST_ROWS - 1) * _GAP_PX
        # Half a row more, so that one sees that there are others.
        height = wanted if wanted <= most else most + row // 2
        if height != self.height():
            self.setFixedHeight(height)

    def _fit(self) -> None:
        self.lay_out(self.viewport().width())
