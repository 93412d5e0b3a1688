"""File > Open trace: reads a trace in the background and shows it in the debugger."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed
from app.core.session.records import EnginePhase
from app.core.words.joining import in_turn
from app.core.words.tr import tr
from app.debugger.debugger import DebuggerController
from app.debugger.logic.source import FileSource
from app.debugger.source_bar import SourceBar
from app.ui.export.behind import Behind
from app.ui.file_dialog import ask_which
from app.ui.menus.menus import Menus
from engine.errors import BiplaneError

if TYPE_CHECKING:
    from app.debugger.remote.logic.source import RemoteSource

FILES = tr("Traces (*.jsonl *.jsonl.gz);;All files (*)")
_TOLD_BY = (Changed.ENGINE, Changed.RECORDING)
_LOOK_MS = 100
# A file that takes longer is shown while it is read, and grows this often.
_PATIENCE_S, _GROW_S = 0.6, 1.0


class ReadingCancelled(BiplaneError):
    """The user cancelled reading the file."""


class _Job:
    """One file being read: written by the reading thread, polled by the GUI thread.

    Attributes:
        done: 0 to 1.
        stop: set to cancel.
        begun: the source, as far as it can be shown already.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done = 0.0
        self.stop = Event()
        self.begun: FileSource | None = None
        self._since = time.perf_counter()

    def read(self) -> FileSource:
        return FileSource(self.path, self._went, self._begin)

    @property
    def part(self) -> FileSource | None:
        """The part read so far, if reading takes a while and there is any."""
        long = time.perf_counter() - self._since > _PATIENCE_S
        return self.begun if long and self.begun is not None and len(self.begun.tape) else None

    def _begin(self, source: FileSource) -> None:
        self.begun = source

    def _went(self, done: float) -> None:
        self.done = done
        if self.stop.is_set():
            raise ReadingCancelled(tr("Reading the trace was cancelled."))


class TraceController(QObject):
    """Opens trace files in the debugger, and goes back to the open engine.

    Attributes:
        bar: shows the current source.
        problem: why the last file could not be opened, until it is dismissed.

    Signals:
        failed: why a file could not be opened.
        left: remote engines are no longer on screen.
    """

    failed = Signal(str)
    left = Signal()

    def __init__(
        self, bridge: Bridge, window: QWidget, menus: Menus, debugger: DebuggerController
    ) -> None:
        """window: the parent of the dialogs."""
        super().__init__(window)
        self._bridge, self._session = bridge, bridge.session
        self._window, self._menus, self._debugger = window, menus, debugger
        self._job: _Job | None = None
        self._file: FileSource | RemoteSource | None = None
        self.problem = ""
        self._part_end = 0
        self._grown_at = 0.0
        self._behind = Behind(self, self._failed)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        # A hidden parent until the desk takes the bar.
        wings = QWidget(window)
        wings.hide()
        self.bar = SourceBar(wings)
        debugger.above = self.bar
        self.bar.cancelled.connect(self._stop_reading)
        self.bar.closed.connect(self.close)
        self.bar.open_wanted.connect(self.ask)
        self.bar.demo_wanted.connect(self.open_demo)
        menus.open_trace.triggered.connect(self.ask)
        menus.demo_trace.triggered.connect(self.open_demo)
        menus.close_trace.triggered.connect(self.close)
        bridge.changed.connect(self._changed)
        debugger.shown.connect(self._show)
        self._show()

    @property
    def name(self) -> str:
        """The name of the file on screen; "" for the open engine."""
        return "" if self._file is None else self._file.name

    @property
    def reading(self) -> bool:
        """Whether a file is being read."""
        return self._job is not None

    def ask(self) -> None:
        """Let the user choose a file."""
        path = ask_which(self._window, "traces", tr("Open trace"), FILES)
        if path is not None:
            self.open(path)

    def open_demo(self) -> None:
        """Open the bundled trace."""
        self.open(demo_trace())

    def open(self, path: Path) -> None:
        """Read a file and show it; what is on screen stays until then."""
        self.cancel()
        self.problem = ""
        self._debugger.show(True)
        job = self._job = _Job(path)
        self._behind.run(job.read, partial(self._take, job))
        self._timer.start()
        self._show()

    def look_at(self, source: RemoteSource) -> None:
        """Show remote engines instead of a file."""
        self.cancel()
        self.problem = ""
        self._leave()
        self._debugger.show(True)
        self._file = source
        self._debugger.show_source(source)
        self._show()

    def say(self) -> None:
        """Update the bar after the source has grown."""
        self._show()

    def cancel(self) -> None:
        """Stop reading; what is on screen stays, even the first part of a file."""
        if self._job is not None:
            self._job.stop.set()
            self._job = None
            self._timer.stop()
            self._show()

    def _stop_reading(self) -> None:
        """Stop reading at the user's request."""
        self.cancel()
        if self._file is not None and not self._file.whole:
            self._bridge.notify(self._file.problem)

    def close(self) -> None:
        """Show the open engine again; if a problem is shown, only dismiss that."""
        self.cancel()
        if self.problem:
            self.problem = ""
            self._show()
            return
        self._leave()
        if self._file is not None:
            self._file = None
            self._debugger.show_source(None)
            self._show()

    def wait(self) -> None:
        """Stop, and wait for the reading thread."""
        self.cancel()
        self._leave()
        self._behind.wait()

    # ---- inside

    def _leave(self) -> None:
        if self._file is not None and not isinstance(self._file, FileSource):
            self.left.emit()

    def _take(self, job: _Job, made: object) -> None:
        if job is not self._job:
            return
        assert isinstance(made, FileSource)
        grown = self._file is made
        self._leave()
        self._job, self._file = None, made
        self._timer.stop()
        if grown:
            self._debugger.show_whole(self._part_end)
        else:
            self._debugger.show_source(made)
        self._show()
        if made.problem:
            self._bridge.notify(made.problem)

    def _failed(self, sentence: str) -> None:
        # Ignore a cancelled file; what was shown of it stays.
        if self._job is not None and not self._job.stop.is_set():
            self._job = None
            self._timer.stop()
            self.problem = sentence
            self._show()
            self.failed.emit(sentence)
            self._bridge.notify(sentence)

    def _look(self) -> None:
        job = self._job
        if job is None:
            return
        self.bar.show_reading(job.path.name, job.done)
        part, now = job.part, time.perf_counter()
        if part is None or now - self._grown_at < _GROW_S:
            return
        self._grown_at = now
        if self._file is part:
            self._debugger.grow()
        else:
            self._leave()
            self._file = part
            self._part_end = self._debugger.show_part(part)
            self._show()

    def _changed(self, changes: frozenset[Change]) -> None:
        if any(change.kind in _TOLD_BY for change in changes):
            self._show()

    def _show(self, *_: object) -> None:
        alone = self._session.engine.phase in (EnginePhase.NONE, EnginePhase.FAILED)
        self._menus.close_trace.setEnabled(self._file is not None or bool(self.problem))
        self.bar.show_recording(self._session.recording)
        if self._job is not None:
            self.bar.show_reading(self._job.path.name, self._job.done)
        elif self.problem:
            self.bar.show_problem(self.problem)
        elif self._file is not None:
            # What is missing from a file is shown as long as it is on screen.
            self.bar.show_file(in_turn(self._file.problem, self._file.sentence), alone=alone)
        else:
            self.bar.show_live(empty=alone)
        name = self.name if self._debugger.on_screen else ""
        model = self._session.engine.model
        shown = name or ("" if model is None else model.name)
        self._window.setWindowTitle(f"{shown} – Biplane" if shown else "Biplane")


def demo_trace() -> Path:
    """The bundled trace."""
    import assets

    return Path(assets.__file__).parent / "demo.trace.jsonl.gz"
