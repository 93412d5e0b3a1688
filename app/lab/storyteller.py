"""Sets the figures of the lab to the steps of its story, and notices when a task is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QVariantAnimation, Signal

from app.lab.asking_tab import LabTab
from app.lab.logic.example import example
from app.lab.logic.story import STEPS, Scene, Step, TabId, has_both, number_of
from app.lab.logic.story_place import StoryPlace
from app.lab.memories_tab import MemoriesTab
from app.lab.memory_tab import MemoryTab
from app.lab.phases_tab import PhasesTab
from app.lab.recall_tab import RecallTab
from app.lab.spotlight import Spotlight
from app.lab.story_panel import StoryPanel
from app.lab.tree_tab import TreeTab
from app.ui import motion

# The figure's way from start to end.
_STEP_MS, _LEAST_MS, _MOST_MS = 45, 500, 2200


class Storyteller(QObject):
    """Tells the story on the lab's tabs.

    Attributes:
        place: how far the user is.
        panel: the text.
        tabs: by name; light: rings parts of them.

    Signals:
        moved: `place` changed.
    """

    moved = Signal()

    def __init__(
        self,
        tabs: dict[TabId, LabTab],
        bring: Callable[[str], object],
        panel: StoryPanel,
        light: Spotlight,
    ) -> None:
        """bring: brings a tab to the front."""
        super().__init__(panel)
        self.place = StoryPlace(open=False)
        self.panel = panel
        self.tabs, self._bring, self.light = tabs, bring, light
        # A step's figure waits for its reading, moves, and is then the user's.
        self._waiting = self._staging = False
        self._motion = QVariantAnimation(self)
        self._motion.valueChanged.connect(self._move)
        self._motion.finished.connect(self._settle)
        for tab in tabs.values():
            tab.changed.connect(self._seen)
        panel.chosen.connect(self.go_to)
        panel.replayed.connect(self.stage)
        panel.left.connect(self.leave)
        panel.pointed.connect(self._point)

    @property
    def step(self) -> Step:
        return STEPS[number_of(self.place)]

    @property
    def moving(self) -> bool:
        """Whether the figure waits for its reading, or moves by itself."""
        return self._waiting or self._motion.state() == QVariantAnimation.State.Running

    def resume(self, place: StoryPlace) -> None:
        """Go on where the user was; a story that was left stays closed."""
        known = place.done.intersection(step.id for step in STEPS)
        self.place = replace(place, done=known)
        self.panel.setVisible(place.open)
        self.panel.show_place(self.place)
        if place.open:
            self.stage()

    def open(self) -> None:
        """Show the story at the step where it was left."""
        self._keep(replace(self.place, open=True))
        self.panel.show()
        self.stage()

    def leave(self) -> None:
        """Hide the story; the tabs are the user's."""
        self._motion.stop()
        self._waiting = False
        self.panel.hide()
        self.light.hide()
        self._borrow(False)
        self._keep(replace(self.place, open=False))

    def go_to(self, at: int) -> None:
        """Go to a step, clamped to the ends."""
        step = STEPS[min(max(at, 0), len(STEPS) - 1)]
        self._keep(replace(self.place, step=step.id))
        self.stage()

    def stage(self) -> None:
        """Set the figure to the step, and let it move."""
        self._motion.stop()
        self.light.hide()
        self._staging = True
        self._borrow(True)
        self._bring(self.step.tab)
        self._waiting = True
        self._begin()

    def scene(self) -> Scene:
        """What the tabs show."""
        memory, memories, phases, recall, tree = self._parts()
        shape = memory.shape if has_both(memory.shape) else example().shape
        return Scene(
            shape=shape,
            tokens=memory.tokens,
            layer=memory.strip.chosen if has_both(memory.shape) else shape.kinds.index("full"),
            memory=memories.reading,
            state=memories.state_head if memories.reading is not None else None,
            at=memories.transport.at,
            recall=recall.reading,
            query=recall.transport.at,
            recall_layer=recall.bars.chosen,
            runs=phases.runs,
            run=phases.bars.chosen,
            branch=example().branch,
            caching=phases.caching,
            tree=tree.shown,
            node=tree.canvas.selected,
        )

    def _parts(self) -> tuple[MemoryTab, MemoriesTab, PhasesTab, RecallTab, TreeTab]:
        memory, memories, phases, recall, tree = self.tabs.values()
        assert isinstance(memory, MemoryTab)
        assert isinstance(memories, MemoriesTab)
        assert isinstance(phases, PhasesTab)
        assert isinstance(recall, RecallTab)
        assert isinstance(tree, TreeTab)
        return memory, memories, phases, recall, tree

    def _borrow(self, on: bool) -> None:
        """Show the example in all tabs, or what they show without the story."""
        _, memories, phases, recall, tree = self._parts()
        phases.show_example(on)
        tree.show_example(on)
        for asking in (memories, recall):
            asking.source.borrow(on)

    def _begin(self) -> None:
        """Start the motion if the figure has all it needs."""
        scene = self.scene()
        ready = {
            "two memories": scene.memory is not None,
            "recall": scene.recall is not None and scene.recall.queries > 0,
        }
        self._show(scene)
        if not ready.get(self.step.tab, True):
            return
        self._waiting = False
        self._set(scene)
        scene = self.scene()
        start, end = self.step.start(scene), self.step.end(scene)
        tab = self.tabs[self.step.tab]
        if motion.reduced() or start == end or not self.panel.isVisible():
            tab.go(end)
            self._settle()
            return
        tab.go(start)
        self._motion.setStartValue(start)
        self._motion.setEndValue(end)
        self._motion.setDuration(min(max(abs(end - start) * _STEP_MS, _LEAST_MS), _MOST_MS))
        self._motion.start()

    def _set(self, scene: Scene) -> None:
        """Select what the step is about."""
        memory, _, phases, recall, _ = self._parts()
        if self.step.layer is not None:
            layer = self.step.layer(scene)
            if self.step.tab == "recall":
                recall.bars.pick(layer)
            elif has_both(memory.shape):
                memory.strip.pick(layer)
        phases.compare(self.step.caching)

    def _move(self, position: object) -> None:
        if isinstance(position, int):
            self.tabs[self.step.tab].go(position)

    def _settle(self) -> None:
        self._staging = False
        self._show(self.scene())

    def _seen(self) -> None:
        """The user, the motion or an answer of the engine changed what is on screen."""
        if not self.place.open:
            return
        if self._waiting:
            self._begin()
            return
        scene = self.scene()
        if not self._staging and self.step.id not in self.place.done and self.step.done(scene):
            self._keep(replace(self.place, done=self.place.done | {self.step.id}))
        self._show(scene)

    def _show(self, scene: Scene) -> None:
        self.panel.show_scene(scene, done=self.step.id in self.place.done)

    def _keep(self, place: StoryPlace) -> None:
        self.place = place
        self.panel.show_place(place)
        self.moved.emit()

    def _point(self, name: str) -> None:
        found = self.tabs[self.step.tab].spot(name) if name else None
        if found is None:
            self.light.hide()
        else:
            self.light.show_on(*found)
