"""What is drawn of evictions: one mark each, where it stood, as what became of it."""

from __future__ import annotations

import pytest

from app.cache.fading_painter import TOKENS
from app.cache.logic.fading import (
    CAUSE_WORDS,
    FADE_S,
    HOLD_S,
    WEIGHTS,
    FadingBook,
    Mark,
    eviction_sentence,
    eviction_tooltip,
    fate_of,
    marks_at,
)
from app.cache.logic.lanes import LaneAssigner
from app.cache.logic.layout import lay_out
from app.ui import motion
from app.ui.theme import load_theme
from engine.cache.eviction.cause import Cause
from engine.cache.tiers.lower import FileCause
from engine.snapshot import Evicted
from tests.app.samples import evicted, node, snapshot

CAUSES = [str(cause) for cause in (*Cause, *FileCause)]
TRUNK = (node(1, 0, 0, 500, "prefill"), node(2, 1, 500, 900, "prefill"))
LEAF = node(3, 1, 500, 620, "decode")


def shown(*told: Evicted, now: float = 0.0) -> tuple[Mark, ...]:
    """The marks after a snapshot that lost LEAF."""
    lanes, book = LaneAssigner(), FadingBook()
    before = lay_out(snapshot(*TRUNK, LEAF), lanes)
    book.add(told, before, 0.0)
    book.settle(lay_out(snapshot(*TRUNK), lanes, book.held()))
    return book.marks(now)


class TestMarks:
    def test_a_leaf_is_drawn_where_it_lay(self) -> None:
        (mark,) = shown(evicted())
        assert (mark.lane, mark.left, mark.right) == (1, 500, 620)
        assert (mark.span, mark.state, mark.strength) == ("lost", "lost", 1.0)

    def test_a_lost_state_is_drawn_at_its_diamond(self) -> None:
        gone = evicted(plane="state", start=0, end=500, node_before=1, node_now=1)
        (mark,) = shown(gone)
        assert (mark.lane, mark.right, mark.span, mark.state) == (0, 500, None, "lost")

    def test_only_what_is_not_there_any_more_is_drawn_as_lost(self) -> None:
        (mark,) = shown(evicted(start=480, cached_to=500))
        assert (mark.left, mark.right) == (500, 620)

    def test_keys_and_values_that_are_still_there_are_not_drawn_as_lost(self) -> None:
        """Its state is on no tier, but a longer sequence below has its keys and values."""
        (mark,) = shown(evicted(node_now=2))
        assert (mark.span, mark.state) == ("kept", "lost")

    def test_what_was_never_on_screen_lies_beside_the_node_above(self) -> None:
        """Made and evicted between two snapshots: the nearest lane with nothing over its span."""
        first, second = shown(evicted(1, node_before=None), evicted(2, node_before=None))
        assert (first.lane, second.lane) == (1, 2)

    def test_it_fades_and_is_forgotten(self) -> None:
        book = FadingBook()
        layout = lay_out(snapshot(*TRUNK), LaneAssigner())
        book.add([evicted()], None, 10.0)
        book.settle(layout)
        strengths = [book.marks(10.0 + age)[0].strength for age in (0, HOLD_S, HOLD_S + FADE_S / 2)]
        assert strengths == [1.0, 1.0, pytest.approx(0.5)]
        assert book.prune(10.0 + HOLD_S + FADE_S - 0.01)
        assert not book.prune(10.0 + HOLD_S + FADE_S)
        assert book.marks(10.0) == ()

    def test_with_reduced_motion_it_is_there_and_then_it_is_gone(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(motion, "_reduced", True)
        book = FadingBook()
        book.add([evicted()], None, 10.0)
        book.settle(lay_out(snapshot(*TRUNK), LaneAssigner()))
        assert [mark.strength for mark in book.marks(10.0 + HOLD_S - 0.01)] == [1.0]
        assert not book.prune(10.0 + HOLD_S)

    def test_a_mark_follows_the_node_that_stands_for_it(self) -> None:
        book = FadingBook()
        book.add([evicted(node_now=2, copy="disk")], None, 0.0)
        for lanes in (LaneAssigner(), LaneAssigner()):
            layout = lay_out(snapshot(*TRUNK), lanes)
            book.settle(layout)
            assert book.marks(0.0)[0].lane == layout.lane[layout.row_of(2)]

    @pytest.mark.parametrize(
        ("tier", "copy", "fate"),
        [
            ("device", "", "lost"),
            ("device", "host", "moved"),
            ("device", "disk", "moved"),
            ("host", "disk", "moved"),
            ("host", "device", "kept"),
            ("disk", "device", "kept"),
            ("device", "device", "kept"),
            ("disk", "", "lost"),
        ],
    )
    def test_what_became_of_it(self, tier: str, copy: str, fate: str) -> None:
        assert fate_of(evicted(tier=tier, copy=copy)) == fate

    def test_the_mouse_finds_spans_and_diamonds(self) -> None:
        marks = shown(evicted(1), evicted(2, plane="state", end=500, node_before=1, node_now=1))
        assert [m.evicted.seq for m in marks_at(marks, 550, 1, 6)] == [1]
        assert [m.evicted.seq for m in marks_at(marks, 495, 0, 6)] == [2]
        assert marks_at(marks, 480, 0, 6) == ()
        assert marks_at(marks, 550, 0, 6) == ()


class TestWords:
    @pytest.mark.parametrize("cause", CAUSES)
    def test_every_cause_has_words_a_weight_and_a_colour(self, cause: str) -> None:
        assert CAUSE_WORDS[cause].split()[0] in ("to", "because")
        token = TOKENS[WEIGHTS[cause]]
        assert all(token in load_theme(name).colours for name in ("light", "dark"))

    def test_no_words_are_left_of_a_cause_that_is_gone(self) -> None:
        assert set(CAUSE_WORDS) == set(WEIGHTS) == set(CAUSES)

    @pytest.mark.parametrize(
        ("gone", "sentence"),
        [
            (
                evicted(),
                "Tokens 500 to 620 and their state left the device to make room for keys and"
                " values; no copy is left.",
            ),
            (
                evicted(plane="state", copy="disk", cause="state pressure"),
                "The state at token 620 left the device to make room for another state; a copy"
                " is on disk.",
            ),
            (
                evicted(tier="disk", copy="device", cause="disk budget"),
                "Tokens 500 to 620 and their state left the disk to make room on disk; it is"
                " still on the device.",
            ),
            (
                evicted(plane="state", copy="device", cause="superseded"),
                "The state at token 620 left the device because a better one replaced it;"
                " nothing was lost.",
            ),
        ],
    )
    def test_a_line_of_the_log(self, gone: Evicted, sentence: str) -> None:
        assert eviction_sentence(gone) == sentence

    def test_the_tooltip_names_the_newest_first_and_counts_the_rest(self) -> None:
        marks = shown(*(evicted(number, time=float(number)) for number in range(5)))
        lines = eviction_tooltip(marks[::-1], 6.0).split("\n")
        assert lines[:3] == [
            "tokens 500 to 620 and their state left the device 2 s ago",
            "to make room for keys and values",
            "2.15 KiB freed, no copy is left",
        ]
        assert lines[-1] == "and 2 earlier evictions here"
