"""The tiers below the device: what is demoted comes back intact, and faults lose nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.cache.tiers.intake import Intake
from engine.config import POLICY_NAMES
from engine.verdict import Verdict
from tests.engine.cache.tiers.three_tiers import ThreeTiers


def chat(seed: int, length: int) -> list[int]:
    made: list[int] = np.random.default_rng(seed).integers(1, 50_000, length).tolist()
    return made


class TestHost:
    def test_what_the_device_evicts_comes_back_from_host(self) -> None:
        world = ThreeTiers(device=(300, 3), host=(2000, 40), files=None)
        first = chat(1, 200)
        world.run(first)
        for seed in range(2, 6):
            world.run(chat(seed, 200))
        assert world.cache.reader.probe(first).resume == 0
        assert world.run([*first, 7, 8, 9]) == (200, "host")
        world.verify()

    def test_a_full_length_hit_from_host_needs_the_hidden_row_and_runs_nothing(self) -> None:
        world = ThreeTiers(device=(300, 3), host=(2000, 40), files=None)
        first = chat(1, 200)
        world.run(first)
        for seed in range(2, 6):
            world.run(chat(seed, 200))
        assert world.run(first) == (200, "host")
        world.verify()

    def test_once_promoted_it_is_on_the_device(self) -> None:
        world = ThreeTiers(device=(300, 3), host=(2000, 40), files=None)
        first = chat(1, 200)
        for seed in range(1, 6):
            world.run(chat(seed, 200))
        world.run(first)
        assert world.run(first) == (200, "device")

    def test_a_deeper_device_checkpoint_wins(self) -> None:
        world = ThreeTiers(device=(600, 20), host=(2000, 40), files=None)
        first = chat(1, 200)
        world.run(first)
        assert world.run([*first, 1, 2]) == (200, "device")
        assert world.tiers.moved.total() == 0

    def test_the_host_copy_is_complete_without_the_device(self) -> None:
        """The host never holds KV without a restorable state, nor a state without its KV."""
        world = ThreeTiers(device=(300, 3), host=(2000, 40), files=None)
        for seed in range(1, 6):
            world.run(chat(seed, 200), decode=chat(seed + 50, 10))
        assert world.host is not None
        for node in world.host.reader.nodes()[1:]:
            leaf = not any(other.parent == node.id for other in world.host.reader.nodes())
            assert node.checkpoint is not None or not leaf
        world.verify()

    def test_a_full_host_evicts_its_oldest_not_the_newest(self) -> None:
        world = ThreeTiers(device=(220, 2), host=(450, 6), files=None)
        for seed in range(1, 9):
            world.run(chat(seed, 200))
        assert world.run([*chat(7, 200), 5]) == (200, "host")
        assert world.tiers.probe(chat(1, 200)).resume == 0
        world.verify()

    def test_a_replaced_state_is_copied_to_the_host_too(self) -> None:
        """Not only what is evicted with its KV: the device keeps the KV and the host the state."""
        world = ThreeTiers(device=(2000, 3), host=(2000, 40), files=None)
        for seed in range(1, 4):
            world.run(chat(seed, 200))
        assert world.cache.reader.evicted["state pressure"] > 0
        assert world.cache.reader.evicted.get("kv pressure", 0) == 0
        for seed in range(1, 4):
            found = world.run([*chat(seed, 200), 9])
            assert found is not None
            assert found[0] == 200
        world.verify()

    def test_a_quarantined_checkpoint_is_not_copied_to_the_host(self) -> None:
        world = ThreeTiers(device=(300, 3), host=(2000, 40), files=None)
        world.run(chat(1, 40), interval=0, anchors=())
        world.run(chat(1, 60))
        for node in world.cache.reader.checkpoints():
            held = world.cache.reader.holding(node).checkpoint
            assert held is not None
            held.state = replace(held.state, verdict=Verdict("quarantined", 1.0, 1.0, 0.0))
        world.cache.evict_state(3)
        assert world.host is not None
        assert world.host.reader.checkpoints() == ()
        world.verify()

    def test_compression_is_remembered_on_the_way_back(self) -> None:
        world = ThreeTiers(device=(300, 3), host=(2000, 40), files=None)
        world.tiers._host_format = "int8"
        world.mover.error = 0.01
        first = chat(1, 200)
        for seed in range(1, 6):
            world.run(chat(seed, 200))
        world.tiers.promote([*first, 1])
        held = world.cache.match([*first, 1]).checkpoint
        assert held is not None
        assert (held.state.tier, held.state.stored, held.state.error) == ("host", "int8", 0.01)

    def test_a_probe_changes_no_tier(self) -> None:
        world = ThreeTiers(device=(300, 3), host=(2000, 40))
        for seed in range(1, 6):
            world.run(chat(seed, 200))
        assert world.host is not None
        before = (
            world.cache.reader.nodes(),
            world.host.reader.nodes(),
            world.cache.version,
            world.host.version,
        )
        assert world.tiers.probe([*chat(1, 200), 5]).resume == 200
        after = (
            world.cache.reader.nodes(),
            world.host.reader.nodes(),
            world.cache.version,
            world.host.version,
        )
        assert after == before


class TestDisk:
    def test_a_new_process_finds_what_was_saved(self) -> None:
        world = ThreeTiers()
        first = chat(1, 200)
        world.run(first, decode=chat(9, 20))
        assert world.tiers.save() > 0
        assert world.tiers.save() == 0, "nothing is saved twice"
        again = ThreeTiers()
        assert world.disk is not None
        assert again.disk is not None
        again.disk.files = world.disk.files
        assert again.run([*first, *chat(9, 20), 4]) == (220, "disk")
        again.verify()

    def test_a_damaged_file_is_reported_and_the_next_best_is_taken(self) -> None:
        world = ThreeTiers(host=None)
        first = chat(1, 200)
        world.run(first)
        world.tiers.save()
        world.cache.drop_all()
        assert world.disk is not None
        world.disk.files[tuple(first)].damaged = True
        assert world.run([*first, 3]) == (192, "disk")
        assert len(world.disk.named) == 1
        world.verify()

    def test_without_a_host_the_device_evicts_to_disk(self) -> None:
        world = ThreeTiers(device=(300, 3), host=None, files=100)
        for seed in range(1, 6):
            world.run(chat(seed, 200))
        assert world.run([*chat(1, 200), 3]) == (200, "disk")
        world.verify()

    def test_clearing_clears_every_tier(self) -> None:
        world = ThreeTiers(device=(300, 3))
        for seed in range(1, 6):
            world.run(chat(seed, 200))
        world.tiers.save()
        world.tiers.clear()
        assert world.tiers.probe(chat(1, 200)).resume == 0


class TestExact:
    @pytest.mark.parametrize("files", [None, 100], ids=["host", "disk"])
    def test_only_prefill_states_at_the_same_cuts_come_back(self, files: int | None) -> None:
        host = None if files else (2000, 40)
        world = ThreeTiers(device=(300, 3), host=host, files=files, exact=True)
        first = chat(1, 200)
        world.run(first, decode=chat(9, 30))
        for seed in range(2, 6):
            world.run(chat(seed, 200))
        longer = [*first, *chat(9, 30), 1, 2, 3]
        found = world.run(longer)
        assert found is not None
        resume, tier = found
        assert (resume, tier) == (192, "disk" if files else "host")
        world.verify()

    def test_the_hosts_kv_replaces_kv_of_other_cuts_on_the_device(self) -> None:
        world = ThreeTiers(device=(420, 4), host=(2000, 40), files=None, exact=True)
        first = chat(1, 200)
        world.run(first)
        for seed in range(2, 8):
            world.run(chat(seed, 200))
        # The same tokens, but most of them decoded: KV that no prefill would have written.
        world.run(first[:40], decode=first[40:190])
        assert world.cache.reader.probe(first).matched >= 100
        assert world.run([*first, 4]) == (192, "host")
        world.verify()

    def test_a_compressed_copy_is_never_exact(self) -> None:
        world = ThreeTiers(device=(300, 3), host=(2000, 40), files=None, exact=True)
        world.tiers._host_format = "int8"
        for seed in range(1, 6):
            world.run(chat(seed, 200))
        assert world.run([*chat(1, 200), 3]) == (0, "device")
        world.verify()


@pytest.mark.slow
@pytest.mark.parametrize("exact", [False, True], ids=["fast", "exact"])
@pytest.mark.parametrize("seed", range(6))
def test_random_requests_on_three_tiers_with_faults(seed: int, exact: bool) -> None:
    """Chats, edits, branches, cancels, damage and failing copies; every content is checked."""
    print(f"seed {seed}")
    rng = np.random.default_rng(seed)
    shaky = bool(seed % 2)
    world = ThreeTiers(
        device=(int(rng.integers(120, 400)), int(rng.integers(0, 8))),
        host=None if seed == 4 else (int(rng.integers(100, 900)), int(rng.integers(1, 14))),
        files=None if seed == 5 else 25,
        policy=POLICY_NAMES[seed % len(POLICY_NAMES)],
        exact=exact,
        fails=lambda: shaky and rng.random() < 0.1,
    )
    system = chat(1000 + seed, 40)
    chats = [[*system, *chat(seed * 100 + i, 20)] for i in range(5)]
    hits = {"device": 0, "host": 0, "disk": 0}
    for step in range(250):
        at = int(rng.integers(len(chats)))
        if rng.random() < 0.15:
            chats[at] = chats[at][: int(rng.integers(10, len(chats[at])))]
        if len(chats[at]) > 150:
            chats[at] = [*system, *chat(seed * 100_000 + step, 15)]
        chats[at] = [*chats[at], *chat(step, int(rng.integers(1, 30)))]
        anchors = sorted({40, len(chats[at]) - int(rng.integers(1, 10))})
        decode = chat(step + 7, int(rng.integers(0, 12)))
        stop = int(rng.integers(0, 100)) if rng.random() < 0.1 else None
        found = world.run(chats[at], anchors=anchors, decode=decode, stop_after=stop)
        if found is not None and found[0]:
            hits[found[1]] += 1
        if rng.random() < 0.6:
            chats[at] = [*chats[at], *decode]
        if rng.random() < 0.3:
            world.tiers.save(2)
        if world.disk is not None and world.disk.files and rng.random() < 0.1:
            files = list(world.disk.files.values())
            files[int(rng.integers(len(files)))].damaged = True
        if rng.random() < 0.01:
            world.cache.drop_all()
        world.verify()
    assert hits["device"] > 0 or world.cache.reader.state_pool().total == 0
    if shaky and world.tiers.moved:
        assert any(outcome is Intake.FAILED for *_, outcome in world.tiers.moved)


def test_what_does_not_fit_the_host_goes_to_disk() -> None:
    world = ThreeTiers(device=(300, 3), host=(40, 4), files=40)
    first = chat(1, 200)
    world.run(first)
    for seed in range(2, 6):
        world.run(chat(seed, 200))
    assert world.tiers.moved["device", "host", Intake.NO_ROOM] > 0
    assert world.run([*first, 7]) == (200, "disk")
    world.verify()
