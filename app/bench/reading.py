"""Opening, scrolling and searching conversations of 250,000 tokens in the real window."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from app.bench.figure import Figure, figure
from app.bench.gaps import GapMeter
from app.bench.stage import Stage
from engine.bench.harness import quantile

OPEN_MS = 300.0
FRAME_P95_MS, FRAME_MOST_MS = 33.0, 150.0
_STEPS = 200
_PAGES = 60
_LETTER = "e"
_FIND_S = 120.0


@dataclass(slots=True)
class Shape:
    """A long conversation, with each run's figures by name."""

    name: str
    what: str
    conversation: int
    runs: dict[str, list[float]] = field(default_factory=dict)

    def note(self, name: str, value: float) -> None:
        self.runs.setdefault(name, []).append(value)


def read(stage: Stage, shape: Shape) -> None:
    """One run: open it, scroll through it in every way, and search for a letter."""
    shape.note("open", open_ms(stage, shape.conversation))
    stage.rest()
    for name, moves in _WAYS.items():
        costs = [stage.cost_ms(move) for move in moves(stage)]
        shape.note(f"{name}_p95", quantile(costs, 0.95))
        shape.note(f"{name}_most", max(costs))
    _, gaps = _find(stage)
    shape.note("find_most", max(gaps))


def figures(shape: Shape) -> Iterator[Figure]:
    """The medians over the runs."""
    where = shape.what
    yield figure(f"open_{shape.name}", f"open {where}, to first paint", shape.runs["open"], OPEN_MS)
    for name, what in (("wheel", "wheel"), ("page", "pages"), ("drag", "dragging the scroll bar")):
        for end, budget in (("p95", FRAME_P95_MS), ("most", FRAME_MOST_MS)):
            words = "longest frame" if end == "most" else "frame p95"
            yield figure(
                f"scroll_{shape.name}_{name}_{end}",
                f"{words}, {what}, {where}",
                shape.runs[f"{name}_{end}"],
                budget,
            )
    yield figure(
        f"find_{shape.name}",
        f"longest gap while one letter is looked up, {where}",
        shape.runs["find_most"],
        FRAME_MOST_MS,
    )


def open_ms(stage: Stage, conversation: int) -> float:
    """Open a conversation that was not loaded yet, as by a click in the list."""
    session = stage.session
    stage.window.drafts.new_conversation()
    stage.rest()
    found = session.conversation(conversation)
    found.loaded = False
    return stage.first_paint_ms(lambda: stage.window.chats.chosen.emit(conversation))


def _wheel(stage: Stage) -> Iterator[Callable[[], object]]:
    view = stage.window.chat.view
    at = QPointF(view.viewport().rect().center())
    there = QPointF(view.viewport().mapToGlobal(at.toPoint()))
    for step in range(_STEPS):
        turned = QPoint(0, 120 if step < _STEPS * 3 // 4 else -120)
        event = QWheelEvent(
            at,
            there,
            QPoint(0, 0),
            turned,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        yield lambda event=event: QApplication.sendEvent(view.viewport(), event)  # type: ignore[misc]


def _pages(stage: Stage) -> Iterator[Callable[[], object]]:
    view = stage.window.chat.view
    for step in range(_PAGES):
        key = Qt.Key.Key_PageUp if step < _PAGES * 3 // 4 else Qt.Key.Key_PageDown
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)
        yield lambda event=event: QApplication.sendEvent(view, event)  # type: ignore[misc]


def _drag(stage: Stage) -> Iterator[Callable[[], object]]:
    """Drag from the end to the start and back."""
    bar = stage.window.chat.view.verticalScrollBar()
    bar.setSliderDown(True)
    for step in range(2 * _STEPS + 1):
        share = abs(1 - step / _STEPS)
        yield lambda share=share: bar.setSliderPosition(round(share * bar.maximum()))  # type: ignore[misc]
    bar.setSliderDown(False)


_WAYS = {"wheel": _wheel, "page": _pages, "drag": _drag}


def _find(stage: Stage) -> tuple[int, list[float]]:
    """Search for a letter that is nearly everywhere; the hits, and the gaps meanwhile."""
    finding, meter = stage.window.chat.finding, GapMeter()
    meter.start()
    finding.open(_LETTER)
    ends = time.monotonic() + _FIND_S
    while finding.searching and time.monotonic() < ends:
        stage.until(lambda: not finding.searching, _FIND_S)
    finding.step(forward=False)
    stage.rest()
    gaps = meter.stop()
    hits = len(finding.hits)
    finding.close()
    stage.rest()
    return hits, gaps
