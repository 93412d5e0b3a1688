"""Search over a snapshot: text, token ids, positions, hashes; what cannot be read is explained."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from numpy.typing import NDArray

from app.cache.logic.search import Misread, Query, hash_words, parse, search
from engine.snapshot import NodeView
from tests.app.cache.talk import TALK
from tests.app.samples import node, random_tree, snapshot
from tests.present import present

# Token ids are the characters' codes; node 1 says "the sky is b", node 2 goes on with "lue today".
TEXT = {1: "the sky is b", 2: "lue today"}
NODES = (node(1, 0, 0, 12, "prefill", text="the"), node(2, 1, 12, 21, text="lue"))


def tokens_of(one: NodeView) -> NDArray[np.integer] | None:
    return np.array([ord(c) for c in TEXT[one.id]]) if one.id in TEXT else None


def text_of(tokens: NDArray[np.integer]) -> str:
    return "".join(chr(token) for token in tokens.tolist())


def hits(written: str, *nodes: NodeView, known: bool = True) -> list[int]:
    query = parse(written)
    assert isinstance(query, Query)
    given = snapshot(*(nodes or NODES))
    tokens = tokens_of if known else lambda _: None
    return [hit for hit in search(query, given, tokens, text_of) if hit is not None]


class TestParse:
    def test_what_a_line_asks_for(self) -> None:
        assert parse("  The Sky ") == Query("text", "the sky")
        assert parse("#1,234") == Query("token", number=1234)
        assert parse("@12 288") == Query("position", number=12288)
        assert parse("hash: 0x1F3C") == Query("hash", "1f3c")
        assert parse("4096") == Query("text", "4096")
        assert parse("#") == Query("text", "#")
        assert parse("   ") is None

    @pytest.mark.parametrize("line", ["#abc", "@-1", "hash:xyz", "hash:", "#9999999999999999999"])
    def test_what_cannot_be_read_is_explained(self, line: str) -> None:
        found = parse(line)
        assert isinstance(found, Misread)
        assert found.sentence.endswith(".")
        assert line[0] in found.sentence


class TestHits:
    def test_text_in_the_whole_node(self) -> None:
        assert hits("SKY") == [1]
        assert hits("today") == [2]
        assert hits("nowhere") == []

    def test_text_that_goes_on_from_the_node_above_is_a_hit_below_alone(self) -> None:
        assert hits("is blue") == [2]

    def test_text_without_tokens_is_what_the_snapshot_has(self) -> None:
        assert hits("lue", known=False) == [2]
        assert hits("today", known=False) == []

    def test_who_speaks_is_searched_too(self) -> None:
        assert hits("at night", *TALK, known=False) == [3]

    def test_a_token(self) -> None:
        assert hits(f"#{ord('k')}") == [1]
        assert hits(f"#{ord('t')}") == [1, 2]
        assert hits("#7") == []
        assert hits(f"#{ord('k')}", known=False) == []

    def test_a_position_is_in_a_node_or_a_checkpoint_stands_there(self) -> None:
        assert hits("@0") == [1]
        assert hits("@12") == [1, 2]
        assert hits("@20") == [2]
        assert hits("@21") == []

    def test_a_hash_by_its_first_digits(self) -> None:
        state = present(NODES[0].checkpoint)
        cut = -5
        known = structs.replace(state, state=replace(state.state, cut_hash=cut))
        marked = (structs.replace(NODES[0], checkpoint=known), NODES[1])
        digits = hash_words(cut)
        assert len(digits) == 16
        assert hits(f"hash:{digits[:6]}", *marked) == hits(f"hash:{digits}", *marked) == [1]
        assert hits("hash:0", *marked) == []

    def test_hits_are_in_the_order_of_positions(self) -> None:
        nodes = random_tree(300)
        start = {one.id: one.start for one in nodes}
        found = hits("some words", *nodes, known=False)
        assert len(found) == 300
        assert [start[hit] for hit in found] == sorted(start.values())

    def test_it_can_be_stopped_between_two_nodes(self) -> None:
        asked: list[int] = []

        def noted(one: NodeView) -> NDArray[np.integer] | None:
            asked.append(one.id)
            return None

        steps = search(Query("token", number=1), snapshot(*random_tree(50)), noted, text_of)
        for _ in range(5):
            next(steps)
        assert len(asked) <= 5
