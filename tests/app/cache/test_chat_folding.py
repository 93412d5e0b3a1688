"""What the reader of one conversation need not see: other conversations, and dropped thinking."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.cache.logic.axis import CELLS
from app.cache.logic.chats import Chats, owners_in
from app.cache.logic.folding import Chip, Folded, Folding, chip_tooltip
from app.cache.logic.lanes import LaneAssigner
from app.cache.logic.layout import Layout, fold_chats, lay_out
from app.cache.logic.table import build_table
from engine.snapshot import LiveView, NodeView, Speech
from tests.app.cache.talk import NEXT, STUMP, SYSTEM, TALK, said, says
from tests.app.samples import node, snapshot


def owned(one: NodeView, *owners: int) -> NodeView:
    return replace(one, owners=owners)


# Conversation 1 is the talk; 2 and 3 share its beginning, 3 and 4 a first word, 5 nothing.
CHATS = (
    owned(node(1, 0, 0, 3, "prefill"), 1, 2, 3, 4),
    owned(node(2, 1, 3, 500, "prefill"), 1),
    owned(node(3, 1, 3, 9), 3, 4),
    owned(node(4, 3, 9, 40, "decode"), 3),
    owned(node(5, 3, 9, 60, "decode"), 4),
    owned(node(6, 1, 3, 30, "prefill"), 2),
    owned(node(7, 6, 30, 50, "decode"), 2),
    owned(node(8, 6, 30, 70, "decode"), 2),
    owned(node(9, 0, 0, 20, "decode"), 5),
    node(10, 0, 0, 12),
)


def folded(*nodes: NodeView, live: LiveView | None = None, **chosen: object) -> Folded:
    folding = Folding()
    folding.chats = Chats({2: "Two", 3: "Three", 4: "Four"}, 1)
    for name, value in chosen.items():
        setattr(folding, name, value)
    shown = snapshot(*nodes, live=live)
    return fold_chats(build_table(shown), shown, folding)


def chips(made: Folded, kind: str) -> list[Chip]:
    return [chip for chip in made.chips.values() if chip.kind == kind]


class TestOtherConversations:
    def test_each_is_one_chip_with_its_title(self) -> None:
        made = folded(*CHATS)
        held = {chip.title: set(chip.ids) for chip in chips(made, "chat")}
        assert held == {
            "Two": {6, 7, 8},
            "Three": {4},
            "Four": {5},
            "Conversation 5": {9},
            "No conversation": {10},
        }
        assert {int(n) for n in made.table.ids if n >= 0} == {0, 1, 2, 3}

    def test_without_a_focus_nothing_is_folded(self) -> None:
        made = folded(*CHATS, chats=Chats())
        assert not made.chips
        assert len(made.table) == len(CHATS) + 1

    def test_what_was_chosen_or_opened_stays_in_sight(self) -> None:
        chosen = Folding()
        chosen.keep(8)
        chosen.chats = Chats({}, 1)
        shown = snapshot(*CHATS)
        made = fold_chats(build_table(shown), shown, chosen)
        assert {6, 8} <= set(made.table.ids.tolist())
        assert 7 not in made.table.ids
        opened = folded(*CHATS, opened={chips(folded(*CHATS), "chat")[0].key})
        assert len(opened.chips) == len(folded(*CHATS).chips) - 1

    def test_a_chip_tells_its_sums(self) -> None:
        (two,) = (chip for chip in chips(folded(*CHATS), "chat") if chip.title == "Two")
        assert (two.tokens, two.checkpoints, two.branches) == (27 + 20 + 40, 3, 1)
        assert two.words == "Two · 87 tokens"
        assert "only this conversation uses" in chip_tooltip(two)

    def test_nothing_is_lost_or_doubled(self) -> None:
        made = folded(*CHATS)
        tokens = np.array([one.end - one.start for one in snapshot(*CHATS).nodes])
        table = build_table(snapshot(*CHATS))
        assert made.sums(tokens[table.source]).sum() == tokens.sum()

    def test_its_lane_stays_and_is_never_the_focused_one(self) -> None:
        folding, book = Folding(), LaneAssigner()
        folding.chats = Chats({}, 1)

        def lanes(*nodes: NodeView) -> dict[int, int]:
            made = lay_out(snapshot(*nodes), book, (), CELLS, folding)
            return dict(zip(made.table.ids.tolist(), made.lane.tolist(), strict=True))

        before = lanes(*CHATS)
        assert before[1] == before[2] == 0
        others = {number: lane for number, lane in before.items() if number < 0}
        assert len(set(others.values())) == len(others)
        assert 0 not in others.values()
        grown = replace(CHATS[-2], end=300)
        after = lanes(*CHATS[:-2], grown, CHATS[-1])
        assert {n: after[n] for n in others} == others

    def test_what_others_share_comes_after_the_focused_one_however_heavy(self) -> None:
        """Fifty chats with a common beginning outweigh a new one, which keeps the first lane."""
        first = owned(node(1, 0, 0, 3, "prefill"), *range(1, 60))
        heavy = owned(node(2, 1, 3, 40), *range(2, 60))
        mine = owned(node(3, 1, 3, 20, "prefill"), 1)
        rest = [owned(node(n + 10, 2, 40, 400), n) for n in range(2, 60)]
        folding = Folding()
        folding.chats = Chats({}, 1)
        made = lay_out(snapshot(first, heavy, mine, *rest), LaneAssigner(), (), CELLS, folding)
        lane = dict(zip(made.table.ids.tolist(), made.lane.tolist(), strict=True))
        assert lane[1] == lane[3] == 0
        assert 0 not in [place for number, place in lane.items() if number not in (0, 1, 3)]

    def test_a_new_one_gets_the_first_lane_though_others_were_there_before(self) -> None:
        """While it has nothing yet, what all others share is not put aside: it begins there."""
        shared = owned(node(1, 0, 0, 3, "prefill"), 2, 3)
        others = (owned(node(2, 1, 3, 90, "prefill"), 2), owned(node(3, 1, 3, 60), 3))
        folding, book = Folding(), LaneAssigner()
        folding.chats = Chats({}, 9)
        lay_out(snapshot(shared, *others), book, (), CELLS, folding)
        mine = owned(node(4, 1, 3, 20, "prefill"), 9)
        now = owned(shared, 2, 3, 9)
        made = lay_out(snapshot(now, *others, mine), book, (), CELLS, folding)
        lane = dict(zip(made.table.ids.tolist(), made.lane.tolist(), strict=True))
        assert lane[1] == lane[4] == 0

    def test_the_conversations_of_a_snapshot(self) -> None:
        assert owners_in(snapshot(*CHATS)) == {1, 2, 3, 4, 5}
        assert owners_in(None) == frozenset()


class TestDroppedThinking:
    def test_it_is_a_stub_where_the_answer_goes_on_without_it(self) -> None:
        made = folded(*TALK, chats=Chats())
        (stub,) = chips(made, "thinking")
        assert stub.ids == (2,)
        assert chip_tooltip(stub).startswith("Normal: the template drops thinking")

    def test_a_last_answer_keeps_its_thinking(self) -> None:
        assert not folded(SYSTEM, STUMP, chats=Chats()).chips

    def test_two_answers_with_thinking_are_both_shown(self) -> None:
        again = said(node(4, 1, 45, 300, "decode"), (45, "thinking", "Another"))
        assert not folded(SYSTEM, STUMP, again, chats=Chats()).chips

    def test_what_somebody_goes_on_from_is_shown(self) -> None:
        asked = said(node(5, 2, 345, 400), (345, "user", "And then?"))
        assert not folded(*TALK, asked, chats=Chats()).chips

    @pytest.mark.parametrize(("first", "stubs"), [("assistant", 1), ("thinking", 0)])
    def test_the_running_prompt_tells_as_soon_as_it_is_there(self, first: str, stubs: int) -> None:
        speech = (*says((0, "system", ""), (33, "user", "")), Speech(42, first, "", True))
        live = LiveView(1, 1, 60, 45, 0, 150, speech)
        made = folded(SYSTEM, STUMP, live=live, chats=Chats())
        assert len(chips(made, "thinking")) == stubs

    def test_it_takes_no_lane_and_no_room(self) -> None:
        made: Layout = lay_out(snapshot(*TALK), LaneAssigner(), (), CELLS, Folding())
        assert made.lanes == 1
        (stub,) = made.stubs.tolist()
        assert made.scale.left[stub] == made.scale.right[stub]
        assert made.hit(float(made.scale.left[stub]) + 1, 0) == made.row_of(NEXT.id)
        assert made.stub_near(float(made.scale.left[stub]) + 2, 0, 3.0) == stub
        assert made.stub_near(float(made.scale.left[stub]) + 2, 1, 3.0) is None

    def test_a_straight_chat_stays_in_its_lane_turn_after_turn(self) -> None:
        book, folding = LaneAssigner(), Folding()
        first = lay_out(snapshot(SYSTEM, STUMP), book, (), CELLS, folding)
        assert first.lanes == 1
        speech = says((0, "system", ""), (33, "user", ""), (42, "assistant", ""), (148, "user", ""))
        live = LiveView(1, 1, 60, 45, 0, 171, speech)
        running = lay_out(snapshot(SYSTEM, STUMP, live=live), book, (), CELLS, folding)
        assert running.lanes == 1
        after = lay_out(snapshot(*TALK), book, (), CELLS, folding)
        assert after.lanes == 1
