"""The card under the pointer: six lines, pinned with P, several stay, each can be closed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.cache.canvas import TreeCanvas
from app.core.words.explain import node_tooltip
from app.ui.widgets import IconButton
from engine.snapshot import CheckpointView
from tests.app.cache.test_views import TREE as FOLDED
from tests.app.cache.test_views import chip_row, middle, shown
from tests.app.samples import node, snapshot
from tests.present import present

TRUNK = (
    node(1, 0, 0, 500, "prefill", text="Why is the sky blue?"),
    node(2, 1, 500, 900, text="It scatters."),
)


@pytest.fixture
def canvas(qtbot: QtBot) -> TreeCanvas:
    made = TreeCanvas()
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show()
    made.show_view("tokens")
    made.show_snapshot(snapshot(*TRUNK))
    return made


def point_at(canvas: TreeCanvas, qtbot: QtBot, number: int) -> None:
    spot = middle(canvas, present(shown(canvas).row_of(number)))
    qtbot.mouseMove(canvas, spot)


def explained(point: CheckpointView) -> CheckpointView:
    return structs.replace(point, state=replace(point.state, why="user start"))


class TestCard:
    def test_it_says_what_is_under_the_pointer(self, canvas: TreeCanvas, qtbot: QtBot) -> None:
        point_at(canvas, qtbot, 1)
        card = canvas.cards.floating
        assert card.isVisible()
        assert card.text.text() == node_tooltip(TRUNK[0], 0.0)
        assert canvas.rect().contains(card.geometry())
        point_at(canvas, qtbot, 2)
        assert "tombstone" in card.text.text()
        qtbot.mouseMove(canvas, QPoint(3, 390))
        assert not card.isVisible()

    def test_six_lines_say_all_of_it(self) -> None:
        one = structs.replace(
            TRUNK[0], kv_lock=1, checkpoint=explained(present(TRUNK[0].checkpoint)), hits=3
        )
        lines = node_tooltip(one, 60.0).splitlines()
        assert len(lines) == 6
        told = "\n".join(lines)
        for words in (
            "0 to 500",
            "sky blue",
            "KV 4.88 KiB",
            "checkpoint 0.98 KiB, prefill",
            "kept for: user start",
        ):
            assert words in told
        assert "used 1 min ago, matched 3 times, locked" in told

    def test_a_chip_has_no_card(self, canvas: TreeCanvas, qtbot: QtBot) -> None:
        canvas.show_snapshot(snapshot(*FOLDED, version=2))
        canvas.fit()
        qtbot.mouseMove(canvas, middle(canvas, chip_row(canvas, "chain")))
        assert not canvas.cards.floating.isVisible()


class TestPinned:
    def test_several_stay_and_each_can_be_closed(self, canvas: TreeCanvas, qtbot: QtBot) -> None:
        for number in (1, 2):
            point_at(canvas, qtbot, number)
            qtbot.keyClick(canvas, Qt.Key.Key_P)
        assert list(canvas.cards.pinned) == [1, 2]
        assert not canvas.cards.floating.isVisible()
        point_at(canvas, qtbot, 1)
        assert not canvas.cards.floating.isVisible()
        assert all(card.isVisible() for card in canvas.cards.pinned.values())
        button = present(canvas.cards.pinned[2].findChild(IconButton))
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert list(canvas.cards.pinned) == [1]
        qtbot.keyClick(canvas, Qt.Key.Key_P)
        assert not canvas.cards.pinned

    def test_the_selected_node_is_pinned_by_keyboard_alone(
        self, canvas: TreeCanvas, qtbot: QtBot
    ) -> None:
        qtbot.keyClick(canvas, Qt.Key.Key_P)
        assert not canvas.cards.pinned
        canvas.select(2)
        qtbot.keyClick(canvas, Qt.Key.Key_P)
        assert list(canvas.cards.pinned) == [2]

    def test_they_follow_the_cache_and_go_with_it(self, canvas: TreeCanvas, qtbot: QtBot) -> None:
        canvas.select(2)
        qtbot.keyClick(canvas, Qt.Key.Key_P)
        card = canvas.cards.pinned[2]
        canvas.show_snapshot(snapshot(TRUNK[0], node(2, 1, 500, 700), version=2))
        assert "500 to 700" in card.text.text()
        canvas.show_snapshot(snapshot(TRUNK[0], version=3))
        assert card.text.text() == "No longer in the cache."
        canvas.show_snapshot(None)
        assert not canvas.cards.pinned


@pytest.mark.parametrize("view", ["cells", "tokens", "memory", "topology"])
def test_it_names_the_conversations_in_every_view(
    canvas: TreeCanvas, qtbot: QtBot, view: str
) -> None:
    titles = {7: "Walks", 8: "Wings", 9: "Tails", 11: "Landing"}
    owned = (
        structs.replace(TRUNK[0], owners=tuple(titles)),
        structs.replace(TRUNK[1], owners=(8,)),
    )
    canvas.show_snapshot(snapshot(*owned))
    canvas.show_chats(titles.__getitem__, 7)
    canvas.show_view(view)
    for number, line in (
        (1, "in “Walks”, “Wings”, “Tails” and 1 more"),
        (2, "in “Wings”"),
    ):
        # The pointer of the test before may be there already.
        qtbot.mouseMove(canvas, QPoint(1, 1))
        point_at(canvas, qtbot, number)
        assert canvas.cards.floating.text.text().splitlines()[0] == line
    canvas.show_snapshot(snapshot(*TRUNK))
    qtbot.mouseMove(canvas, QPoint(1, 1))
    point_at(canvas, qtbot, 1)
    assert canvas.cards.floating.text.text().startswith("tokens 0 to 500")
