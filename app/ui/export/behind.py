"""Background work: runs on its own thread, delivers the result on the window's thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from app.core.words.engine_words import said
from app.core.words.tr import tr
from engine.errors import BiplaneError

log = logging.getLogger(__name__)


class Behind(QObject):
    """Runs pieces of work one after the other.

    Signals:
        done(object): what to do with a result, from the worker thread.
    """

    done = Signal(object)

    def __init__(self, parent: QObject, failed: Callable[[str], None]) -> None:
        """failed: called with a sentence if the work failed."""
        super().__init__(parent)
        self._failed = failed
        self._last: threading.Thread | None = None
        self.done.connect(_call, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], object], then: Callable[[object], None]) -> None:
        """Run work after earlier work has finished; `then` is called with the result."""
        args = (work, then, self._last)
        self._last = threading.Thread(target=self._run, args=args, name="behind", daemon=True)
        self._last.start()

    def wait(self) -> None:
        """Wait until no work is running."""
        if self._last is not None:
            self._last.join()

    def _run(
        self,
        work: Callable[[], object],
        then: Callable[[object], None],
        before: threading.Thread | None,
    ) -> None:
        if before is not None:
            before.join()
        try:
            result = work()
        except BiplaneError as error:
            sentence = said(str(error))
            self._tell(lambda: self._failed(sentence))
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self._tell(
                lambda: self._failed(
                    tr("The file cannot be written: {reason}.").format(reason=reason)
                )
            )
        except Exception as error:
            log.error("Work behind the window failed.", exc_info=error)
            name = type(error).__name__
            self._tell(
                lambda: self._failed(
                    tr("That did not work ({name}); see the log.").format(name=name)
                )
            )
        else:
            self._tell(lambda: then(result))

    def _tell(self, act: Callable[[], None]) -> None:
        try:
            self.done.emit(act)
        except RuntimeError:
            # The window was destroyed meanwhile.
            return


def _call(act: object) -> None:
    assert callable(act)
    act()
