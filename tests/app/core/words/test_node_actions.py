"""What the buttons of a node say, cost and refuse."""

from __future__ import annotations

from msgspec.structs import replace

from app.core.words.node_actions import (
    EARLIER,
    Offer,
    checkpoint_bounds,
    checkpoint_cost,
    offers,
)
from engine.snapshot import CacheSnapshot, HostView, NodeView
from tests.app.samples import node, snapshot

TOP = node(1, 0, 0, 100, "prefill")
BARE = node(2, 1, 100, 160)
LEAF = node(3, 2, 160, 200, "decode")
TREE = snapshot(TOP, BARE, LEAF)


def of(one: NodeView, among: CacheSnapshot = TREE, barred: str = "") -> dict[str, Offer]:
    nodes = tuple(one if other.id == one.id else other for other in among.nodes)
    return {made.action: made for made in offers(one, replace(among, nodes=nodes), barred)}


def test_a_leaf_with_a_state() -> None:
    made = of(LEAF)
    assert not made["pin"].refusal
    assert "200 tokens" in made["pin"].tooltip
    assert not made["checkpoint"].refusal
    assert "runs 100 tokens again" in made["drop state"].tooltip
    assert "its KV goes, too" in made["drop state"].tooltip
    assert "no host memory tier" in made["move to host"].refusal
    assert made["warm"].refusal
    assert "1 node," in made["evict"].tooltip


def test_a_tombstone_can_get_a_state_and_nothing_that_needs_one() -> None:
    made = of(BARE)
    assert not made["checkpoint"].refusal
    assert "Runs 60 tokens from the state at 100" in made["checkpoint"].tooltip
    assert "make a checkpoint first" in made["pin"].refusal
    assert made["drop state"].refusal
    assert "2 nodes" in made["evict"].tooltip


def test_what_is_pinned_is_unpinned_first() -> None:
    made = of(replace(LEAF, pinned=True))
    assert next(iter(made)) == "unpin"
    assert "pinned" in made["drop state"].refusal
    assert "pinned" in made["evict"].refusal
    pinned_below = snapshot(TOP, BARE, replace(LEAF, pinned=True))
    assert "below it is pinned" in of(TOP, pinned_below)["evict"].refusal


def test_what_an_answer_reads_stays() -> None:
    read = replace(LEAF, kv_lock=1, state_lock=1)
    assert "running answer" in of(read)["drop state"].refusal
    assert "running answer" in of(TOP, snapshot(TOP, BARE, read))["evict"].refusal


def test_a_state_below_is_warmed_and_one_above_is_moved() -> None:
    host = replace(TREE, host=HostView(TREE.kv, TREE.state))
    assert not of(LEAF, host)["move to host"].refusal
    point = LEAF.checkpoint
    assert point is not None
    below = replace(LEAF, checkpoint=replace(point, state=point.state.on("host")))
    made = of(below, host)
    assert not made["warm"].refusal
    assert made["move to host"].refusal
    short = replace(below, start=LEAF.end - 1)
    assert "warm it instead" in of(short, host)["checkpoint"].refusal


def test_nothing_can_be_done_at_an_earlier_moment() -> None:
    made = of(LEAF, barred=EARLIER)
    assert {one.refusal for one in made.values()} == {EARLIER}
    assert all(one.hint.endswith(EARLIER) and one.tooltip in one.hint for one in made.values())


def test_a_state_can_be_stored_after_any_token_of_a_node_that_has_none() -> None:
    assert checkpoint_bounds(BARE) == (101, 160)
    assert checkpoint_bounds(LEAF) == (161, 199)
    assert checkpoint_cost(LEAF, TREE, 170).startswith("Runs 70 tokens from the state at 100 ")
    assert checkpoint_cost(TOP, TREE, 3).startswith("Runs 3 tokens from the start ")


def test_a_node_of_one_token_with_a_state_has_no_room_for_another() -> None:
    one = node(3, 2, 160, 161, "decode")
    assert "already" in of(one)["checkpoint"].refusal
