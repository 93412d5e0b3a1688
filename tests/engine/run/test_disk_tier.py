"""The disk tier of a running engine: what a restart finds equals a cold run."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from engine import Engine, EngineConfig, Sampling, events
from engine.commands import PLAIN, Submit, WatchJournal
from engine.config import StateFormat
from engine.journal.feed import JournalFed
from engine.journal.tape import Tape
from engine.loop import RunLoop
from engine.planes import StatePlane
from engine.run.core import Core
from engine.snapshot import DiskView
from engine.storage.host_planes import pack_state
from tests.engine.run.conftest import CACHE_BYTES, Opener, ids, write_out
from tests.engine.run.test_journal_feed import follow
from tests.present import present

CHAT = ids(1, 500)
LONGER = (*CHAT, *ids(2, 30))
Restart = Callable[..., Engine]


@pytest.fixture
def restart(open_engine: Opener, tmp_path: Path) -> Restart:
    """Opens an engine on the same folder of files; close the previous one first."""

    def open_one(**settings: object) -> Engine:
        kept = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "interval": 128}
        return open_engine(**{**kept, **settings})

    return open_one


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.safetensors"))


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_a_restart_continues_the_chat(restart: Restart, mode: str) -> None:
    engine = restart(mode=mode)
    engine.logits(CHAT)
    engine.close()
    engine = restart(mode=mode)
    again = engine.logits(LONGER)
    cold = engine.logits(LONGER, reuse=False)
    assert again.reused >= 256
    if mode == "exact":
        assert torch.equal(again.logits, cold.logits)
    else:
        assert again.reused == 500
        assert torch.allclose(again.logits, cold.logits, atol=1e-4)


@pytest.mark.parametrize("mode", ["fast", "exact"])
def test_a_regenerate_after_a_restart_runs_nothing(restart: Restart, mode: str) -> None:
    engine = restart(mode=mode)
    first = engine.logits(CHAT).logits
    engine.close()
    again = restart(mode=mode).logits(CHAT)
    assert (again.reused, again.replayed, again.computed) == (500, 0, 0)
    assert torch.equal(again.logits, first)


def test_files_are_written_while_the_engine_is_idle(restart: Restart, tmp_path: Path) -> None:
    engine = restart()
    engine.logits(CHAT)
    # A query to the run loop is answered after its idle work.
    for _ in range(20):
        engine.snapshot()
        if files(tmp_path):
            break
        engine.on_core(write_out)
    assert files(tmp_path)


def test_the_last_snapshot_shows_every_file_without_another_command(
    tiny_folder: Path, tmp_path: Path
) -> None:
    settings: dict[str, Any] = {"cache_dir": tmp_path, "disk_bytes": 64 << 20, "interval": 128}
    loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1, **settings))
    loop.start()
    loop.post(WatchJournal(on=True))
    loop.post(Submit(1, CHAT, Sampling.greedy(4)))
    disk: DiskView | None = None
    tape: Tape | None = None
    ends = time.monotonic() + 30
    while disk is None or not disk.files or disk.pending:
        assert time.monotonic() < ends, disk
        if came := [event for event in loop.drain() if isinstance(event, JournalFed)]:
            tape = follow(came, tape)
            disk = tape.snapshot(len(tape)).disk
        time.sleep(0.005)
    checkpoints = loop.call(lambda core: len(core.cache.reader.checkpoints())).result()
    assert disk.files == len(files(tmp_path)) == checkpoints > 2
    assert disk.used_bytes == sum(path.stat().st_size for path in files(tmp_path))
    assert loop.close(60)


def test_answers_are_found_again_too(restart: Restart) -> None:
    engine = restart()
    last = list(engine.generate(CHAT, Sampling(temperature=0, max_tokens=40, ignore_end=True)))[-1]
    assert isinstance(last, events.RequestFinished)
    engine.close()
    engine = restart()
    prompt = (*CHAT, *last.token_ids, *ids(3, 20))
    again = engine.logits(prompt)
    assert again.reused == 500 + len(last.token_ids) - 1
    assert torch.allclose(again.logits, engine.logits(prompt, reuse=False).logits, atol=1e-4)


def test_a_restore_that_starts_inside_a_segment(restart: Restart) -> None:
    """Part of a segment's KV is already on the device; the rest goes to its own positions."""
    engine = restart()
    engine.logits(CHAT)
    engine.close()
    engine = restart()
    engine.logits((*CHAT[:200], *ids(9, 50)))
    again, cold = engine.logits(LONGER), engine.logits(LONGER, reuse=False)
    assert again.reused == 500
    assert torch.allclose(again.logits, cold.logits, atol=1e-4)


def test_a_wrong_state_on_disk_is_noticed(
    restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checks above can fail: a state of another prefix changes the logits."""
    from engine.storage import disk_tier

    def wrong(states: StatePlane, slot: int, form: StateFormat) -> tuple[dict[str, Tensor], float]:
        packed, error = pack_state(states, slot, form)
        packed["delta"].add_(0.1)
        return packed, error

    monkeypatch.setattr(disk_tier, "pack_state", wrong)
    engine = restart()
    engine.logits(CHAT)
    engine.close()
    engine = restart()
    again, cold = engine.logits(LONGER), engine.logits(LONGER, reuse=False)
    assert again.reused == 500
    assert not torch.allclose(again.logits, cold.logits, atol=1e-2)


@pytest.mark.parametrize("what", ["cut", "flipped", "gone", "foreign"])
def test_a_damaged_file_is_named_and_costs_only_its_own_tokens(
    restart: Restart, tmp_path: Path, what: str
) -> None:
    engine = restart()
    engine.logits(CHAT)
    engine.close()
    victim = max(files(tmp_path), key=lambda path: path.stat().st_size)
    if what == "foreign":
        (victim.parent / "notes.txt").write_text("what is this?")
    elif what == "gone":
        victim.unlink()
    else:
        raw = bytearray(victim.read_bytes())
        if what == "cut":
            del raw[-100:]
        else:
            raw[len(raw) // 4 :: len(raw) // 20] = bytes(
                byte ^ 4 for byte in raw[len(raw) // 4 :: len(raw) // 20]
            )
        victim.write_bytes(raw)
    engine = restart()
    again, cold = engine.logits(LONGER), engine.logits(LONGER, reuse=False)
    assert torch.allclose(again.logits, cold.logits, atol=1e-4)
    if what == "foreign":
        assert again.reused == 500
        assert (victim.parent / "notes.txt").read_text() == "what is this?"
    disk = engine.snapshot().disk
    assert disk is not None
    assert disk.damaged == (0 if what == "gone" else 1)
    engine.check_invariants()


def test_another_model_or_dtype_finds_nothing(restart: Restart) -> None:
    engine = restart()
    engine.logits(CHAT)
    engine.close()
    assert restart(dtype="bfloat16").logits(LONGER).reused == 0


def test_the_budget_holds(restart: Restart, tmp_path: Path) -> None:
    engine = restart(disk_bytes=1 << 20)
    for n in range(12):
        engine.logits(ids(n, 300))
    engine.close()
    assert 0 < sum(path.stat().st_size for path in files(tmp_path)) <= 1 << 20
    engine = restart(disk_bytes=1 << 20)
    assert engine.logits((*ids(11, 300), 5)).reused == 300
    assert engine.logits((*ids(0, 300), 5)).reused == 0


@pytest.mark.parametrize(("form", "bound"), [("bfloat16", 0.02), ("int8", 0.05)])
def test_a_packed_file_is_smaller_close_and_marked(
    restart: Restart, tmp_path: Path, form: str, bound: float
) -> None:
    engine = restart()
    engine.logits(CHAT)
    engine.close()
    plain = sum(path.stat().st_size for path in files(tmp_path))
    for path in files(tmp_path):
        path.unlink()
    engine = restart(compression=form)
    engine.logits(CHAT)
    engine.close()
    assert sum(path.stat().st_size for path in files(tmp_path)) < plain
    engine = restart(compression=form)
    again, cold = engine.logits(LONGER), engine.logits(LONGER, reuse=False)
    assert again.reused == 500
    assert 0 < float((again.logits - cold.logits).abs().max() / cold.logits.abs().max()) < bound


def test_dropping_the_cache_removes_the_files(restart: Restart, tmp_path: Path) -> None:
    engine = restart()
    engine.logits(CHAT)
    engine.on_core(lambda core: core.store.idle())
    engine.drop_cache()
    engine.on_core(write_out)
    assert files(tmp_path) == []
    assert engine.logits(CHAT).reused == 0


def test_a_prefill_state_replaces_a_decoded_one(restart: Restart) -> None:
    """Exact mode cannot use the first, and after a restart can use all of the second."""
    engine = restart(mode="exact", decode_interval=0)
    sampling = Sampling(temperature=0, max_tokens=30, ignore_end=True)
    last = list(engine.generate(CHAT, sampling))[-1]
    assert isinstance(last, events.RequestFinished)
    applied = (*CHAT, *last.token_ids[:-1])
    engine.on_core(lambda core: core.store.tiers.save())
    first = engine.logits(applied)
    assert first.reused < len(applied), "states stored by decode are not exact"
    engine.on_core(lambda core: core.store.tiers.save())
    assert engine.on_core(lambda core: core.store.tiers.save()) == 0, "nothing is written twice"
    engine.close()
    again = restart(mode="exact", decode_interval=0).logits(applied)
    assert again.reused == len(applied)
    assert torch.equal(again.logits, first.logits)


def test_the_snapshot_shows_what_only_the_disk_has(restart: Restart) -> None:
    engine = restart()
    engine.logits(CHAT)
    engine.close()
    snapshot = restart().snapshot()
    tiers = {node.tier for node in snapshot.nodes if node.parent is not None}
    assert tiers == {"disk"}
    assert {node.checkpoint.state.tier for node in snapshot.nodes if node.checkpoint} == {"disk"}
    assert max(node.end for node in snapshot.nodes) == 500
    assert snapshot.disk is not None
    assert snapshot.disk.files == sum(node.checkpoint is not None for node in snapshot.nodes)


def test_an_unusable_folder_turns_the_disk_off(open_engine: Opener, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    engine = open_engine(cache_dir=blocked, disk_bytes=1 << 20)
    engine.logits(CHAT)
    assert engine.logits(LONGER).reused == 500


def test_packed_files_of_exact_states_are_written_once(restart: Restart) -> None:
    """Exact mode cannot use them, and rewriting them would not improve them."""
    engine = restart(mode="exact", compression="int8")
    engine.logits(CHAT)
    saved = engine.on_core(lambda core: (core.store.tiers.save(), core.store.tiers.save()))
    engine.on_core(write_out)
    assert engine.on_core(lambda core: core.store.tiers.save()) == 0
    assert saved[1] == 0


def test_an_unpacked_state_replaces_a_packed_one_in_a_file(restart: Restart) -> None:
    engine = restart(compression="int8")
    engine.logits(CHAT)
    engine.close()
    engine = restart()
    assert present(engine.probe(CHAT).state).stored == "int8"

    def afresh(core: Core) -> tuple[int, int]:
        held = core.store.tiers.disk
        core.store.tiers.disk = None
        core.logits(CHAT, True, PLAIN)
        core.store.tiers.disk = held
        return core.store.tiers.save(), core.store.tiers.save()

    first, second = engine.on_core(afresh)
    assert first > 0
    assert second == 0
    engine.close()
    engine = restart()
    state = present(engine.probe(CHAT).state)
    assert (state.stored, state.error) == ("none", 0.0)
    assert engine.probe(CHAT).reused == 500
