"""The tree of a conversation's messages."""

from __future__ import annotations

from app.core.session.records import MessageTree, Turn


def ids(turns: list[Turn]) -> list[int]:
    return [turn.id for turn in turns]


def grown() -> MessageTree:
    """1 to 4 in a row; 5 and 6 beside 3 and 4, and 7 beside the first."""
    parents = {1: None, 2: 1, 3: 2, 4: 3, 5: 2, 6: 5, 7: None}
    return MessageTree.of(Turn(one, "user", parent=parent) for one, parent in parents.items())


class TestPath:
    def test_it_leads_from_the_first_turn_to_the_leaf(self) -> None:
        assert ids(grown().path(6)) == [1, 2, 5, 6]
        assert ids(grown().path(None)) == ids(grown().path(99)) == []

    def test_damage_ends_it(self) -> None:
        tree = MessageTree.of([Turn(1, "user", parent=2), Turn(2, "user", parent=1)])
        assert ids(tree.path(2)) == [1, 2]
        assert tree.leaf_below(1) in (1, 2)
        assert ids(MessageTree.of([Turn(3, "user", parent=9)]).path(3)) == [3]


class TestBranches:
    def test_siblings_have_the_same_parent(self) -> None:
        tree = grown()
        assert ids(tree.siblings(5)) == [3, 5]
        assert ids(tree.siblings(7)) == [1, 7]
        assert tree.siblings(99) == []

    def test_below_a_turn_the_newest_branch_is_taken_until_one_was_shown(self) -> None:
        tree = grown()
        assert tree.leaf_below(1) == 6
        tree.show(4)
        assert tree.leaf_below(1) == 4
        tree.path(6)
        assert tree.leaf_below(1) == 4

    def test_leaves_are_the_ends_of_all_branches(self) -> None:
        assert grown().leaves() == [4, 6, 7]

    def test_what_is_removed_is_no_branch_any_more(self) -> None:
        tree = grown()
        tree.show(6)
        tree.remove([6, 5])
        assert ids(tree.siblings(3)) == [3]
        assert tree.leaf_below(1) == 4
        assert tree.leaves() == [4, 7]
