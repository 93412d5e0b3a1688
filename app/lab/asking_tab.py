"""What the tabs are that ask the engine: a source, a walk through the answer, and the answer."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.lab.source_row import SourceRow
from app.lab.tab import LabTab
from app.lab.transport import Transport


class AskingTab(LabTab):
    """A tab about one sequence of tokens.

    Attributes:
        source: which tokens.
        transport: walks through the answer.

    Signals:
        wanted(object): a Question for the engine.
        stopped: the open question is not wanted any more.
    """

    wanted = Signal(object)
    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source, self.transport = SourceRow(), Transport()
        self.source.asked.connect(self.ask)
        self.source.stopped.connect(self.stopped)

    def ask(self) -> None:
        """Ask about the source as it is now."""
        raise NotImplementedError
