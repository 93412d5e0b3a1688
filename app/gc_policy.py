"""Python's cyclic garbage collector, kept on the GUI thread.

A collection on the engine's thread may destroy Qt objects there, which crashes. So automatic
collection is off, and a timer of the GUI thread collects when it would have run.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_PERIOD_MS = 1000


class GuiCollector(QObject):
    """Collects garbage once a second, the generations that are due.

    Attributes:
        collections: how often it ran, per generation.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.collections = [0, 0, 0]
        self._limits = gc.get_threshold()
        self._timer = QTimer(self)
        self._timer.setInterval(_PERIOD_MS)
        self._timer.timeout.connect(self.check)

    def start(self) -> None:
        """Turn the automatic collector off and take over."""
        gc.disable()
        gc.collect()
        self.settle()
        self._timer.start()

    def settle(self) -> None:
        """Exclude everything alive now from later collections: modules live for ever.

        It does not collect: with a model's libraries loaded that would freeze the window.
        """
        gc.freeze()

    def check(self) -> None:
        """Collect the oldest generation that is due."""
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if counts[generation] > max(1, self._limits[generation]):
                gc.collect(generation)
                self.collections[generation] += 1
                return

    def stop(self) -> None:
        """Turn automatic collection back on."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
