"""Token positions to x: by tokens, and by messages."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from app.cache.logic.axis import CELLS, TOKENS, Axis, Scale, scale_of, spread
from app.cache.logic.stretches import SPEAKERS, TEMPLATE, build_stretches
from app.cache.logic.table import build_table
from engine.snapshot import NodeView
from tests.app.cache.talk import NEXT, STUMP, SYSTEM, TALK, said
from tests.app.samples import node, random_tree, snapshot

KINDS = np.arange(len(SPEAKERS), dtype=np.int64)


def scaled(axis: Axis, *nodes: NodeView) -> tuple[Scale, dict[int, int]]:
    """A scale, and the row of each node."""
    shown = snapshot(*nodes)
    table = build_table(shown)
    rows = {number: row for row, number in enumerate(table.ids.tolist())}
    return scale_of(axis, table, build_stretches(table, shown)), rows


def split(whole: NodeView, at: int, number: int) -> tuple[NodeView, NodeView]:
    """A node as a fork at a position leaves it: who spoke goes on in the lower part."""
    upper = [one for one in whole.speech if one.start < at]
    lower = [one for one in whole.speech if one.start >= at]
    if not lower or lower[0].start > at:
        role = upper[-1].role
        lower.insert(0, type(upper[-1])(at, role, "", False))
    first = node(number, whole.parent, whole.start, at)
    second = node(whole.id, number, at, whole.end, "prefill")
    plain = [[(s.start, s.role, s.text, s.opens) for s in part] for part in (upper, lower)]
    return said(first, *plain[0]), said(second, *plain[1])


class TestTokens:
    def test_a_position_is_its_own_x(self) -> None:
        scale, rows = scaled(TOKENS, *TALK)
        for row in rows.values():
            for position in (0, 45, 100, 400):
                assert scale.x(row, position) == position
        assert scale.extent == 345


@pytest.mark.parametrize("axis", [TOKENS, CELLS], ids=lambda axis: axis.name)
class TestAnyAxis:
    def test_there_and_back(self, axis: Axis) -> None:
        for tokens in (0.0, 0.5, 1, 2, 7, 8, 9, 63, 64, 65, 1000, 262_144):
            wide = axis.along(np.full(len(KINDS), float(tokens)), KINDS)
            assert axis.back(wide, KINDS) == pytest.approx(tokens, rel=1e-9, abs=1e-9)

    def test_more_tokens_are_wider(self, axis: Axis) -> None:
        tokens = np.concatenate([np.linspace(0, 40, 401), np.geomspace(41, 300_000, 400)])
        for kind in KINDS.tolist():
            wide = axis.along(tokens, np.full(len(tokens), kind))
            assert wide[0] == 0
            assert (np.diff(wide) > 0).all()

    def test_positions_of_a_row_survive_the_way_to_x(self, axis: Axis) -> None:
        scale, rows = scaled(axis, *TALK)
        for one in TALK:
            row = rows[one.id]
            xs = [scale.x(row, position) for position in range(one.start, one.end + 1)]
            assert all(a < b for a, b in itertools.pairwise(xs))
            back = [scale.position(row, x) for x in xs]
            assert back == pytest.approx(list(range(one.start, one.end + 1)))

    def test_a_row_begins_where_its_parent_ends(self, axis: Axis) -> None:
        scale, rows = scaled(axis, *TALK)
        assert scale.left[rows[2]] == scale.left[rows[3]] == scale.right[rows[1]]

    @pytest.mark.parametrize("at", [46, 60, 145, 147, 160])
    def test_a_fork_moves_nothing(self, axis: Axis, at: int) -> None:
        before, rows = scaled(axis, *TALK)
        upper, lower = split(NEXT, at, 9)
        other = said(node(4, 9, at, at + 30), (at, "user", "Another"))
        after, now = scaled(axis, SYSTEM, STUMP, upper, lower, other)
        for position in range(45, 172):
            row = now[9] if position < at else now[3]
            assert after.x(row, position) == pytest.approx(before.x(rows[3], position))

    def test_what_grows_grows_to_the_right_alone(self, axis: Axis) -> None:
        before, rows = scaled(axis, *TALK)
        longer = said(node(2, 1, 45, 945), (45, "thinking", "The"), (245, "assistant", "Air"))
        after, now = scaled(axis, SYSTEM, longer, NEXT)
        for one, position in ((1, 33), (2, 45), (2, 200), (2, 300), (3, 150), (3, 171)):
            assert after.x(now[one], position) == pytest.approx(before.x(rows[one], position))
        assert after.right[now[2]] > before.right[rows[2]]

    def test_a_row_that_grows_in_place_is_as_if_laid_out_anew(self, axis: Axis) -> None:
        before, rows = scaled(axis, *TALK)
        longer = said(node(2, 1, 45, 645), (45, "thinking", "The"), (245, "assistant", "Air"))
        grown = before.grown(rows[2], 645)
        anew, now = scaled(axis, SYSTEM, longer, NEXT)
        assert grown.right[rows[2]] == pytest.approx(anew.right[now[2]])
        assert grown.x(rows[2], 600) == pytest.approx(anew.x(now[2], 600))
        assert before.right[rows[2]] < grown.right[rows[2]]


class TestCells:
    def test_a_short_message_has_room_for_its_first_words(self) -> None:
        scale, _ = scaled(CELLS, *TALK)
        question = scale.stretches.kind.tolist().index(SPEAKERS.index("user"))
        assert scale.finish[question] - scale.begin[question] >= 90

    @pytest.mark.parametrize("tokens", [6, 9, 20, 300])
    def test_a_message_has_room_for_a_word_beside_its_mark_and_two_checkpoints(
        self, tokens: int
    ) -> None:
        """At the scale in which the newest is followed; a few letters are some 40 pixels wide."""
        said = np.array([SPEAKERS.index("user")])
        wide = CELLS.along(np.array([float(tokens)]), said)[0] * CELLS.readable
        assert wide - 19 - 18 > 40

    def test_a_header_without_a_text_takes_little_room(self) -> None:
        said = np.full(2, SPEAKERS.index("assistant"))
        header, word = CELLS.along(np.array([3.0, 4.0]), said)
        assert header < word / 3

    def test_a_long_message_does_not_push_the_others_away(self) -> None:
        kind = np.array([SPEAKERS.index("user")])
        short, long = (CELLS.along(np.array([n]), kind)[0] for n in (20.0, 6_000.0))
        assert 1.5 * short < long < 3 * short

    def test_the_template_takes_little_room(self) -> None:
        wide = CELLS.along(np.full(2, 4.0), np.array([TEMPLATE, SPEAKERS.index("user")]))
        assert wide[0] < wide[1] / 5

    def test_a_message_that_a_fork_cut_goes_on_with_its_scale(self) -> None:
        shown = snapshot(SYSTEM, *split(STUMP, 200, 9))
        table = build_table(shown)
        made = build_stretches(table, shown)
        row = table.ids.tolist().index(2)
        first = made.of(row).start
        assert made.kind[first] == SPEAKERS.index("thinking")
        assert (made.offset[first], made.opens[first]) == (155, False)

    def test_nobody_known_to_speak_is_one_stretch_a_row(self) -> None:
        shown = snapshot(*random_tree(50))
        table = build_table(shown)
        made = build_stretches(table, shown)
        assert not made.known
        assert len(made.row) == len(table)
        assert made.kind.tolist() == [0] * len(table)


class TestSpread:
    def test_tokens_are_even_in_rows_placed_otherwise(self) -> None:
        shown = snapshot(*TALK)
        table = build_table(shown)
        left = np.array([0.0, 0.0, 10.0, 20.0])
        scale = spread(table, build_stretches(table, shown), left, left + 10)
        row = table.ids.tolist().index(1)
        assert scale.x(row, 9) == pytest.approx(left[row] + 2)
        assert scale.position(row, float(left[row]) + 2) == pytest.approx(9)
