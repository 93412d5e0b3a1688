"""Settings > Model and device > CUDA part: installs and removes it, while the window goes on."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.core.bridge import Bridge
from app.core.checks.machine import LEAST_DRIVER, driver_version, nvidia_text
from app.core.cuda.part import CudaPart
from app.core.cuda.state import State
from app.core.cuda.wheels import WheelList, bundled
from app.core.own_program import own_command, own_environment
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.settings.page.cuda import CudaRow, CudaShown
from app.ui.child import Child
from app.ui.export.behind import Behind


@dataclass(frozen=True, slots=True)
class _Known:
    """What is on this computer."""

    driver: bool
    what: WheelList | None
    state: State
    begun: int


class CudaController(QObject):
    """Shows the part in its row, and runs `biplane cuda install` in a process of its own.

    A process, since unpacking gigabytes would hold the interpreter's lock, and what has come stays
    if it is stopped.

    Attributes:
        child: the process.
        shown: in the row.

    Signals:
        changed: the row may have become absent or present.
    """

    changed = Signal()

    def __init__(self, bridge: Bridge, window: QWidget) -> None:
        super().__init__(window)
        self._bridge, self._window = bridge, window
        self._behind = Behind(self, bridge.notify)
        self.child = Child(self)
        self.child.told.connect(self._progressed)
        self.child.ended.connect(self._ended)
        self.child.unstarted.connect(self._failed)
        self._row: CudaRow | None = None
        self.shown = CudaShown()

    def attach(self, row: CudaRow) -> None:
        """Keep a row up to date from now on."""
        self._row = row
        row.wanted.connect(self.install)
        row.stopped.connect(self.stop)
        row.removed.connect(self._ask)

    def refresh(self) -> None:
        """Look anew at what is there."""
        self._behind.run(_look, self._take)

    def install(self) -> None:
        """Begin, or go on."""
        if not self.child.running:
            self.show(replace(self.shown, share=0.0, doing=tr("Starting…")))
            self.child.start(own_command("cuda", "install", "--json"), own_environment())

    def stop(self) -> None:
        """Stop; what has come stays."""
        if self.child.running:
            self.child.stop()
            self.refresh()

    def close(self) -> None:
        """The window closes: stop, and wait for whatever looks or removes."""
        self.stop()
        self._behind.wait()

    def _take(self, found: object) -> None:
        assert isinstance(found, _Known)
        offered = found.what.nbytes if found.what is not None and found.driver else 0
        current = found.what is not None and found.state.digest == found.what.digest
        shown = CudaShown(
            offered, found.begun, current, current and found.state.passed, found.state.told
        )
        if not self.child.running:
            self.show(shown)

    def show(self, shown: CudaShown) -> None:
        """Show how the part is."""
        self.shown = shown
        if self._row is not None:
            self._row.show_part(shown)
            self.changed.emit()

    def _progressed(self) -> None:
        """Each line supersedes those before it."""
        whole = self.child.output.splitlines()[: self.child.output.count(b"\n")]
        if whole:
            self._hear(whole[-1])

    def _hear(self, line: bytes) -> None:
        try:
            now: Any = json.loads(line)
            if "passed" in now:
                self._bridge.notify(_end_sentence(bool(now["passed"]), str(now["sentence"])))
                return
            share = now["done"] / now["total"]
            doing = tr("Unpacking {name}…") if now["doing"] == "unpack" else tr("Fetching {name}…")
            amount = tr("{amount} of {total}").format(
                amount=fmt.byte_size(now["done"]), total=fmt.byte_size(now["total"])
            )
            said_now = f"{doing.format(name=now['name'])} {amount}"
        except (ValueError, KeyError, TypeError, ZeroDivisionError):
            return
        self.show(replace(self.shown, share=share, doing=said_now))

    def _ended(self, code: int) -> None:
        told = self.child.errors.decode(errors="replace")
        lines = [line for line in told.splitlines() if line.startswith("biplane: ")]
        if code and lines:
            self._bridge.notify(said(lines[-1].removeprefix("biplane: ")))
        self.refresh()

    def _failed(self) -> None:
        self._bridge.notify(tr("The installation could not be started."))
        self.refresh()

    def _ask(self) -> None:
        box = QMessageBox(self._window.window())
        box.setWindowTitle(tr("CUDA part"))
        box.setText(tr("Remove the CUDA part?"))
        box.setInformativeText(tr("Models run on the processor from the next start on."))
        remove = box.addButton(tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole))
        remove.clicked.connect(self._remove)
        box.open()

    def _remove(self) -> None:
        def done(_none: object) -> None:
            self._bridge.notify(tr("The CUDA part is removed."))
            self.refresh()

        self._behind.run(CudaPart().remove, done)


def _look() -> _Known:
    found = driver_version(nvidia_text() or "")
    part = CudaPart()
    new_enough = found is not None and found[0] >= LEAST_DRIVER
    return _Known(new_enough, bundled(), part.state, part.begun_bytes)


def _end_sentence(passed: bool, sentence: str) -> str:
    if passed:
        return tr("{sentence} It is used from the next start on.").format(sentence=sentence)
    return tr("{sentence} The CUDA part is not used.").format(sentence=sentence)
