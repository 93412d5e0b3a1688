"""Links find their place by key, in a tape by its tokens, and else by how the node begins."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.core.words.node_link import follow, link_to, read_link
from engine.prefix_key import PrefixKey
from engine.snapshot import NodeView
from tests.app.samples import node, snapshot

IDS = np.arange(40, dtype=np.int32)
SPANS = {1: IDS[:15], 2: IDS[15:34]}


def keyed(one: NodeView, tokens: int) -> NodeView:
    return replace(one, key=PrefixKey().then(IDS[:tokens]).text)


NODES = (
    keyed(node(1, 0, 0, 15, "prefill", text="you are"), 15),
    keyed(node(2, 1, 15, 34, text="why & how?\nthen"), 34),
    node(3, 1, 15, 33, text="tell me"),
)


def test_the_key_of_a_prefix_does_not_depend_on_how_it_is_cut() -> None:
    whole = PrefixKey().then(IDS)
    for cut in (1, 7, 39):
        assert PrefixKey().then(IDS[:cut]).then(IDS[cut:]).text == whole.text
    assert PrefixKey().then(IDS[:39]).text != whole.text
    assert PrefixKey().then(IDS.astype(np.int64)).text == whole.text


def test_a_link_survives_other_ids() -> None:
    link = link_to(NODES[1])
    assert link.startswith("biplane://cache?start=15&end=34&key=")
    assert read_link(f"  {link}\n") is not None
    other = tuple(replace(one, id=one.id + 50, parent=one.parent or 0) for one in NODES)
    assert follow(link, snapshot(*other)).node == 52


def test_in_a_tape_the_tokens_make_the_key() -> None:
    link = link_to(NODES[1])
    told = snapshot(*(replace(one, key="", text="") for one in NODES))
    assert follow(link, told).node is None
    assert follow(link, told, lambda one: SPANS.get(one.id)).node == 2
    wrong = {**SPANS, 2: IDS[15:34] + 1}
    assert follow(link, told, lambda one: wrong.get(one.id)).node is None


def test_without_any_ids_the_first_words_tell() -> None:
    link = link_to(NODES[1])
    told = snapshot(*(replace(one, key="") for one in NODES))
    found = follow(link, told)
    assert found.node == 2
    assert "begins alike" in found.sentence


def test_what_is_gone_and_what_is_no_link_get_a_sentence() -> None:
    gone = follow(link_to(NODES[1]), snapshot(NODES[0]))
    assert gone.node is None
    assert "not in the cache at this moment" in gone.sentence
    assert follow(link_to(NODES[1]), None).node is None
    for text in (
        "hello",
        "https://cache?start=1&end=2",
        "biplane://cache",
        "biplane://cache?start=9&end=3",
        "biplane://cache?start=x&end=3",
        "biplane://[",
    ):
        assert read_link(text) is None
        assert "not a link" in follow(text, snapshot(*NODES)).sentence


@pytest.mark.parametrize("text", ["", "a" * 500, "#?&=%\n\t", "日本語 🌊"])
def test_whatever_a_node_says_it_can_be_linked(text: str) -> None:
    one = replace(NODES[2], text=text)
    link = read_link(link_to(one))
    assert link is not None
    assert (link.start, link.end) == (15, 33)
