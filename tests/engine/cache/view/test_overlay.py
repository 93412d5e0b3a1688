"""The overlay is one radix tree; nodes and states belong to the nearest tier that has them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache.view.overlay import LayerNode, Overlay, host_layer
from engine.snapshot import CheckpointView, NodeView
from engine.stored_state import StoredState
from tests.engine.cache.tiers.test_tiers import chat
from tests.engine.cache.tiers.three_tiers import ThreeTiers


def overlay_of(world: ThreeTiers) -> tuple[tuple[NodeView, tuple[int, ...]], ...]:
    overlay = Overlay(
        (view, world.cache.reader.tokens_of(view.id)) for view in world.cache.reader.nodes()
    )
    if world.host is not None:
        overlay.add("host", host_layer(world.host.reader))
    return tuple((view, tuple(tokens.tolist())) for view, tokens in overlay.nodes())


def prefixes(nodes: tuple[tuple[NodeView, tuple[int, ...]], ...]) -> dict[int, tuple[int, ...]]:
    whole: dict[int, tuple[int, ...]] = {}
    for view, tokens in nodes:
        whole[view.id] = () if view.parent is None else (*whole[view.parent], *tokens)
    return whole


@pytest.mark.parametrize("seed", range(4))
def test_every_state_of_either_tier_appears_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = ThreeTiers(device=(260, 4), host=(900, 12), files=None)
    base = chat(seed, 60)
    for step in range(30):
        keep = int(rng.integers(1, 60))
        world.run([*base[:keep], *chat(100 + step, int(rng.integers(5, 120)))], anchors=[keep])
    nodes = overlay_of(world)
    whole = prefixes(nodes)
    assert len(whole) == len(nodes), "ids are unique"
    for view, tokens in nodes[1:]:
        assert view.parent is not None
        assert len(tokens) == view.end - view.start
        assert len(whole[view.id]) == view.end
    firsts = [(view.parent, tokens[0]) for view, tokens in nodes[1:]]
    assert len(set(firsts)) == len(firsts), "siblings differ in their first token"
    shown = {whole[view.id]: view.checkpoint.state.tier for view, _ in nodes if view.checkpoint}
    here = {
        tuple(world.cache.reader.holding(n).tokens.tolist())
        for n in world.cache.reader.checkpoints()
    }
    assert world.host is not None
    there = {
        tuple(world.host.reader.holding(n).tokens.tolist()) for n in world.host.reader.checkpoints()
    }
    assert shown == {**dict.fromkeys(there, "host"), **dict.fromkeys(here, "device")}
    on_device = {whole[v.id][:k] for v, _ in nodes if v.tier == "device" for k in range(v.end + 1)}
    for node in world.cache.reader.nodes():
        assert (
            tuple(world.cache.reader.holding(node.id).tokens.tolist()) in on_device
            if node.id
            else True
        )


def test_a_span_that_diverges_inside_a_node_splits_it_without_moving_its_state() -> None:
    point = CheckpointView(StoredState(4), 1, 10, 0.0, 0.0, 0)
    root = NodeView(0, None, 0, 0, 0, 0, 0, 0.0, 0.0, 0, None)
    leaf = NodeView(5, 0, 0, 4, 0, 0, 40, 0.0, 0.0, 0, point)
    overlay = Overlay([(root, np.zeros(0, np.int32)), (leaf, np.array([1, 2, 3, 4], np.int32))])
    below = CheckpointView(StoredState(3, tier="disk"), 1, 10, 0.0, 0.0, 0)
    overlay.add("disk", [LayerNode("a", "", np.array([1, 2, 9], np.int32), 30, below)])
    nodes = {v.end: v for v, _ in overlay.nodes() if v.id}
    assert nodes[2].checkpoint is None
    assert nodes[2].tier == "device"
    assert nodes[4].checkpoint == point
    assert nodes[4].id == 5
    assert nodes[3].checkpoint == below
    assert (nodes[3].tier, nodes[3].kv_bytes) == ("disk", 10)
    assert nodes[2].kv_bytes + nodes[4].kv_bytes == 40


def test_a_span_without_its_parent_is_skipped() -> None:
    root = NodeView(0, None, 0, 0, 0, 0, 0, 0.0, 0.0, 0, None)
    overlay = Overlay([(root, np.zeros(0, np.int32))])
    overlay.add("disk", [LayerNode("b", "gone", np.array([1], np.int32), 1, None)])
    assert len(overlay.nodes()) == 1


def test_the_same_thing_has_the_same_id_in_the_next_snapshot() -> None:
    world = ThreeTiers(device=(300, 3), host=(2000, 40), files=None)
    for seed in range(1, 6):
        world.run(chat(seed, 200))
    assert [v.id for v, _ in overlay_of(world)] == [v.id for v, _ in overlay_of(world)]
