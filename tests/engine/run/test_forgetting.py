"""A deleted conversation leaves every tier of a running engine, files included."""

from __future__ import annotations

import json
import random
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import Engine, EngineConfig, Sampling
from engine.commands import Forget, Submit
from engine.events import EngineClosed, Event, Forgotten, RequestFinished
from engine.loop import RunLoop
from engine.private_files import OwnFolder
from engine.run.background import own_prefixes
from engine.run.core import Core
from engine.storage import disk_writer
from engine.storage.disk_store import DiskStore
from engine.storage.segment_file import Segment, write_segment
from tests.engine.journal.overlay import disk_layer
from tests.engine.run.conftest import CACHE_BYTES, Opener, disk_of, write_out

SYSTEM = tuple(20 + i * 7 % 60 for i in range(130))
# Ids that only the deleted conversation has.
SECRET = tuple(300 + i * 11 % 97 for i in range(300))
OTHER = tuple(100 + i * 13 % 89 for i in range(300))
GONE, KEPT = (*SYSTEM, *SECRET), (*SYSTEM, *OTHER)
TIERS: dict[str, Any] = {"host_bytes": 16 << 20, "disk_bytes": 64 << 20, "interval": 64}


def sequences_on_disk(folder: Path) -> list[tuple[int, ...]]:
    """The token ids of every segment file, read by hand."""
    found = []
    for path in folder.rglob("*.safetensors"):
        raw = path.read_bytes()
        size = int.from_bytes(raw[:8], "little")
        start, end = json.loads(raw[8 : 8 + size])["tokens"]["data_offsets"]
        found.append(tuple(np.frombuffer(raw[8 + size + start : 8 + size + end], "<i4").tolist()))
    return found


def check_gone(engine: Engine, folder: Path) -> None:
    """No token of the secret is left, in any tier's tree and in any file of the cache folder."""
    secret = set(SECRET)
    for tokens in engine.on_core(all_tokens):
        assert not secret & set(tokens)
    for ids in sequences_on_disk(folder):
        assert not secret & set(ids)
    window = np.array(SECRET[40:48], "<i4").tobytes()
    assert [path.name for path in folder.rglob("*") if path.is_file() and has(path, window)] == []


def has(path: Path, window: bytes) -> bool:
    return window in path.read_bytes()


def all_tokens(core: Core) -> list[list[int]]:
    host = core.tiers.host
    caches = (core.cache,) if host is None else (core.cache, host)
    trees = [c.reader.tokens_of(n.id).tolist() for c in caches for n in c.reader.nodes()]
    told = () if core.tiers.disk is None else disk_layer(disk_of(core).told())
    return [*trees, *(one.tokens.tolist() for one in told)]


def save(core: Core) -> None:
    """Everything that is to be saved is in files."""
    core.tiers.save()
    write_out(core)


def test_the_shared_part_stays_and_the_rest_is_gone_from_every_tier(
    open_engine: Opener, tmp_path: Path
) -> None:
    engine = open_engine(cache_dir=tmp_path, **TIERS)
    for prompt in (GONE, (*GONE, *SECRET[:50]), KEPT):
        engine.logits(prompt)
    engine.on_core(lambda core: core.cache.evict_state(3))
    engine.on_core(save)
    before = engine.probe((*KEPT, 9))
    assert any(set(SECRET) & set(one) for one in sequences_on_disk(tmp_path))
    files = len(sequences_on_disk(tmp_path))
    held = engine.on_core(lambda core: core.tiers.held_bytes())
    done = engine.forget([GONE], [KEPT])
    check_gone(engine, tmp_path)
    engine.check_invariants()
    assert done.sentence == ""
    assert done.files == files - len(sequences_on_disk(tmp_path)) > 0
    assert done.bytes == held - engine.on_core(lambda core: core.tiers.held_bytes()) > 0
    view = engine.snapshot().disk
    assert view is not None
    assert view.files == len(sequences_on_disk(tmp_path))
    assert view.used_bytes == sum(p.stat().st_size for p in tmp_path.rglob("*.safetensors"))
    after = engine.probe((*KEPT, 9))
    assert (after.reused, after.replayed) == (before.reused, before.replayed) == (430, 0)
    engine.close()
    again = open_engine(cache_dir=tmp_path, **TIERS)
    check_gone(again, tmp_path)
    assert again.logits((*KEPT, 9)).reused == 430
    assert again.probe(GONE).reused <= len(SYSTEM)


@pytest.mark.parametrize("fault", ["the disk keeps it", "the host keeps it", "one token too late"])
def test_the_check_notices_what_is_left(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    engine = open_engine(cache_dir=tmp_path, **TIERS)
    engine.logits(GONE)
    engine.logits(KEPT)
    engine.on_core(lambda core: core.cache.evict_state(3))
    engine.on_core(save)
    if fault == "the disk keeps it":
        monkeypatch.setattr(DiskStore, "remove_passing", lambda self, tokens, cause: None)
    elif fault == "the host keeps it":
        host = engine.on_core(lambda core: core.tiers.host)
        monkeypatch.setattr(host, "drop_passing", lambda tokens, cause: 0)
    gone = GONE if fault != "one token too late" else (*GONE, 5)
    kept = KEPT if fault != "one token too late" else GONE
    engine.forget([gone], [kept])
    with pytest.raises(AssertionError):
        check_gone(engine, tmp_path)


@pytest.mark.parametrize("seed", range(4))
def test_a_naive_computation_over_random_conversations_agrees(
    open_engine: Opener, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    engine = open_engine(cache_dir=tmp_path, **TIERS)
    prompts = [SYSTEM]
    for _ in range(8):
        start = rng.choice(prompts)
        start = start[: rng.randrange(1, len(start) + 1)]
        prompts.append((*start, *(rng.randrange(9, 500) for _ in range(rng.randrange(20, 120)))))
    for at, prompt in enumerate(prompts):
        engine.logits(prompt)
        if at % 3 == 2:
            engine.on_core(lambda core: core.cache.evict_state(2))
    engine.on_core(save)
    gone, kept = prompts[1:4], prompts[4:]
    prefixes = []
    for one in gone:
        shared = max(len(common(one, other)) for other in kept)
        if shared < len(one):
            prefixes.append(one[: shared + 1])
    before = engine.on_core(checkpoints)
    engine.forget(gone, kept)
    expected = {one for one in before if not any(one[1][: len(p)] == p for p in prefixes)}
    assert engine.on_core(checkpoints) == expected
    assert len({tier for tier, _ in before}) == 3
    engine.check_invariants()


def common(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    size = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    return a[: min(len(a), len(b)) if size is None else size]


def checkpoints(core: Core) -> set[tuple[str, tuple[int, ...]]]:
    """Tier and tokens of every stored state."""
    assert core.tiers.host is not None
    found = set()
    for name, cache in (("device", core.cache), ("host", core.tiers.host)):
        for node in cache.reader.checkpoints():
            found.add((name, tuple(cache.reader.holding(node).tokens.tolist())))
    ends: dict[str, tuple[int, ...]] = {"": ()}
    assert core.tiers.disk is not None
    for layer in disk_layer(disk_of(core).told()):
        ends[layer.key] = (*ends[layer.parent], *layer.tokens.tolist())
        found.add(("disk", ends[layer.key]))
    return found


def test_what_is_being_written_is_gone_when_the_answer_comes(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, opened = threading.Event(), threading.Event()

    def slow(folder: OwnFolder, part: Segment, fingerprint: str) -> int:
        if set(SECRET) & set(part.tokens.tolist()):
            reached.set()
            assert opened.wait(60)
        return write_segment(folder, part, fingerprint)

    monkeypatch.setattr(disk_writer, "write_segment", slow)
    engine = open_engine(cache_dir=tmp_path, **TIERS)
    engine.logits(GONE)
    assert reached.wait(60)
    timer = threading.Timer(0.3, opened.set)
    timer.start()
    done = engine.forget([GONE], [KEPT])
    assert opened.is_set(), "the answer came while the file was still being written"
    timer.join()
    check_gone(engine, tmp_path)
    assert done.sentence == ""


class Heard:
    """The events of a loop, and waiting for one of a kind."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._arrived = threading.Condition()

    def hear(self, event: Event) -> None:
        with self._arrived:
            self.events.append(event)
            self._arrived.notify_all()

    def wait(self, kind: type[Event]) -> None:
        with self._arrived:
            there = self._arrived.wait_for(
                lambda: any(isinstance(event, kind) for event in self.events), 60
            )
        assert there, f"no {kind.__name__} came"


def test_a_close_forgets_before_it_writes(tiny_folder: Path, tmp_path: Path) -> None:
    heard = Heard()
    config = EngineConfig(cache_bytes=CACHE_BYTES, threads=1, cache_dir=tmp_path, **TIERS)
    loop = RunLoop(tiny_folder, config, heard.hear)
    loop.start()
    loop.post(Submit(1, GONE, Sampling(max_tokens=4)))
    heard.wait(RequestFinished)
    loop.post(Forget(7, (GONE,), (KEPT,)))
    loop.close()
    heard.wait(EngineClosed)
    # The answer's own ids follow the prompt, so nothing of it may be there at all.
    assert not any(set(SECRET) & set(one) for one in sequences_on_disk(tmp_path))
    assert [e.number for e in heard.events if isinstance(e, Forgotten)] == [7]


def test_a_request_that_arrives_is_not_held_up(tiny_folder: Path) -> None:
    """A hundred prompts to forget; the request that comes after them is answered before."""
    order: list[str] = []
    over = threading.Event()

    def hear(event: Event) -> None:
        if isinstance(event, RequestFinished | Forgotten):
            order.append(type(event).__name__)
        if len(order) == 2:
            over.set()

    loop = RunLoop(tiny_folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1), hear)
    loop.start()
    rng = random.Random(1)
    many = tuple(tuple(rng.randrange(9, 500) for _ in range(2000)) for _ in range(400))
    loop.post(Forget(1, many, many[:5]))
    loop.post(Submit(1, KEPT, Sampling(max_tokens=2)))
    assert over.wait(60)
    loop.close()
    assert order == ["RequestFinished", "Forgotten"]


def test_files_of_other_settings_go_too(open_engine: Opener, tmp_path: Path) -> None:
    """Each mode has a folder of its own, and any of them may hold the conversation."""
    for prompt in (GONE, KEPT):
        engine = open_engine(cache_dir=tmp_path, mode="exact", **TIERS)
        engine.logits(prompt)
        engine.close()
    engine = open_engine(cache_dir=tmp_path, **TIERS)
    assert len([item for item in tmp_path.iterdir() if item.is_dir()]) == 2
    assert any(set(SECRET) & set(one) for one in sequences_on_disk(tmp_path))
    kept = sum(bool(set(OTHER) & set(one)) for one in sequences_on_disk(tmp_path))
    done = engine.forget([GONE], [KEPT])
    check_gone(engine, tmp_path)
    assert done.files > 0
    assert sum(bool(set(OTHER) & set(one)) for one in sequences_on_disk(tmp_path)) == kept > 0


def test_files_that_another_process_wrote_meanwhile_go_too(
    open_engine: Opener, tmp_path: Path
) -> None:
    engine = open_engine(cache_dir=tmp_path, **TIERS)
    other = open_engine(cache_dir=tmp_path, **TIERS)
    other.logits(GONE)
    other.close()
    assert any(set(SECRET) & set(one) for one in sequences_on_disk(tmp_path))
    engine.forget([GONE], [KEPT])
    check_gone(engine, tmp_path)


def test_a_file_that_cannot_be_removed_is_told(
    open_engine: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(cache_dir=tmp_path, **TIERS)
    engine.logits(GONE)
    engine.on_core(save)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "The file is in use")

    with monkeypatch.context() as patched:
        patched.setattr(OwnFolder, "unlink", refuse)
        done = engine.forget([GONE], [KEPT])
    assert "could not be removed" in done.sentence


def test_nothing_kept_leaves_nothing_but_the_scaffold() -> None:
    a, b = np.array([1, 2, 3, 4], np.int32), np.array([1, 2, 9], np.int32)
    assert [p.tolist() for p in own_prefixes([a], [b])] == [[1, 2, 3]]
    assert [p.tolist() for p in own_prefixes([a], [])] == [[1]]
    assert own_prefixes([a[:2], a], [a]) == []
    assert [p.tolist() for p in own_prefixes([a, a.copy()], [b])] == [[1, 2, 3]]


def test_what_only_the_engine_knows_that_it_ran_goes_too(tiny_folder: Path, tmp_path: Path) -> None:
    """Say with a system text that the deleted conversation no longer has."""
    heard = Heard()
    config = EngineConfig(cache_bytes=CACHE_BYTES, threads=1, cache_dir=tmp_path, **TIERS)
    loop = RunLoop(tiny_folder, config, heard.hear)
    loop.start()
    loop.post(Submit(1, GONE, Sampling(max_tokens=4), owner=3))
    loop.post(Forget(7, (OTHER,), (KEPT,), owner=3))
    heard.wait(Forgotten)
    loop.close()
    assert not any(set(SECRET) & set(one) for one in sequences_on_disk(tmp_path))
