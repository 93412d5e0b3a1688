"""Each view of the tree against a stored picture of it, light and dark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.cache import marks
from app.cache.canvas import TreeCanvas
from app.ui import theme
from engine.snapshot import CacheSnapshot, LiveView, NodeView
from engine.verdict import Verdict, VerdictStatus
from tests.app.cache.talk import TALK
from tests.app.golden import MOST, apart, as_stored, look, picture
from tests.app.samples import node, snapshot
from tests.present import present

__all__ = ["look"]
FOLDER = Path(__file__).parent / "golden"
SIZE = (640, 200)
VIEWS = ("cells", "tokens", "memory", "topology")
STATUSES: tuple[VerdictStatus, ...] = ("verified", "drifted", "quarantined")


def marked(one: NodeView, **more: object) -> NodeView:
    point = present(one.checkpoint)
    state = replace(point.state, **more)  # type: ignore[arg-type]
    return structs.replace(one, checkpoint=structs.replace(point, state=state))


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
        structs.replace(node(22, 20, 500, 560), tier="host", pinned=True),
    ]
    live = LiveView(5, 1, 360, 120, 180, 420)
    return snapshot(trunk, *audits, *tiers, node(30, 21, 640, 700), live=live)


def spoken() -> CacheSnapshot:
    """Two chats on one system text, the second one edited."""
    return snapshot(*TALK)


def drawn(qtbot: QtBot, view: str) -> QImage:
    canvas = TreeCanvas()
    qtbot.addWidget(canvas)
    canvas.setMinimumHeight(0)
    canvas.resize(*SIZE)
    canvas.show_view(view)
    canvas.show_snapshot(spoken() if view == "cells" else given())
    canvas.fit()
    canvas.select(TALK[1].id if view == "cells" else 20)
    return picture(canvas)


@pytest.mark.parametrize("view", VIEWS)
class TestGolden:
    def test_it_looks_as_it_did(self, qtbot: QtBot, look: str, view: str) -> None:
        assert as_stored(drawn(qtbot, view), FOLDER / f"{view}-{look}.png")

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
        stored = QImage(str(FOLDER / f"{view}-{look}.png"))
        assert apart(drawn(qtbot, view), stored) > MOST


def test_a_speaker_that_is_missing_is_noticed(
    qtbot: QtBot, look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's message looks like an answer."""
    colours = theme.current().colours
    monkeypatch.setitem(colours, "says_user", colours["says_assistant"])
    stored = QImage(str(FOLDER / f"cells-{look}.png"))
    assert apart(drawn(qtbot, "cells"), stored) > MOST
