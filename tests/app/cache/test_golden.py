"""Each view against a stored picture of it, light and dark.

The pictures have no text, so that they do not depend on fonts. After a change that is meant, store
the new ones and look at them:
`BIPLANE_GOLDEN=write make unit ARGS="tests/app/cache/test_golden.py"`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app import theme
from app.cache import marks
from app.cache.canvas import TreeCanvas
from app.cache.tree_painter import RULER_PX
from engine.snapshot import CacheSnapshot, LiveView, NodeView
from engine.verdict import Verdict, VerdictStatus
from tests.app.cache.test_views import pixels
from tests.app.samples import node, snapshot
from tests.present import present

FOLDER = Path(__file__).parent / "golden"
WIDTH, HEIGHT = 480, 150
# Boxes in which no words fit.
MEMORY_HEIGHT = 60
# So many pixels may differ by so much in a channel.
MOST, BY = 40, 48
STATUSES: tuple[VerdictStatus, ...] = ("verified", "drifted", "quarantined")


def marked(one: NodeView, **more: object) -> NodeView:
    point = present(one.checkpoint)
    return replace(one, checkpoint=replace(point, state=replace(point.state, **more)))  # type: ignore[arg-type]


def given() -> CacheSnapshot:
    """One of each mark, a replay, and a running request."""
    trunk = node(1, 0, 0, 300, "prefill", lock=1)
    audits = [
        marked(node(10 + n, 1, 300, 420 + 30 * n, "decode"), verdict=Verdict(status, 0.1, 0.1, 0.0))
        for n, status in enumerate(STATUSES)
    ]
    tiers = [
        marked(node(20, 1, 300, 500, "branch"), tier="host"),
        marked(node(21, 20, 500, 640, "prefill"), tier="disk", stored="int8"),
        replace(node(22, 20, 500, 560), tier="host", pinned=True),
    ]
    live = LiveView(5, 1, 360, 120, 180, 420)
    return snapshot(trunk, *audits, *tiers, node(30, 21, 640, 700), live=live)


@pytest.fixture(params=["light", "dark"])
def look(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[str]:
    theme.keeper().set_mode(request.param)
    marks._picture.cache_clear()
    yield request.param
    theme.keeper().set_mode("system")
    marks._picture.cache_clear()


def drawn(qtbot: QtBot, view: str) -> QImage:
    """A view below its ruler."""
    canvas = TreeCanvas()
    qtbot.addWidget(canvas)
    canvas.setMinimumHeight(0)
    height = MEMORY_HEIGHT if view == "memory" else HEIGHT
    canvas.resize(WIDTH, height + RULER_PX)
    canvas.show_view(view)
    canvas.show_snapshot(given())
    canvas.fit()
    canvas.select(20)
    whole = canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return whole.copy(QRect(0, RULER_PX, WIDTH, height))


def apart(first: QImage, second: QImage) -> int:
    """How many pixels differ clearly in a channel."""
    parts = [pixels(image)[..., None] >> np.array([16, 8, 0]) & 255 for image in (first, second)]
    return int((np.abs(parts[0].astype(int) - parts[1]).max(axis=2) > BY).sum())


@pytest.mark.parametrize("view", ["tokens", "memory", "topology"])
class TestGolden:
    def test_it_looks_as_it_did(self, qtbot: QtBot, look: str, view: str) -> None:
        path = FOLDER / f"{view}-{look}.png"
        image = drawn(qtbot, view)
        if os.environ.get("BIPLANE_GOLDEN") == "write":
            assert image.save(str(path))
        assert apart(image, QImage(str(path))) <= MOST

    def test_a_changed_mark_is_noticed(
        self, qtbot: QtBot, look: str, view: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Checkpoints half as large, or KV and states in one colour."""
        if view == "memory":
            colours = theme.current().colours
            monkeypatch.setitem(colours, "state_cached", colours["kv_cached"])
        else:
            diamond = marks.diamond
            small = lambda middle, wide, high: diamond(middle, wide / 2, high / 2)  # noqa: E731
            monkeypatch.setattr(marks, "diamond", small)
            marks._picture.cache_clear()
        changed = drawn(qtbot, view)
        assert apart(changed, QImage(str(FOLDER / f"{view}-{look}.png"))) > MOST
