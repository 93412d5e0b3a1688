"""What the soak compares: a window that shows anything else than the engine holds is found out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.bench.soak import disagreements
from app.cache.canvas import TreeCanvas
from app.cache.logic.planes import parts
from engine.snapshot import CacheSnapshot
from tests.app.samples import node, snapshot

HELD = snapshot(node(1, 0, 0, 100, "prefill"), node(2, 1, 100, 140), node(3, 1, 100, 300, "decode"))
Change = Callable[[CacheSnapshot], CacheSnapshot]


@pytest.fixture
def canvas(qtbot: QtBot) -> TreeCanvas:
    made = TreeCanvas()
    qtbot.addWidget(made)
    made.show_snapshot(HELD)
    return made


def test_what_is_shown_is_what_is_held(canvas: TreeCanvas) -> None:
    assert disagreements(parts(HELD), canvas, HELD) == ()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (lambda held: replace(held, nodes=held.nodes[:-1]), "spans differ: 1 are not in"),
        (
            lambda held: replace(
                held, nodes=(*held.nodes[:-1], replace(held.nodes[-1], checkpoint=None))
            ),
            "checkpoints differ: 1 are not in",
        ),
        (
            lambda held: replace(held, kv=replace(held.kv, cached=held.kv.cached + 1)),
            "not those of 341",
        ),
        (
            lambda held: replace(held, state=replace(held.state, free=held.state.free + 1)),
            "do not add up",
        ),
        (
            lambda held: replace(held, memory=replace(held.memory, weights=1)),
            "The planes bar adds up to",
        ),
    ],
)
def test_anything_else_is_found(canvas: TreeCanvas, changed: Change, said: str) -> None:
    assert any(said in line for line in disagreements(parts(HELD), canvas, changed(HELD)))


def test_an_empty_window_is_not_the_engine(canvas: TreeCanvas) -> None:
    canvas.show_snapshot(None)
    assert any("4 not drawn" in line for line in disagreements(parts(HELD), canvas, HELD))
