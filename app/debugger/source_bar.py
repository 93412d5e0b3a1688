"""The bar above the desk: which trace is on screen, or being recorded or read, and how to leave it.

It is hidden while the open engine is on screen and nothing is recorded.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from app.core.words.tr import tr
from app.ui.widgets import ElidedLabel

_PARTS = 1000
# A stretch factor that outweighs the stretch at the end.
_ALL, _AFTER_PX = 1000, 16


class SourceBar(QWidget):
    """A single line of labels and buttons.

    Attributes:
        line: what is on screen, or being read.
        recording: shown while a trace is being written.
        progress: of reading a file.
        cancel, close_trace, demo, open: buttons.

    Signals:
        cancelled, closed, demo_wanted, open_wanted: the user clicked.
    """

    cancelled = Signal()
    closed = Signal()
    demo_wanted = Signal()
    open_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("source")
        self.setAccessibleName(tr("What the debugger shows"))
        self.line = ElidedLabel("")
        self.recording = QLabel(tr("● Recording a trace"))
        self.recording.setProperty("kind", "dangerSmall")
        self.progress = QProgressBar()
        self.progress.setRange(0, _PARTS)
        self.progress.setTextVisible(False)
        self.progress.setFixedSize(QSize(160, 6))
        self.progress.setAccessibleName(tr("Reading the trace"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.setSpacing(8)
        row.addWidget(self.line, _ALL)
        row.addWidget(self.progress)
        row.addWidget(self.recording, 0, Qt.AlignmentFlag.AlignVCenter)
        self.cancel = self._button(tr("Cancel"), row, self.cancelled)
        self.demo = self._button(tr("Open demo trace"), row, self.demo_wanted)
        self.open = self._button(tr("Open trace…"), row, self.open_wanted)
        self.close_trace = self._button(tr("Back to this engine"), row, self.closed)
        row.addStretch(1)
        self._recording = False
        self.show_live(empty=False)

    def show_live(self, *, empty: bool) -> None:
        """Show that the open engine is on screen; `empty`: no model is open."""
        self._show(tr("No model is open. A trace can be looked at without one.") if empty else "")
        self.demo.setVisible(empty)
        self.open.setVisible(empty)
        self._fold()

    def show_file(self, sentence: str, *, alone: bool) -> None:
        """Show that a trace file is on screen; `alone`: no model is open."""
        self._show(sentence)
        self.close_trace.setText(tr("Close trace") if alone else tr("Back to this engine"))
        self.open.show()
        self.close_trace.show()
        self._fold()

    def show_problem(self, sentence: str) -> None:
        """Show why a file could not be opened, until the user does something else."""
        self._show(sentence)
        self.close_trace.setText(tr("Dismiss"))
        for part in (self.demo, self.open, self.close_trace):
            part.show()
        self._fold()

    def show_reading(self, name: str, done: float) -> None:
        """Show the progress of reading a file; what is on screen stays there."""
        if not self.cancel.isVisibleTo(self):
            self._show(tr("Reading {name}").format(name=name))
            self.progress.show()
            self.cancel.show()
            self._fold()
        self.progress.setValue(round(done * _PARTS))

    def show_recording(self, on: bool) -> None:
        self._recording = on
        self.recording.setVisible(on)
        self._fold()

    def _show(self, sentence: str) -> None:
        self.line.setText(sentence)
        # Keep the buttons next to the text in a wide window.
        self.line.setMaximumWidth(self.line.fontMetrics().horizontalAdvance(sentence) + _AFTER_PX)
        self.recording.setVisible(self._recording)
        for part in (self.progress, self.cancel, self.demo, self.open, self.close_trace):
            part.hide()

    def _fold(self) -> None:
        self.setVisible(bool(self.line.text()) or self._recording)

    def _button(self, text: str, row: QHBoxLayout, clicked: SignalInstance) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("kind", "small")
        button.clicked.connect(lambda: clicked.emit())
        row.addWidget(button)
        return button
