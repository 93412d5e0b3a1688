"""A state that an audit found wrong: no tier keeps what may derive from it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache.eviction.cause import Cause
from engine.cache.kv_pool import SUSPECT
from engine.verdict import Verdict
from tests.engine.cache.conftest import parts_of
from tests.engine.cache.tiers.three_tiers import Prefix, ThreeTiers
from tests.mostly_slow import mostly_slow

WRONG, RIGHT = Verdict("quarantined", 1.0, 1.0, 0.0), Verdict("verified", 0.0, 0.0, 0.0)


def chat(seed: int, length: int) -> list[int]:
    made: list[int] = np.random.default_rng(seed).integers(1, 50_000, length).tolist()
    return made


CHAT = chat(1, 200)


def node_at(world: ThreeTiers, prefix: list[int]) -> int:
    for node in world.cache.reader.checkpoints():
        if world.cache.reader.holding(node).tokens.tolist() == prefix:
            return node
    raise AssertionError("the device has no such checkpoint")


def lose(world: ThreeTiers, prefix: list[int]) -> None:
    """Evict one checkpoint from the device, as pressure does, and keep its KV."""
    node = parts_of(world.cache).tree.node(node_at(world, prefix))
    parts_of(world.cache).evictor.drop_checkpoint(node, Cause.STATE_PRESSURE)


def below(world: ThreeTiers) -> set[Prefix]:
    """The prefixes of all checkpoints on host and disk."""
    found = set() if world.disk is None else set(world.disk.files)
    if world.host is not None:
        for node in world.host.reader.checkpoints():
            found.add(tuple(world.host.reader.holding(node).tokens.tolist()))
    return found


def push_down(world: ThreeTiers) -> None:
    """Copy everything on the device to the lower tiers."""
    world.tiers.save()
    for node in world.cache.reader.checkpoints():
        if world.host is not None:
            world.tiers._to_host(world.cache.reader.holding(node))


@pytest.mark.parametrize(
    ("host", "files"),
    [((2000, 60), None), (None, 60), ((2000, 60), 60)],
    ids=["host", "disk", "both"],
)
class TestWhatPassesTheWrongPosition:
    def world(self, host: tuple[int, int] | None, files: int | None) -> ThreeTiers:
        return ThreeTiers(device=(3000, 60), host=host, files=files)

    def test_is_removed_on_every_tier(
        self, host: tuple[int, int] | None, files: int | None
    ) -> None:
        world = self.world(host, files)
        forked = [*CHAT[:150], *chat(3, 60)]
        world.run(CHAT, anchors=(100,))
        world.run([*CHAT, *chat(2, 40)])
        world.run(forked)
        push_down(world)
        assert any(len(prefix) > 150 for prefix in below(world))
        # The device's copies of what derives from it are gone; only the lower tiers have them.
        world.tiers.stamp(node_at(world, CHAT[:100]), WRONG)
        assert all(prefix[:100] != tuple(CHAT[:100]) for prefix in below(world))
        assert world.tiers.probe([*CHAT, 5]).resume < 100
        assert world.tiers.probe([*forked, 5]).resume < 100
        world.verify()

    def test_is_removed_where_a_tier_has_no_checkpoint_exactly_there(
        self, host: tuple[int, int] | None, files: int | None
    ) -> None:
        """A deeper one whose KV spans the position, with no checkpoint exactly there."""
        world = self.world(host, files)
        world.run(CHAT, interval=1024)
        push_down(world)
        world.cache.drop_all()
        world.run(CHAT[:120], interval=1024)
        before = below(world)
        world.tiers.stamp(node_at(world, CHAT[:120]), WRONG)
        assert tuple(CHAT) in before
        assert tuple(CHAT) not in below(world)
        world.verify()

    def test_leaves_what_diverges_before_it(
        self, host: tuple[int, int] | None, files: int | None
    ) -> None:
        world = self.world(host, files)
        other = [*CHAT[:90], *chat(4, 50)]
        world.run(CHAT, anchors=(80, 150))
        world.run(other)
        push_down(world)
        world.tiers.stamp(node_at(world, CHAT[:80]), RIGHT)
        push_down(world)
        world.tiers.stamp(node_at(world, CHAT[:150]), WRONG)
        assert tuple(other) in below(world)
        assert tuple(CHAT[:80]) in below(world)
        world.verify()

    def test_removes_possible_ancestors_that_cannot_be_audited(
        self, host: tuple[int, int] | None, files: int | None
    ) -> None:
        """Only a lower tier still has the previous checkpoint; it was evicted from the device."""
        world = self.world(host, files)
        world.run(CHAT, anchors=(90, 150), interval=1024)
        push_down(world)
        lose(world, CHAT[:90])
        world.tiers.stamp(node_at(world, CHAT), WRONG)
        assert tuple(CHAT[:90]) in below(world), "the one at 150 in between can be audited"
        lose(world, CHAT[:150])
        world.tiers.stamp(node_at(world, CHAT), WRONG)
        assert tuple(CHAT[:90]) not in below(world)
        world.verify()


def test_kv_since_the_previous_checkpoint_is_rewritten() -> None:
    """Including that of a node that was split off: the same run wrote it."""
    world = ThreeTiers(device=(3000, 60), host=None, files=None)
    world.run(CHAT, anchors=(60,), interval=1024)
    world.run([*CHAT[:120], *chat(2, 30)], interval=1024)
    world.cache.evict_session(node_at(world, [*CHAT[:120], *chat(2, 30)]))
    node = node_at(world, CHAT)
    world.tiers.stamp(node, WRONG)
    match = world.cache.reader.probe([*CHAT, 5])
    tags = parts_of(world.cache).kv.tags_of(match.extents)
    assert (tags[60:] == SUSPECT).all()
    assert not (tags[:60] == SUSPECT).any()
    assert (match.kv_valid, match.resume) == (60, 60)
    world.run([*CHAT, 5])
    assert world.cache.reader.probe([*CHAT, 5]).kv_valid == 201
    world.verify()


@pytest.mark.parametrize("seed", mostly_slow(range(6), 2))
def test_random_quarantines_under_tiny_budgets(seed: int) -> None:
    """After a quarantine no tier keeps anything whose path passes through the position."""
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    world = ThreeTiers(
        device=(int(rng.integers(150, 400)), int(rng.integers(2, 8))),
        host=None if seed == 4 else (int(rng.integers(150, 900)), int(rng.integers(2, 14))),
        files=None if seed == 5 else int(rng.integers(1, 20)),
        exact=bool(seed % 2),
    )
    system = chat(900 + seed, 40)
    chats = [[*system, *chat(seed * 100 + i, 20)] for i in range(4)]
    found = 0
    for step in range(150):
        at = int(rng.integers(4))
        chats[at] = [*(chats[at] if len(chats[at]) < 140 else system), *chat(step, 9)]
        world.run(chats[at], anchors=(40, len(chats[at]) - 3), decode=chat(step + 7, 5))
        if rng.random() < 0.4:
            world.tiers.save(2)
        nodes = world.cache.reader.checkpoints()
        if rng.random() < 0.2 and nodes:
            node = nodes[int(rng.integers(len(nodes)))]
            wrong = tuple(world.cache.reader.holding(node).tokens.tolist())
            world.tiers.stamp(node, WRONG)
            found += 1
            assert not [p for p in below(world) if p[: len(wrong)] == wrong]
            assert world.tiers.probe([*wrong, *chat(step, 5)]).resume < len(wrong)
            world.tiers.save()
            assert not [p for p in below(world) if p[: len(wrong)] == wrong]
        world.verify()
    assert found > 10
