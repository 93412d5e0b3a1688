"""Starts the program, notes when its window can be used, and closes it again.

python -m app.bench.start_probe MONOTONIC_SECONDS_AT_THE_START [MESSAGE]

With a message it sends that at once, and notes when the answer is whole instead.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.shell.window import MainWindow


def main() -> int:
    begun = float(sys.argv[1])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[name] = folder
        # The program's own imports count as part of its start.
        from PySide6.QtCore import QEvent, QObject, Qt, QTimer
        from PySide6.QtGui import QKeyEvent
        from PySide6.QtWidgets import QApplication

        app = QApplication(["biplane"])

        class Probe(QObject):
            """Types a letter once the window is painted, and checks that it arrived."""

            def __init__(self, parent: QObject) -> None:
                super().__init__(parent)
                # A filter on the application would see all events, and slow what is measured.
                self._timer = QTimer(self)
                self._timer.timeout.connect(self.find)
                self._timer.start(0)

            def find(self) -> None:
                from app.shell.window import MainWindow

                shown = [one for one in app.topLevelWidgets() if isinstance(one, MainWindow)]
                if shown:
                    self._timer.stop()
                    shown[0].installEventFilter(self)
                    shown[0].update()

            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.Paint:
                    watched.removeEventFilter(self)
                    QTimer.singleShot(0, lambda: self.type_into(watched))
                return False

            def type_into(self, window: object) -> None:
                from app.shell.window import MainWindow

                assert isinstance(window, MainWindow)
                key = QKeyEvent(
                    QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a"
                )
                app.sendEvent(window.focusWidget() or window, key)
                app.processEvents()
                assert window.chat.composer.text == "a", "the composer does not take keys"
                if len(sys.argv) < 3:
                    print(time.monotonic() - begun, flush=True)
                    window.close()
                    return
                window.chat.composer.set_text(sys.argv[2])
                window.chat.composer.send()
                # The program makes its own session, which nobody else has a name for.
                window._bridge.changed.connect(lambda _changes: self.look(window))

            def look(self, window: MainWindow) -> None:
                """Once the answer is whole, print and close."""
                last = window._bridge.session.current.last
                if last is not None and last.is_answer and not last.state.active:
                    assert last.text, "there was no answer"
                    print(time.monotonic() - begun, flush=True)
                    window.close()

        Probe(app)
        from app.shell.main import main as run

        return run([])


if __name__ == "__main__":
    sys.exit(main())
