"""What drafts have to do with a node: found in the bundled trace, whose answers were drafted."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise

import numpy as np

from app.debugger.logic.node_drafts import letters, node_drafts, read_places
from app.debugger.traces import demo_trace
from engine.cache.node import Tokens
from engine.drafted import OF_TREE, Draft
from engine.journal.tape import Tape, TapedRequest, read_tape
from engine.snapshot import NodeView


@lru_cache(maxsize=1)
def demo() -> Tape:
    return read_tape(demo_trace())


def path_of(tape: Tape, index: int, node: NodeView) -> Tokens:
    nodes = {one.id: one for one in tape.snapshot(index).nodes}
    tokens, parts = tape.tokens(index), []
    at: NodeView | None = node
    while at is not None and at.parent is not None:
        part = tokens(at)
        assert part is not None
        parts.append(part)
        at = nodes.get(at.parent)
    return np.concatenate(parts[::-1])


def drafted(tape: Tape) -> list[TapedRequest]:
    return [taped for taped in tape.requests if taped.bare.drafts.kept]


def test_a_node_knows_which_of_its_tokens_were_drafted() -> None:
    tape, seen = demo(), 0
    for taped in drafted(tape):
        index = taped.index + 1
        snapshot, marked = tape.snapshot(index), Counter[str]()
        for node in snapshot.nodes:
            found = node_drafts(tape, index, node, snapshot)
            if found.request != taped.number:
                continue
            for one in found.passages:
                assert 0 <= one.start < one.end <= node.end - node.start
                marked[one.source] += one.end - one.start
            for wrong in found.rejected:
                assert node.start <= wrong.position < node.end
                assert wrong.drafted != wrong.instead
        kept = Counter[str]()
        for draft in taped.bare.drafts.drafts:
            # The last sampled token is not in the cache.
            within = min(draft.kept, taped.bare.position - taped.total - draft.at)
            kept[draft.source] += within
        assert marked == +kept
        seen += marked.total()
    assert seen > 20


def test_where_drafts_were_read_is_what_they_said() -> None:
    tape, seen = demo(), 0
    for taped in drafted(tape):
        index = taped.index + 1
        nodes = {node.id: node for node in tape.snapshot(index).nodes}
        of_tree = [one for one in taped.bare.drafts.drafts if one.source in OF_TREE]
        shown = [one for one in of_tree if tape.shown_id(index, one.source, one.node) is not None]
        places = read_places(tape, taped.number, index)
        assert len(places) == len(shown)
        for place, draft in zip(places, shown, strict=True):
            assert place.node is not None
            there = path_of(tape, index, nodes[place.node])[place.start : place.start + draft.kept]
            kept = taped.ran.decoded[draft.at : draft.at + draft.kept]
            assert there.tolist() == kept[: len(there)].tolist()
            seen += len(there)
    assert seen > 20


def test_a_node_knows_who_read_it() -> None:
    tape = demo()
    taped = drafted(tape)[-1]
    index = taped.index + 1
    snapshot = tape.snapshot(index)
    read = {
        node.id: node_drafts(tape, index, node, snapshot)
        for node in snapshot.nodes
        if taped.number in node_drafts(tape, index, node, snapshot).readers
    }
    of_tree: list[Draft] = [one for one in taped.bare.drafts.drafts if one.source in OF_TREE]
    assert read
    assert sum(one.read for one in read.values()) >= sum(one.size for one in of_tree)
    assert all(0 <= one.kept <= one.read for one in read.values())


def test_letters_of_a_shown_part_of_a_text() -> None:
    tape = demo()
    tokens = tape.requests[0].ran.prompt.astype(np.int32)
    whole = tape.text(tokens.tolist())
    at = letters(tape, tokens, whole)
    assert at is not None
    assert [whole[a:b] for a, b in pairwise(at)] == [
        tape.text([token]) for token in tokens.tolist()
    ]
    part = letters(tape, tokens, whole[5:40])
    assert part == [min(max(one - 5, 0), 35) for one in at]
    assert letters(tape, tokens, "no part of it") is None
