"""The window of the memory lab: its tabs, and its story beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QTabWidget,
    QWidget,
)

from app.core.session.lab import LabAnswers
from app.core.session.ledger import Ran
from app.core.words.tr import tr
from app.lab.asking_tab import CONVERSATION, EXAMPLE, AskingTab, LabTab
from app.lab.logic.arithmetic import Pools
from app.lab.logic.example import example
from app.lab.logic.story import TabId
from app.lab.logic.story_place import StoryPlace
from app.lab.memories_tab import MemoriesTab
from app.lab.memory_tab import MemoryTab
from app.lab.phases_tab import PhasesTab
from app.lab.recall_tab import RecallTab
from app.lab.spotlight import Spotlight
from app.lab.story_panel import StoryPanel
from app.lab.storyteller import Storyteller
from app.lab.tree_tab import TreeTab
from app.ui.export.behind import Behind
from app.ui.export.picture import Picture, ask_file, ask_picture, save_picture, save_text
from app.ui.widgets import add_middle, resize_on_screen
from engine.events import ModelInfo
from engine.snapshot import CacheSnapshot

_WANTED_PX, _LEAST_PX, _WIDEST_PX = (1220, 720), (560, 400), 1600
# In less width the story lies above the tabs.
_BESIDE_PX = 960
# The tabs' names in scripts, independent of the language.
_IDS: tuple[TabId, ...] = ("memory", "two memories", "prefill and decode", "recall", "tree")
TABS = (tr("Memory"), tr("Two memories"), tr("Prefill and decode"), tr("Recall"), tr("Tree"))


class ExportButton(QPushButton):
    """Opens the export menu.

    Attributes:
        behind: writes the tables.
    """

    def __init__(
        self, front: Callable[[], tuple[str, LabTab]], told: Callable[[str], None]
    ) -> None:
        """`front`: name and tab in front; `told`: called with a sentence on the result."""
        super().__init__(tr("Export"))
        self.setProperty("kind", "small")
        self.setToolTip(tr("Save a picture of this tab, or its figures"))
        self._front, self._told = front, told
        self.behind = Behind(self, told)
        menu = QMenu(self)
        menu.addAction(tr("Picture…"), self._ask_picture)
        self._figures = menu.addAction(tr("Figures as CSV…"), self._ask_figures)
        menu.aboutToShow.connect(self._enable)
        self.setMenu(menu)

    def picture(self) -> Picture:
        """The tab in front as a picture."""
        name, tab = self._front()
        return Picture(
            tr("Memory lab: {name}").format(name=name),
            tab.pictured,
            None,
            tab.legend,
            tab.settings(),
        )

    def save_picture(self, path: Path) -> None:
        self._told(save_picture(self.picture(), path))

    def save_figures(self, path: Path) -> None:
        made = self._front()[1].as_table()
        if made is not None:
            save_text(self.behind, path, made, self._told)

    def _enable(self) -> None:
        self._figures.setEnabled(self._front()[1].as_table() is not None)

    def _ask_picture(self) -> None:
        name, _ = self._front()
        path = ask_picture(self, name, _file_name(name))
        if path is not None:
            self.save_picture(path)

    def _ask_figures(self) -> None:
        path = ask_file(self, f"{_file_name(self._front()[0])}.csv")
        if path is not None:
            self.save_figures(path)


def _file_name(name: str) -> str:
    return name.lower().replace(" ", "-")


class MemoryLab(QDialog):
    """Shows how a hybrid model remembers, with the figures of the open model.

    Attributes:
        tabs: one for each of TABS.
        export: saves the one in front.
        memory, memories, phases, recall, tree: their contents; `parts`: all of these.
        story: tells the story on them; `tell` opens it.

    Signals:
        wanted(object): a Question for the engine.
        stopped: cancel the pending question.
        turned: another tab was brought to the front.
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
        self.tree = TreeTab()
        self.tabs = QTabWidget()
        self.tabs.setObjectName("lab")
        self.tabs.setAccessibleName(tr("Memory lab"))
        self.tabs.setDocumentMode(True)
        self.parts: tuple[LabTab, ...] = (
            *(self.memory, self.memories, self.phases, self.recall, self.tree),
        )
        for part, name in zip(self.parts, TABS, strict=True):
            self.tabs.addTab(_middle(part), name)
        self.export = ExportButton(self._front, self.notice.emit)
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 12, 4)
        row.setSpacing(8)
        self.tell = QPushButton(tr("Story"))
        self.tell.setProperty("kind", "small")
        self.tell.setAutoDefault(False)
        self.tell.setToolTip(tr("Twelve short steps through these figures"))
        row.addWidget(self.tell)
        row.addWidget(self.export)
        self.tabs.setCornerWidget(corner)
        for asking in (self.memories, self.recall):
            asking.wanted.connect(self.wanted)
            asking.stopped.connect(self.stopped)
        self.tabs.currentChanged.connect(self.turned)
        panel = StoryPanel()
        panel.hide()
        self.story = Storyteller(
            dict(zip(_IDS, self.parts, strict=True)), self._bring, panel, Spotlight(self)
        )
        self.story.moved.connect(self._show_tell)
        self.tell.clicked.connect(self.story.open)
        self._outer = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._outer.setContentsMargins(0, 4, 0, 0)
        self._outer.setSpacing(0)
        self._outer.addWidget(panel)
        self._outer.addWidget(self.tabs, 1)
        self.setMinimumSize(*_LEAST_PX)
        resize_on_screen(self, *_WANTED_PX)
        self.show_model(None)
        self.memory.slider.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        flat = self.width() < _BESIDE_PX
        ways = QBoxLayout.Direction
        self._outer.setDirection(ways.TopToBottom if flat else ways.LeftToRight)
        self.story.panel.lie(flat=flat)

    def show_tab(self, name: str) -> bool:
        """Bring a tab to the front, without the story; False if no tab has that name."""
        if name.lower() not in _IDS:
            return False
        if self.story.place.open:
            self.story.leave()
        self._bring(name.lower())
        return True

    def resume(self, place: StoryPlace) -> None:
        """Go on with the story where it was left."""
        self.story.resume(place)
        self._show_tell()

    @property
    def asking(self) -> AskingTab | None:
        """The tab in front, if it asks the engine."""
        _, front = self._front()
        return front if isinstance(front, AskingTab) else None

    def prefer(self, *, conversation: bool) -> None:
        """Let tabs ask about the conversation, or if it has no messages about the example."""
        for asking in (self.memories, self.recall):
            asking.source.prefer(CONVERSATION if conversation else EXAMPLE)

    def _bring(self, name: str) -> None:
        for at, tab in enumerate(_IDS):
            if tab == name:
                self.tabs.setCurrentIndex(at)
        # Even if it was in front, its source may be another one.
        self.turned.emit()

    def _show_tell(self) -> None:
        self.tell.setVisible(not self.story.place.open)

    def _front(self) -> tuple[str, LabTab]:
        at = self.tabs.currentIndex()
        return TABS[at], self.parts[at]

    def show_model(self, model: ModelInfo | None) -> None:
        """Show a model's memory; None shows the bundled one's, as an example."""
        self.memory.show_model(model)
        if model is not None:
            self.memories.show_shape(model.cache_shape)
            return
        made = example()
        assert made.memory.entries is not None
        assert made.memory.state is not None
        only = (made.memory.entries.layer, made.memory.state.layer)
        self.memories.show_shape(made.shape, only)

    def show_conversation(self, tokens: int | None) -> None:
        """Show the length of the conversation on screen; None if unknown."""
        self.memory.show_conversation(tokens)

    def show_pools(self, pools: Pools | None) -> None:
        """Show what the cache holds for all conversations."""
        self.memory.show_pools(pools)

    def show_answers(self, lab: LabAnswers) -> None:
        """Show the state of the questions to the engine, and the answers."""
        self.memories.show_answers(lab)
        self.recall.show_answers(lab)

    def show_snapshot(self, snapshot: CacheSnapshot | None) -> None:
        """Show what the open model has cached; None if it is unknown."""
        self.tree.show_snapshot(snapshot)

    def show_runs(self, runs: tuple[Ran, ...], finished: int) -> None:
        """Show the most recent requests since the model was opened; `finished`: of all."""
        self.phases.show_runs(runs, finished)

    def repaint_all(self) -> None:
        """Repaint after the theme changed."""
        for part in self.parts:
            part.repaint_all()


def _middle(part: LabTab) -> QWidget:
    """A page with a tab in its middle, no wider than is easy to read."""
    page = QWidget()
    part.setMaximumWidth(_WIDEST_PX)
    row = QHBoxLayout(page)
    row.setContentsMargins(0, 0, 0, 0)
    add_middle(row, part)
    return page
