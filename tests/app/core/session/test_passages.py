"""Where messages are in the cache, and which messages are at a place there."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.core.session.passages import Passage, Passages, Place, owner_of, passages
from app.core.session.records import Conversation, MessageTree, Turn, TurnState
from engine.events import NodeOwner
from engine.snapshot import Branch, CacheSnapshot, LiveView, NodeView, Speech
from tests.app.samples import node, snapshot


def said(*stretches: tuple[int, str]) -> tuple[Speech, ...]:
    """Messages and their parts by where they open; "..." goes on from above."""
    return tuple(
        Speech(start, role.removeprefix("..."), "", opens=not role.startswith("...") and role != "")
        for start, role in stretches
    )


# system 0-10, user 10-20, answer 20-35; then 35-50 user, 50-70 an answer with its thinking.
# The thinking of the first answer is in a stub: 22-40 of its own request.
NODES: tuple[NodeView, ...] = (
    replace(node(1, 0, 0, 22), speech=said((0, "system"), (10, "user"), (20, "assistant"))),
    replace(node(2, 1, 22, 60), speech=said((22, "...assistant"), (35, "user"), (50, "thinking"))),
    replace(node(3, 2, 60, 70), speech=said((60, "...thinking"), (64, "assistant"))),
    replace(node(4, 1, 22, 40), speech=said((22, "thinking"), (30, "assistant"))),
    replace(node(5, 0, 0, 9), speech=said((0, "user"))),
)
BRANCHES = (
    Branch(7, 12, 3, 70),
    Branch(7, 11, 4, 40),
    Branch(9, 13, 5, 9),
)


def talk() -> Conversation:
    turns = [
        Turn(1, "user", "one"),
        Turn(2, "assistant", "two", thinking="hm", request=11, parent=1),
        Turn(3, "user", "three", parent=2),
        Turn(4, "assistant", "four", thinking="hm", request=12, parent=3),
    ]
    made = Conversation(7, tree=MessageTree.of(turns))
    made.show(4)
    return made


def cache(*nodes: NodeView, live: LiveView | None = None) -> CacheSnapshot:
    return replace(snapshot(*(nodes or NODES)), branches=BRANCHES, live=live)


def found_in(one: Conversation, shown: CacheSnapshot) -> Passages:
    return passages(one, shown, shown.branches)


def owner_in(node: int, shown: CacheSnapshot) -> NodeOwner | None:
    return owner_of(node, shown, shown.branches)


@pytest.fixture
def known() -> Passages:
    return found_in(talk(), cache())


class TestWhereAMessageIs:
    def test_on_the_way_to_the_newest_answer(self, known: Passages) -> None:
        assert known.paths[0].passages == (
            Passage(1, 10, 20),
            Passage(2, 20, 35),
            Passage(3, 35, 50),
            Passage(4, 50, 70),
        )
        assert known.places(1) == (Place(1, 10, 20),)
        assert known.places(3) == (Place(2, 35, 50),)
        assert known.places(4) == (Place(3, 50, 70),)

    def test_the_thinking_that_was_dropped_is_another_place(self, known: Passages) -> None:
        assert known.places(2) == (Place(2, 20, 35), Place(4, 20, 40))

    def test_the_node_that_has_most_of_it(self, known: Passages) -> None:
        assert [known.main_node(turn) for turn in (1, 2, 3, 4)] == [1, 2, 2, 2]

    def test_what_is_not_cached_is_nowhere(self) -> None:
        cut = cache(NODES[0], replace(NODES[1], end=40))
        found = found_in(talk(), replace(cut, branches=(Branch(7, 12, 2, 40),)))
        assert found.places(3) == (Place(2, 35, 40),)
        assert found.places(4) == ()
        assert found.main_node(4) is None

    def test_another_branch_on_screen(self) -> None:
        """What both share is there; what is not on screen is nothing."""
        one = talk()
        one.tree.add(Turn(5, "user", "other", parent=2))
        one.show(5)
        found = found_in(one, cache())
        assert found.places(1) == (Place(1, 10, 20),)
        assert found.places(3) == found.places(5) == ()
        assert found.turns_at(2) == {2}

    def test_a_claimed_one_is_known_by_its_mark(self) -> None:
        one = talk()
        for turn in one.turns:
            turn.request = None
        found = found_in(one, replace(cache(), branches=(Branch(7, 4, 3, 70),)))
        assert found.places(4) == (Place(3, 50, 70),)

    def test_another_conversation_has_nothing_here(self) -> None:
        other = Conversation(8)
        assert found_in(other, cache()).paths == ()

    def test_nobody_knows_who_speaks(self) -> None:
        silent = [replace(one, speech=()) for one in NODES]
        assert found_in(talk(), cache(*silent)).places(1) == ()

    def test_a_template_that_says_it_otherwise(self) -> None:
        """From where the speakers differ, nothing is claimed."""
        odd = replace(NODES[0], speech=said((0, "user"), (10, "user")))
        assert found_in(talk(), cache(odd, *NODES[1:])).paths[0].passages == (Passage(1, 0, 10),)

    def test_the_running_request(self) -> None:
        one = talk()
        one.turns[-1].state = TurnState.WRITING
        speech = said(
            (0, "system"), (10, "user"), (20, "assistant"), (35, "user"), (50, "thinking")
        )
        live = LiveView(12, 1, 58, 22, 0, 55, speech, 7)
        shown = replace(cache(NODES[0], live=live), branches=(Branch(7, 12, 1, 22),))
        found = found_in(one, shown)
        assert found.places(1) == (Place(1, 10, 20),)
        assert found.places(3) == (Place(None, 35, 50),)
        assert found.places(4) == (Place(None, 50, 58),)


class TestWhichMessagesAreThere:
    def test_a_node(self, known: Passages) -> None:
        assert known.turns_at(1) == {1, 2}
        assert known.turns_at(2) == {2, 3, 4}
        assert known.turns_at(3) == {4}
        assert known.turns_at(4) == {2}
        assert known.turns_at(5) == known.turns_at(99) == frozenset()

    def test_a_range(self, known: Passages) -> None:
        assert known.turns_in(3, 36, 49) == {3}
        assert known.turns_in(3, 49, 51) == {3, 4}
        # The way to the stub leaves the other one where the stub begins.
        assert known.turns_in(4, 0, 40) == {1, 2}

    def test_there_and_back(self, known: Passages) -> None:
        for turn in (1, 2, 3, 4):
            for place in known.places(turn):
                assert place.node is not None
                assert known.turns_in(place.node, place.start, place.end) == {turn}

    def test_the_last_one(self, known: Passages) -> None:
        assert [known.last_turn(at) for at in (1, 2, 3, 4, 5)] == [2, 4, 4, 2, None]

    def test_whose_a_node_is(self) -> None:
        assert owner_in(5, cache()) == NodeOwner(9, 9, 13)
        assert owner_in(1, cache()) == NodeOwner(7, 22, 12)
        assert owner_in(99, cache()) is None


class TestWhoRanIt:
    def test_the_requests(self, known: Passages) -> None:
        turns = talk().turns
        assert known.ran(1, turns) == (11,)
        assert known.ran(2, turns) == (11,)
        assert known.ran(3, turns) == (12,)
        assert known.ran(99, turns) == ()
