"""One table of marks: every fact of a node has one, and each can be told without colour."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest
from msgspec import structs
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from app.cache.legend import draw_kind
from app.cache.logic.mark_table import (
    BITS,
    CAPTIONS,
    KINDS,
    MARKS,
    are_wanted,
    counts,
    kinds_of,
    letter_of,
    marks_of,
    masks,
)
from app.cache.logic.table import build_table
from app.ui import theme
from engine.snapshot import LiveView, NodeView
from engine.stored_state import Provenance, TierName
from engine.verdict import Verdict, VerdictStatus
from tests.app.samples import ROOT, node, snapshot
from tests.present import present


def keys(one: NodeView) -> set[str]:
    return {kind.key for kind in kinds_of(marks_of(one))}


def with_state(**more: Any) -> NodeView:
    made = node(3, 1, 500, 620, "prefill")
    point = present(made.checkpoint)
    return structs.replace(
        made, checkpoint=structs.replace(point, state=replace(point.state, **more))
    )


class TestTable:
    def test_a_bare_node_is_a_tombstone(self) -> None:
        assert keys(node(1, 0, 0, 9)) == {"resident", "tombstone"}
        assert keys(structs.replace(node(1, 0, 0, 9), tier="disk")) == {"lower", "tombstone"}
        assert keys(ROOT) == set()

    def test_a_checkpoint_says_where_it_is_and_how_it_was_taken(self) -> None:
        assert keys(node(1, 0, 0, 9, "prefill")) == {"resident", "device", "prefill"}
        assert keys(with_state(tier="host", provenance="decode")) == {"resident", "host", "decode"}
        assert keys(with_state(stored="int8")) == {"resident", "device", "prefill", "compressed"}

    def test_every_tier_provenance_and_verdict_has_a_mark(self) -> None:
        for tier in get_args(TierName):
            assert tier in keys(with_state(tier=tier))
        for taken in get_args(Provenance):
            assert {kind.group for kind in kinds_of(marks_of(with_state(provenance=taken)))} == {
                "kv",
                "state",
                "origin",
            }
        for status in get_args(VerdictStatus):
            assert status in keys(with_state(verdict=Verdict(status, 0.1, 0.1, 0.0)))

    def test_locks_and_pins(self) -> None:
        assert "locked" in keys(node(1, 0, 0, 9, lock=1))
        assert "pinned" in keys(structs.replace(node(1, 0, 0, 9), pinned=True))

    def test_the_running_request_is_marked_where_it_is(self) -> None:
        trunk = (node(1, 0, 0, 500, "prefill"), node(2, 1, 500, 900))
        at_end = build_table(snapshot(*trunk, live=LiveView(5, 2, 900, 500, 400, 900)))
        running = at_end.ids[at_end.marks & BITS["running"] > 0].tolist()
        assert running == [2]
        beyond = build_table(snapshot(*trunk, live=LiveView(5, 2, 950, 500, 400, 1000)))
        assert beyond.ids[beyond.marks & BITS["running"] > 0].tolist() == [-1]

    def test_letters_words_and_keys_are_told_apart(self) -> None:
        letters = [kind.letter for kind in MARKS if kind.letter]
        assert len(set(letters)) == len(letters)
        assert len({(kind.group, kind.word) for kind in MARKS}) == len(MARKS)
        assert len({kind.meaning for kind in MARKS}) == len(MARKS)
        assert set(CAPTIONS) == {kind.group for kind in MARKS}
        assert letter_of(BITS["tool call"] | BITS["prefill"]) == "C"
        assert letter_of(BITS["prefill"]) == ""

    def test_counts_are_of_what_there_is(self) -> None:
        found = counts(snapshot(node(1, 0, 0, 9, "prefill"), node(2, 1, 9, 12)))
        assert found == {"resident": 2, "tombstone": 1, "device": 1, "prefill": 1}


class TestFilter:
    def test_one_of_each_group(self) -> None:
        wanted = masks({"tombstone", "host", "locked"})
        bare, host = BITS["tombstone"], BITS["host"]
        rows = [bare | BITS["locked"], host | BITS["locked"], bare, BITS["device"] | BITS["locked"]]
        marks = np.array([*rows, 0])
        assert are_wanted(marks, wanted).tolist() == [True, True, False, False, False]
        assert are_wanted(marks, masks(())).all()


class TestWithoutColour:
    @pytest.mark.parametrize("name", ["light", "dark"])
    def test_no_two_marks_have_one_shape(self, qtbot: QtBot, name: str) -> None:
        drawn = {kind.key: outline(kind.key, name) for kind in MARKS}
        # A plain checkpoint on the device is what a prefill takes.
        del drawn["device"]
        for (one, first), (other, second) in combinations(drawn.items(), 2):
            assert (first != second).sum() > 3, f"{one} and {other} look alike"

    def test_every_meaning_names_what_is_seen(self) -> None:
        assert "hatched" in KINDS["tombstone"].meaning
        assert "hollow" in KINDS["decode"].meaning


def outline(key: str, name: str) -> npt.NDArray[np.bool_]:
    """Where a mark, drawn as in the legend, differs from the background: its shape alone."""
    image = QImage(32, 32, QImage.Format.Format_RGB32)
    look = theme.load_theme(name)
    image.fill(look.colour("panel"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_kind(painter, look, key, QPointF(16, 16))
    painter.end()
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    levels = np.frombuffer(grey.constBits(), np.uint8).reshape(32, 32).astype(int)
    made: npt.NDArray[np.bool_] = np.abs(levels - levels[0, 0]) > 24
    return made
