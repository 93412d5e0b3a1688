"""The window of the memory lab: a tab for each view to learn from."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from app.lab.arithmetic import Pools
from app.lab.export_button import ExportButton
from app.lab.memories_tab import MemoriesTab
from app.lab.memory_tab import MemoryTab
from app.lab.phases_tab import PhasesTab
from app.lab.recall_tab import RecallTab
from app.lab.tab import LabTab
from app.session.lab import LabAnswers
from app.session.ledger import Ran
from app.widgets import add_middle
from app.words.tr import tr
from engine.events import ModelInfo

_WANTED_PX, _LEAST_PX, _WIDEST_PX = (1060, 720), (560, 400), 1600
# What a script calls the tabs, in any language.
_IDS = ("memory", "two memories", "prefill and decode", "recall")
TABS = (tr("Memory"), tr("Two memories"), tr("Prefill and decode"), tr("Recall"))


class MemoryLab(QDialog):
    """Shows how a hybrid model remembers, with the figures of the open model.

    Attributes:
        tabs: one for each of TABS.
        export: saves the one in front.
        memory, memories, phases, recall: what is in them; `parts`: all of these.

    Signals:
        wanted(object): a Question for the engine.
        stopped: the open question is not wanted any more.
        turned: another tab is in front.
        notice(str): a sentence for the status line.
    """

    wanted = Signal(object)
    stopped = Signal()
    turned = Signal()
    notice = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Memory lab"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.memory = MemoryTab()
        self.memories = MemoriesTab()
        self.phases = PhasesTab()
        self.recall = RecallTab()
        self.tabs = QTabWidget()
        self.tabs.setObjectName("lab")
        self.tabs.setAccessibleName(tr("Memory lab"))
        self.tabs.setDocumentMode(True)
        self.parts: tuple[LabTab, ...] = (self.memory, self.memories, self.phases, self.recall)
        for part, name in zip(self.parts, TABS, strict=True):
            self.tabs.addTab(_middle(part), name)
        self.export = ExportButton(self._front, self.notice.emit)
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 12, 4)
        row.addWidget(self.export)
        self.tabs.setCornerWidget(corner)
        for asking in (self.memories, self.recall):
            asking.wanted.connect(self.wanted)
            asking.stopped.connect(self.stopped)
        self.tabs.currentChanged.connect(self.turned)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 4, 0, 0)
        outer.addWidget(self.tabs)
        self.setMinimumSize(*_LEAST_PX)
        self.resize(*_WANTED_PX)
        self.memory.slider.setFocus()

    def show_tab(self, name: str) -> bool:
        """Bring a tab to the front; False if there is none of that name."""
        if name.lower() not in _IDS:
            return False
        self.tabs.setCurrentIndex(_IDS.index(name.lower()))
        return True

    def _front(self) -> tuple[str, LabTab]:
        at = self.tabs.currentIndex()
        return TABS[at], self.parts[at]

    def show_model(self, model: ModelInfo | None) -> None:
        """Show a model's memory; None says that there is no model."""
        self.memory.show_model(model)
        self.memories.show_shape(None if model is None else model.cache_shape)

    def show_conversation(self, tokens: int | None) -> None:
        """The length of the conversation on screen; None while nothing is known of it."""
        self.memory.show_conversation(tokens)

    def show_pools(self, pools: Pools | None) -> None:
        """What the cache holds of all conversations."""
        self.memory.show_pools(pools)

    def show_answers(self, lab: LabAnswers) -> None:
        """What was asked of the engine, and what came back."""
        self.memories.show_answers(lab)
        self.recall.show_answers(lab)

    def ask_again(self) -> bool:
        """Let the tab in front ask for the conversation as it is now; False if it never asks."""
        _, front = self._front()
        for asking in (self.memories, self.recall):
            if front is asking and not asking.source.own:
                asking.ask()
                return True
        return False

    def show_runs(self, runs: tuple[Ran, ...], finished: int) -> None:
        """The requests since the model was opened, the most recent ones; how many in all."""
        self.phases.show_runs(runs, finished)

    def repaint_all(self) -> None:
        """Paint with the colours of another theme."""
        for part in self.parts:
            part.repaint_all()


def _middle(part: LabTab) -> QWidget:
    """A page with a tab in its middle, no wider than curves and sentences are easy to read."""
    page = QWidget()
    part.setMaximumWidth(_WIDEST_PX)
    row = QHBoxLayout(page)
    row.setContentsMargins(0, 0, 0, 0)
    add_middle(row, part)
    return page
