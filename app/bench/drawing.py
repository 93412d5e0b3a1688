"""What a frame of the tree costs, by view and size: hovering, panning, zooming, and growing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from app import theme
from app.bench.figure import Figure, figure, quantile
from app.bench.trees import growing, made_up
from app.cache.canvas import TreeCanvas
from engine.snapshot import CacheSnapshot

SIZES = (1_000, 10_000, 50_000)
# 60 frames per second, and 20.
BUDGET_MS = {10_000: 1000 / 60, 50_000: 1000 / 20}
_WIDTH, _HEIGHT = 1000, 560
_FRAMES = 60
_VIEWS = {"cells": "messages", "tokens": "tokens", "memory": "memory", "topology": "topology"}
# A canvas, and how often it was moved before; what is done to it makes one frame.
Move = Callable[[TreeCanvas, int], None]


def drawing_figures(runs: int, progress: Callable[[str], None]) -> Iterator[Figure]:
    """Every node is shown: nothing is folded, unlike in use."""
    app = QApplication.instance() or QApplication(["biplane"])
    assert isinstance(app, QApplication)
    theme.keeper()
    for size in SIZES:
        progress(f"drawing a tree of {size:,} nodes")
        snapshot = made_up(size, talks=True)
        later = growing(snapshot, _FRAMES)
        for name, title in _VIEWS.items():
            canvas = TreeCanvas()
            canvas.set_folded(False)
            canvas.show_view(name)
            canvas.resize(_WIDTH, _HEIGHT)
            canvas.show()
            began = time.perf_counter()
            canvas.show_snapshot(snapshot)
            laid_out = 1e3 * (time.perf_counter() - began)
            app.processEvents()
            where = f"{title}, {size:,} nodes"
            yield figure(f"layout_{name}_{size}", f"lay out {where}", [laid_out], None)
            ways: dict[str, Move] = {
                "hover": _hover,
                "pan": _pan,
                "zoom": _zoom,
                "growth": partial(_grow, later),
            }
            for way, moves in ways.items():
                taken = [_frames(canvas, moves) for _ in range(runs)]
                costs = [[frame.wall_ms for frame in run] for run in taken]
                busy = [quantile([frame.busy_ms for frame in run], 0.5) for run in taken]
                budget = BUDGET_MS.get(size)
                for share, word in ((0.5, "median"), (0.95, "p95")):
                    yield figure(
                        f"frame_{name}_{size}_{way}_{word}",
                        f"frame {word}, {way}, {where}",
                        [quantile(run, share) for run in costs],
                        budget,
                    )
                what = f"of which the thread computes, {way}, {where}"
                yield figure(f"frame_{name}_{size}_{way}_busy", what, busy, None)
            canvas.hide()
            canvas.deleteLater()
            app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Milliseconds of one frame, its event included; `busy_ms`: those of the thread itself."""

    wall_ms: float
    busy_ms: float


def _frames(canvas: TreeCanvas, move: Move) -> list[_Frame]:
    canvas.fit()
    canvas.repaint()
    made = []
    for number in range(_FRAMES):
        began, busy = time.perf_counter(), time.thread_time()
        move(canvas, number)
        canvas.repaint()
        made.append(_Frame(1e3 * (time.perf_counter() - began), 1e3 * (time.thread_time() - busy)))
    return made


def _hover(canvas: TreeCanvas, number: int) -> None:
    spot = QPointF(40 + number * 15.3, 60 + number * 7.7)
    none = Qt.MouseButton.NoButton
    at = canvas.mapToGlobal(QPoint(round(spot.x()), round(spot.y())))
    moved = QMouseEvent(
        QEvent.Type.MouseMove, spot, QPointF(at), none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(canvas, moved)


def _grow(later: list[CacheSnapshot], canvas: TreeCanvas, number: int) -> None:
    canvas.show_snapshot(later[number])


def _pan(canvas: TreeCanvas, number: int) -> None:
    """To and fro, near enough to see single nodes."""
    if number == 0:
        canvas.zoom(8.0)
    canvas.pan(-11.0 if number % 20 < 10 else 11.0, -7.0 if number % 14 < 7 else 7.0)


def _zoom(canvas: TreeCanvas, number: int) -> None:
    """In, and out again."""
    canvas.zoom(1.3 if number % 30 < 15 else 1 / 1.3)
