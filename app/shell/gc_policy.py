"""Python's cyclic garbage collector, kept on the GUI thread.

A collection on the engine's thread may destroy Qt objects there, which crashes. So automatic
collection is off, and the GUI thread collects when one would be due: whenever its event loop wakes
up, so that an idle program is not woken for it.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QAbstractEventDispatcher, QObject

_PERIOD_S = 1.0


class GuiCollector(QObject):
    """Collects the oldest due generation, at most once a second.

    Attributes:
        collections: number of runs, per generation.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.collections = [0, 0, 0]
        self._limits = gc.get_threshold()
        self._checked = 0.0

    def start(self) -> None:
        """Turn the automatic collector off and take over."""
        gc.disable()
        self.settle()
        QAbstractEventDispatcher.instance().awake.connect(self._look)

    def settle(self) -> None:
        """Exclude all live objects from later collections: modules live for ever.

        Does not collect: that would take a tenth of a second and find next to nothing.
        """
        gc.freeze()

    def _look(self) -> None:
        now = time.monotonic()
        if now - self._checked >= _PERIOD_S:
            self._checked = now
            self.check()

    def check(self) -> None:
        """Collect the oldest due generation."""
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if counts[generation] > max(1, self._limits[generation]):
                gc.collect(generation)
                self.collections[generation] += 1
                return

    def stop(self) -> None:
        """Turn automatic collection back on."""
        QAbstractEventDispatcher.instance().awake.disconnect(self._look)
        gc.unfreeze()
        gc.enable()
