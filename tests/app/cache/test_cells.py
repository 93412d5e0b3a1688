"""Pixels of what each speaker says, names of branches, and the ruler of a path."""

from __future__ import annotations

import itertools

from msgspec.structs import replace

from app.cache.logic.axis import CELLS, TOKENS, Axis, fitted
from app.cache.logic.chats import Chats
from app.cache.logic.folding import Folding
from app.cache.logic.geometry import Geometry
from app.cache.logic.lanes import LaneAssigner
from app.cache.logic.layout import lay_out
from app.cache.logic.name_tags import name_tags, name_where_it_begins
from app.cache.logic.stretches import SPEAKERS
from app.cache.speech_painter import cells_of
from app.cache.tree_picture import notches, spine
from engine.snapshot import NodeView
from tests.app.cache.talk import NEXT, STUMP, SYSTEM, TALK, said
from tests.app.samples import node, snapshot
from tests.present import present


def geometry(*nodes: NodeView, axis: Axis = CELLS, width: float = 900) -> Geometry:
    made = lay_out(snapshot(*nodes), LaneAssigner(), (), axis, Folding(on=False))
    return Geometry.of(fitted(made.extent, made.lanes, width, 300), made)


class TestCells:
    def test_they_fill_the_bars_in_order(self) -> None:
        at = geometry(*TALK)
        cells = cells_of(at)
        assert [SPEAKERS[kind] for kind in cells.kind.tolist()][:4] == [
            "system",
            "template",
            "user",
            "assistant",
        ]
        for row in set(cells.row.tolist()):
            mine = cells.row == row
            lefts, widths = cells.left[mine].tolist(), cells.width[mine].tolist()
            ends = [left + width for left, width in zip(lefts, widths, strict=True)]
            left, _, width = at.bars(cells.row[mine][:1])
            assert lefts[0] == left[0]
            assert abs(ends[-1] - left[0] - width[0]) < 1e-6
            for end, start in zip(ends[:-1], lefts[1:], strict=True):
                assert -1e-6 <= start - end <= 1 + 1e-6

    def test_of_those_on_one_pixel_one_is_drawn(self) -> None:
        words = [(n, "user" if n % 2 else "assistant", "x") for n in range(0, 6_000, 2)]
        one = said(node(1, 0, 0, 6_000, "prefill"), *words)
        assert len(cells_of(geometry(one, axis=TOKENS, width=300)).at) <= 302

    def test_what_is_off_screen_is_left_out(self) -> None:
        at = geometry(*TALK)
        near = Geometry.of(at.view.zoomed(6, 890, 10, at.layout.extent, 1), at.layout)
        assert 0 < len(cells_of(near).at) < len(cells_of(at).at)


class TestNames:
    def test_each_conversation_is_named_where_its_own_part_begins(self) -> None:
        shared = replace(SYSTEM, owners=(1, 2))
        mine, other = replace(NEXT, owners=(1,)), replace(STUMP, owners=(2,))
        at = geometry(shared, mine, other)
        tags = {tag.title: tag for tag in name_tags(at, Chats({1: "One", 2: "Two"}))}
        assert set(tags) == {"One", "Two"}
        fork = at.view.x(float(at.layout.scale.right[1]))
        assert tags["One"].left == tags["Two"].left == fork
        assert tags["One"].lane != tags["Two"].lane

    def test_it_stays_on_screen_while_any_of_it_is(self) -> None:
        shared = replace(SYSTEM, owners=(1, 2))
        at = geometry(shared, replace(NEXT, owners=(1,)), replace(STUMP, owners=(2,)))
        near = Geometry.of(at.view.zoomed(8, 890, 10, at.layout.extent, 2), at.layout)
        assert {tag.left for tag in name_tags(near, Chats())} == {2.0}

    def test_a_box_is_named_where_its_conversations_own_part_begins(self) -> None:
        shared = replace(SYSTEM, owners=(1, 2))
        mine, other = replace(NEXT, owners=(1,)), replace(STUMP, owners=(2,))
        last = replace(node(77, NEXT.id, NEXT.end, NEXT.end + 9, "decode", text="so"), owners=(1,))
        layout = geometry(shared, mine, other, last).layout
        chats = Chats({1: "One", 2: "Two"})
        named = {
            number: name_where_it_begins(layout, present(layout.row_of(number)), chats)
            for number in (SYSTEM.id, NEXT.id, STUMP.id, 77)
        }
        assert named == {SYSTEM.id: "", NEXT.id: "One", STUMP.id: "Two", 77: ""}
        alone = geometry(replace(SYSTEM, owners=(1,)), mine).layout
        assert name_where_it_begins(alone, present(alone.row_of(SYSTEM.id)), chats) == ""

    def test_in_a_lane_of_two_the_first_ends_before_the_second(self) -> None:
        first = replace(node(1, 0, 0, 100), owners=(1,))
        second = replace(node(2, 9, 300, 400), owners=(2,))
        above = replace(node(9, 0, 0, 300), owners=(2, 3))
        made = name_tags(geometry(above, first, second, axis=TOKENS), Chats({1: "A", 2: "B"}))
        for one, other in itertools.permutations(made, 2):
            if one.lane == other.lane and one.left < other.left:
                assert one.right < other.left

    def test_one_conversation_alone_needs_no_name(self) -> None:
        assert name_tags(geometry(replace(SYSTEM, owners=(1,))), Chats({1: "One"})) == []


class TestPathRuler:
    def test_it_tells_where_messages_begin_on_the_path(self) -> None:
        at = geometry(*TALK)
        row = at.layout.row_of(NEXT.id)
        found = notches(at.layout, spine(at.layout, row), at.view)
        assert [one.position for one in found] == [0, 33, 42, 148, 168, 171]
        xs = [one.x for one in found]
        assert xs == sorted(xs)
        other = notches(at.layout, spine(at.layout, at.layout.row_of(STUMP.id)), at.view)
        assert [one.position for one in other] == [0, 33, 42, 45, 245, 345]

    def test_with_nothing_pointed_at_it_is_the_main_lane(self) -> None:
        at = geometry(*TALK)
        assert spine(at.layout, None, None)[-1] in range(len(at.layout.table))
        assert at.layout.lane[spine(at.layout, None)[-1]] == 0
