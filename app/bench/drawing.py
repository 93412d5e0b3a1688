"""The cost of a frame of the tree by view and size: hovering, panning, zooming and growing."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from app.bench.figure import Figure, figure
from app.cache.canvas import TreeCanvas
from app.ui import theme
from engine.bench.harness import Progress, milliseconds, quantile
from engine.snapshot import (
    CacheSnapshot,
    CheckpointView,
    LiveView,
    MemoryView,
    NodeView,
    PoolView,
    Speech,
)
from engine.stored_state import Provenance, StoredState

SIZES = (1_000, 10_000, 50_000)
# 60 frames per second, and 20.
BUDGET_MS = {10_000: 1000 / 60, 50_000: 1000 / 20}
_WIDTH, _HEIGHT = 1000, 560
_FRAMES = 60
_VIEWS = {"cells": "messages", "tokens": "tokens", "memory": "memory", "topology": "topology"}
# A canvas and the number of earlier moves; performs one move, which causes one frame.
Move = Callable[[TreeCanvas, int], None]
_KV_BYTES, _STATE_BYTES = 12 * 1024, 19_529_728
_TAKEN: tuple[Provenance | None, ...] = (None, "prefill", "prefill", "decode", "branch")
_TEXTS = ("Why is the sky blue?", "Air scatters blue light most.", "And what is it at night?")


def made_up(count: int, seed: int = 7, *, talks: bool = False) -> CacheSnapshot:
    """A tree of `count` nodes as in local use: some chats, most turns continue, some fork.

    talks: each node has speakers.
    """
    rng = random.Random(seed)
    nodes = [NodeView(0, None, 0, 0, 0, 0, 0, 0.0, 0.0, 0, None)]
    for number in range(1, count + 1):
        above = nodes[0]
        if number > 1 and rng.random() > 0.02:
            above = rng.choice(nodes[-60:] if rng.random() < 0.8 else nodes)
        end = above.end + rng.randint(1, 700)
        one = _node(number, above, end, rng.choice(_TAKEN), rng.choice(_TEXTS))
        nodes.append(_said(one) if talks else one)
    tokens = sum(node.end - node.start for node in nodes)
    points = sum(node.checkpoint is not None for node in nodes)
    last = nodes[-1]
    return CacheSnapshot(
        version=1,
        time=float(count),
        nodes=tuple(nodes),
        kv=PoolView(tokens + 1000, 500, 500, tokens, 0, _KV_BYTES),
        state=PoolView(points + 2, 1, 1, points, 0, _STATE_BYTES),
        memory=MemoryView(0, (tokens + 1000) * _KV_BYTES, (points + 2) * _STATE_BYTES, 0),
        live=LiveView(1, last.id, last.end + 100, last.start, 0, last.end + 60),
        evicted=(),
        skipped_checkpoints=0,
    )


def growing(shown: CacheSnapshot, steps: int) -> list[CacheSnapshot]:
    """Snapshots that follow `shown`: a turn is stored, a node is split, a leaf is evicted, etc."""
    rng, made = random.Random(11), []
    nodes = {node.id: node for node in shown.nodes}
    kids = {node.id: 0 for node in shown.nodes}
    for node in shown.nodes[1:]:
        kids[node.parent or 0] += 1
    ids = list(nodes)
    for step in range(steps):
        number, at = len(ids), rng.choice([one for one in rng.sample(ids, 60) if one in nodes])
        whole = nodes[at]
        if step % 3 == 0 or whole.end - whole.start < 4:
            new = _node(number, whole, whole.end + rng.randint(1, 700), "decode", _TEXTS[0])
            nodes[number], kids[number] = _said(new) if whole.speech else new, 0
            kids[at] += 1
            ids.append(number)
        elif step % 3 == 1:
            middle = (whole.start + whole.end) // 2
            upper = tuple(one for one in whole.speech if one.start < middle)
            lower = tuple(one for one in whole.speech if one.start >= middle)
            nodes[number] = replace(whole, id=number, end=middle, checkpoint=None, speech=upper)
            nodes[at] = replace(whole, parent=number, start=middle, speech=lower)
            kids[number] = 1
            ids.append(number)
        else:
            leaf = next(one for one in rng.sample(ids, len(ids)) if not kids.get(one, 1))
            kids[nodes[leaf].parent or 0] -= 1
            del nodes[leaf], kids[leaf]
        version = shown.version + step + 1
        made.append(replace(shown, version=version, nodes=tuple(nodes.values()), live=None))
    return made


def _said(node: NodeView) -> NodeView:
    """The speech of a question, and of its answer if there is room."""
    start, middle = node.start, (node.start + node.end) // 2
    said = [Speech(start, "user", node.text, opens=True)]
    if middle > start:
        said.append(Speech(middle, "assistant", node.text, opens=True))
    return replace(node, speech=tuple(said))


def _node(number: int, above: NodeView, end: int, taken: Provenance | None, text: str) -> NodeView:
    time = float(number)
    point = None
    if taken is not None:
        state = StoredState(end, taken)
        point = CheckpointView(state, number, _STATE_BYTES, time, time, 1)
    kv_bytes = (end - above.end) * _KV_BYTES
    return NodeView(number, above.id, above.end, end, 0, 0, kv_bytes, time, time, 1, point, text)


def drawing_figures(runs: int, progress: Progress) -> Iterator[Figure]:
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
            laid_out = milliseconds(partial(canvas.show_snapshot, snapshot))
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
    """Milliseconds of one frame, its event included; `busy_ms`: of the thread's CPU time."""

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
    """Pan back and forth, zoomed in to single nodes."""
    if number == 0:
        canvas.zoom(8.0)
    canvas.pan(-11.0 if number % 20 < 10 else 11.0, -7.0 if number % 14 < 7 else 7.0)


def _zoom(canvas: TreeCanvas, number: int) -> None:
    """Zoom in and out."""
    canvas.zoom(1.3 if number % 30 < 15 else 1 / 1.3)
