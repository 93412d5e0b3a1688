"""A random user of a random engine: chats, edits, cancels, wrong states, damage and restarts.

Whatever it does, a cached answer must equal a cold one, nothing may leak, and an idle engine must
come to rest. Every step is determined by the seed.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from engine import Engine, EngineConfig, Sampling, events
from engine.commands import Act, UndoAct
from engine.config import POLICY_NAMES
from engine.errors import CacheError
from engine.private_files import OwnFolder
from engine.run.by_hand import Job
from engine.run.core import Core
from engine.snapshot import CacheSnapshot
from engine.storage import disk_writer
from engine.storage.disk_tier import DiskTier
from engine.storage.mover import TierMover
from engine.storage.segment_file import Segment, write_segment
from tests.engine.journal.overlay import disk_layer
from tests.engine.run.wrong_drafts import ask_always, draft_wrongly

Prompt = tuple[int, ...]
# Of a snapshot: all but its time and what has happened since the one before.
COMPARED = ("nodes", "kv", "state", "host", "disk", "memory", "live", "evicted", "quarantined")
# The tiny model computes in float32; a larger difference is not rounding.
ATOL = 2e-3
LONGEST = 400
HOURS_S = 7200.0


class Faults:
    """Copies and writes that fail now and then while `on`."""

    def __init__(self, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
        self.on = False
        self._rng = rng
        self.met: Counter[str] = Counter()
        for name in ("kv_to_host", "kv_to_device", "state_to_host", "state_to_device"):
            monkeypatch.setattr(TierMover, name, self._breaking(getattr(TierMover, name), name))
        monkeypatch.setattr(DiskTier, "restore", self._breaking(DiskTier.restore, "restore"))
        monkeypatch.setattr(disk_writer, "write_segment", self._write)
        # Failures are retried at once: no time passes in this test.
        monkeypatch.setattr("engine.storage.write_trouble.FIRST_WAIT_S", 0.0)
        monkeypatch.setattr("engine.storage.write_trouble.LONGEST_WAIT_S", 0.0)

    def _hits(self, what: str) -> bool:
        if not self.on or self._rng.random() > 0.15:
            return False
        self.met[what] += 1
        return True

    def _breaking(self, whole: Callable[..., object], what: str) -> Callable[..., object]:
        def call(*args: object) -> object:
            if self._hits(what):
                raise RuntimeError("out of memory")
            return whole(*args)

        return call

    def _write(self, folder: OwnFolder, segment: Segment, fingerprint: str) -> int:
        if self._hits("write"):
            raise OSError(28, "No space left on device")
        return write_segment(folder, segment, fingerprint)


class Driver:
    """One engine at a time on one folder of files.

    Attributes:
        done: how often each step was taken, with its outcome.
        said: why something could not be done by hand.
    """

    def __init__(
        self,
        seed: int,
        model: Path,
        files: Path,
        monkeypatch: pytest.MonkeyPatch,
        least_mib: int = 1,
    ) -> None:
        """least_mib: a cache that the longest chats fit in."""
        self.rng = np.random.default_rng(seed)
        self.done: Counter[str] = Counter()
        self.faults = Faults(self.rng, monkeypatch)
        draft_wrongly(monkeypatch, 6)
        ask_always(monkeypatch, 3)
        self._model, self._files, self._least_mib = model, files, least_mib
        self._mode = str(self.rng.choice(["fast", "exact"]))
        self._fixed: dict[str, Any] = {
            "mode": self._mode,
            "interval": int(self.rng.choice([64, 128, 1024])),
            "decode_interval": int(self.rng.choice([0, 4, 16])),
            "policy": str(self.rng.choice(POLICY_NAMES)),
            "threads": 1,
            "drafts": str(self.rng.choice(["auto", "auto", "text", "off"])),
            # Exact mode must not use packed states; in fast mode they could not be told from wrong
            # ones.
            "compression": str(self.rng.choice(["none", "none", "int8"]))
            if self._mode == "exact"
            else "none",
        }
        self._words = iter(range(1, 1 << 30))
        self._undo: list[int] = []
        self.said: set[str] = set()
        system = self._new(int(self.rng.integers(40, 120)))
        self.chats: list[Prompt] = [(*system, *self._new(20)) for _ in range(4)]
        self.engine = self._open()

    # ---- the life of the engine

    def step(self) -> None:
        """One random step, with everything checked after it."""
        steps = {
            self.turn: 8,
            self.again: 3,
            self.ask: 4,
            self.edit: 2,
            self.cancel: 2,
            self.compare: 4,
            self.plant: 2,
            self.idle: 1,
            self.restart: 1,
            self.forget: 1,
            self.drop: 0.3,
            self.act: 4,
            self.checkpoint: 3,
            self.take_back: 2,
        }
        chances = np.array(list(steps.values())) / sum(steps.values())
        chosen = list(steps)[int(self.rng.choice(len(steps), p=chances))]
        self.done[chosen.__name__] += 1
        with self._shaky():
            chosen()
        self.settled()

    def close(self) -> None:
        """Compare everything one last time, then check that nothing is left of it."""
        for at in range(len(self.chats)):
            self._compare((*self.chats[at], *self._new(3)))
        self.idle()
        self.engine.drop_cache()
        snapshot = self.engine.snapshot()
        assert (snapshot.kv.free, snapshot.state.free) == (
            snapshot.kv.total,
            snapshot.state.total - 1,
        ), "slots leaked"
        if snapshot.host is not None:
            host = snapshot.host
            assert (host.kv.free, host.state.free) == (host.kv.total, host.state.total)
        self.engine.close()
        if snapshot.disk is None:
            return
        assert snapshot.disk.used_bytes == snapshot.disk.files == 0
        assert not list(self._files.rglob("*.safetensors")), "files leaked"
        assert not list(self._files.rglob("*.tmp")), "half-written files leaked"

    def settled(self) -> None:
        """All invariants hold, and no request left a slot or a lock behind."""
        self.engine.check_invariants()
        snapshot = self.mirrored()
        assert (snapshot.kv.live, snapshot.state.live) == (0, 1), "a request left slots behind"
        assert (snapshot.kv.locked, snapshot.state.locked) == (0, 0), "a request left locks behind"
        if snapshot.disk is not None:
            assert snapshot.disk.used_bytes <= snapshot.disk.budget_bytes

    def mirrored(self) -> CacheSnapshot:
        """What the journal's mirror shows; it is what the engine holds."""
        anew, shown = self.engine.on_core(lambda core: (core.read_anew(), core.snapshot()))
        for _ in range(100):
            # Between the two, the writer may have finished a file.
            if anew.disk == shown.disk:
                break
            anew, shown = self.engine.on_core(lambda core: (core.read_anew(), core.snapshot()))
        for name in COMPARED:
            assert known(anew, name) == known(shown, name), f"the mirror has other {name}"
        return shown

    # ---- steps

    def turn(self) -> None:
        """A chat continues with a message and an answer."""
        at = self._any_chat()
        prompt = (*self.chats[at], *self._new(int(self.rng.integers(1, 40))))
        ended = list(self.engine.generate(prompt, self._greedy()))[-1]
        assert isinstance(ended, events.RequestFinished), ended
        self.chats[at] = (*prompt, *ended.token_ids)

    def again(self) -> None:
        """An answer is written anew, from what is cached of it and without a cache."""
        prompt = (*self.chats[self._any_chat()], *self._new(int(self.rng.integers(1, 5))))
        sampling, found = self._greedy(), []
        for reuse in (True, True, False):
            ended = list(self.engine.generate(prompt, sampling, reuse=reuse))[-1]
            assert isinstance(ended, events.RequestFinished), ended
            found.append(ended.token_ids)
            self.done["drafts kept"] += ended.report.drafts.kept
            self.done["drafts rejected"] += ended.report.drafts.drafted - ended.report.drafts.kept
        assert found[0] == found[1] == found[2], "drafts or the cache changed an answer"

    def ask(self) -> None:
        """A single prompt, compared with a cold run."""
        at = self._any_chat()
        self.chats[at] = (*self.chats[at], *self._new(int(self.rng.integers(1, 60))))
        self._compare(self.chats[at])

    def edit(self) -> None:
        """A chat is resumed from somewhere inside it."""
        at = self._any_chat()
        kept = int(self.rng.integers(10, len(self.chats[at])))
        self.chats[at] = (*self.chats[at][:kept], *self._new(int(self.rng.integers(1, 20))))
        self._compare(self.chats[at])

    def cancel(self) -> None:
        """An answer is stopped after a few events, or before the first."""
        prompt = (*self.chats[self._any_chat()], *self._new(int(self.rng.integers(1, 90))))
        running = self.engine.generate(prompt, self._greedy())
        for _ in range(int(self.rng.integers(0, 8))):
            next(running, None)
        running.close()

    def compare(self) -> None:
        """A chat's next token, cached and cold."""
        self._compare((*self.chats[self._any_chat()], *self._new(int(self.rng.integers(1, 8)))))

    def plant(self) -> None:
        """A state is corrupted, is used for a while, and an audit finds it."""
        nodes = self.engine.on_core(lambda core: core.cache.reader.checkpoints())
        if not nodes:
            return
        node = nodes[int(self.rng.integers(len(nodes)))]
        wrong = self.engine.on_core(lambda core: _spoil(core, node))
        for _ in range(int(self.rng.integers(0, 4))):
            end = len(wrong)
            follows = [chat for chat in self.chats if chat[:end] == wrong] or [wrong]
            chat = follows[int(self.rng.integers(len(follows)))]
            self.engine.logits((*chat, *self._new(int(self.rng.integers(1, 30)))))
        self.engine.on_core(lambda core: core.tiers.save(int(self.rng.integers(0, 4))))
        self._find(wrong)

    def idle(self) -> None:
        """The engine comes to rest, and stays there."""
        self.faults.on = False
        first = self._rest()
        for _ in range(3):
            self.engine.snapshot()
        assert self._rest() == first, "an idle engine keeps writing"
        view = self.engine.snapshot().disk
        if view is not None and not view.trouble:
            found = sum(path.stat().st_size for path in self._files.rglob("*.safetensors"))
            assert found == view.used_bytes

    def restart(self) -> None:
        """Another engine on the same files, some of them damaged, with different budgets."""
        self.engine.close()
        self._undo.clear()
        for path in sorted(self._files.rglob("*.safetensors")):
            used = path.stat().st_mtime
            if self.rng.random() < 0.1:
                self._damage(path)
            # Hours pass: a recent file may belong to another process that is still writing.
            if path.exists():
                os.utime(path, (used - HOURS_S, used - HOURS_S))
        self.engine = self._open()

    def forget(self) -> None:
        """A chat is deleted: no tier has anything that only it had, and the others go on."""
        at = self._any_chat()
        gone, kept = self.chats[at], [*self.chats[:at], *self.chats[at + 1 :]]
        shared = max(_common(gone, other) for other in kept)
        done = self.engine.forget([gone], kept)
        if shared < len(gone):
            left = self.engine.on_core(_sequences)
            assert not [one for one in left if one[: shared + 1] == gone[: shared + 1]]
            self.done["files forgotten"] += done.files
        self.chats[at] = (*gone[:shared], *self._new(20))

    def drop(self) -> None:
        self.engine.drop_cache()

    # ---- by hand

    def act(self) -> None:
        """Something is done to a node by hand, or refused in a sentence."""
        actions = ("pin", "unpin", "drop state", "evict", "warm", "move to host")
        chances = (0.2, 0.2, 0.2, 0.05, 0.15, 0.2)
        action = actions[int(self.rng.choice(len(actions), p=chances))]
        nodes = [node for node in self.engine.snapshot().nodes if node.parent is not None]
        if nodes:
            node = nodes[int(self.rng.integers(len(nodes)))]
            self._by_hand(Act(next(self._words), action, node.id))  # type: ignore[arg-type]

    def checkpoint(self) -> None:
        """A state is asked for inside a node or at its end; whoever resumes there is right."""
        nodes = [node for node in self.engine.snapshot().nodes if node.parent is not None]
        if not nodes:
            return
        node = nodes[int(self.rng.integers(len(nodes)))]
        at = int(self.rng.integers(node.start + 1, node.end + 1)) if self.rng.random() < 0.6 else 0
        command = Act(next(self._words), "checkpoint", node.id, at)
        job = self._by_hand(command)
        if job is not None:
            prefix = tuple(job.tokens.tolist())
            found = self.engine.on_core(lambda core: _node_of(core, prefix))
            assert found is not None, "no state where one was promised"
            self._compare((*prefix, *self._new(3)))

    def take_back(self) -> None:
        """The last thing that was done by hand is undone."""
        if self._undo:
            of, number = self._undo.pop(), next(self._words)
            self._by_hand(UndoAct(number, of))

    def _by_hand(self, command: Act | UndoAct) -> Job | None:
        """The job that was done; None if a sentence said why not and nothing had changed.

        One reason: the node of an earlier snapshot may be gone, its file found damaged since.
        """

        def do(core: Core) -> Job | None:
            hand = core.by_hand
            try:
                if isinstance(command, Act):
                    job = hand.job(command)
                else:
                    job = hand.undo_job(command.number, command.of)
                done = hand.run(job, lambda: False, lambda done, of: None)
            except CacheError as error:
                self.said.add(str(error))
                return None
            assert done is not None
            if done.undo is not None:
                self._undo.append(command.number)
            return job

        action = command.action if isinstance(command, Act) else "undo"
        job = self.engine.on_core(do)
        self.done[f"{action}: {'done' if job is not None else 'refused'}"] += 1
        return job

    # ---- inside

    def _open(self) -> Engine:
        sizes = [1, 2, 4, 16]
        config = EngineConfig(
            **self._fixed,
            cache_bytes=(int(self.rng.integers(3)) + self._least_mib) << 20,
            host_bytes=int(self.rng.choice([0, *sizes[:3]])) << 20,
            disk_bytes=int(self.rng.choice([0, *sizes])) << 20,
            cache_dir=self._files,
        )
        return Engine.open(self._model, config)

    @contextlib.contextmanager
    def _shaky(self) -> Iterator[None]:
        self.faults.on = bool(self.rng.random() < 0.4)
        yield
        self.faults.on = False

    def _compare(self, prompt: Prompt) -> None:
        cached, cold = self.engine.logits(prompt), self.engine.logits(prompt, reuse=False)
        self.done["compared"] += 1
        self.done[
            f"reused from {'nowhere' if cached.plan.state is None else cached.plan.state.tier}"
        ] += 1
        if self._mode == "exact":
            assert torch.equal(cached.logits, cold.logits), f"wrong: {cached.plan}"
        else:
            off = float((cached.logits - cold.logits).abs().max())
            assert off < ATOL, f"wrong by {off}: {cached.plan}"

    def _find(self, wrong: Prompt) -> None:
        """Audit the wrong state; if it has left the device, nothing can be checked."""
        node = self.engine.on_core(lambda core: _node_of(core, wrong))
        if node is None:
            self.done["lost before it was found"] += 1
            self.engine.drop_cache()
            return
        verdict = self.engine.verify(node)
        assert verdict is not None
        if verdict.status != "quarantined":
            # A prefill has rewritten it, so what derives from the wrong one can no longer be
            # traced.
            self.done["mended before it was found"] += 1
            self.engine.drop_cache()
            return
        self.done["quarantined"] += 1
        self.faults.on = False
        self._compare((*wrong, *self._new(2)))
        for chat in self.chats:
            self._compare((*chat, *self._new(2)))

    def _rest(self) -> int:
        """Wait until nothing more is written; returns the bytes of all files ever written."""
        last = -1
        for _ in range(300):
            now = self.engine.on_core(_written)
            if now == last:
                return now
            last = now
        raise AssertionError("it does not come to rest")

    def _damage(self, path: Path) -> None:
        raw = bytearray(path.read_bytes())
        if self.rng.random() < 0.3:
            path.unlink()
        elif self.rng.random() < 0.5:
            path.write_bytes(raw[: int(self.rng.integers(len(raw)))])
        else:
            raw[int(self.rng.integers(len(raw)))] ^= 1 << int(self.rng.integers(8))
            path.write_bytes(raw)
        self.done["damaged"] += 1

    def _any_chat(self) -> int:
        at = int(self.rng.integers(len(self.chats)))
        if len(self.chats[at]) > LONGEST:
            self.chats[at] = (*self.chats[at][:40], *self._new(20))
        return at

    def _greedy(self) -> Sampling:
        return Sampling(temperature=0, max_tokens=int(self.rng.integers(1, 20)), ignore_end=True)

    def _new(self, count: int) -> Prompt:
        """Token ids in an order that was never prompted before."""
        draw = np.random.default_rng(next(self._words))
        return tuple(int(token) for token in draw.integers(9, 512, count))


def _spoil(core: Core, node: int) -> Prompt:
    """Corrupt a stored state; returns the prefix that it represents."""
    held = core.cache.reader.holding(node)
    assert held.checkpoint is not None
    core.store.states.zero(held.checkpoint.slot)
    return tuple(held.tokens.tolist())


def _common(one: Prompt, other: Prompt) -> int:
    """The number of leading tokens that are equal."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _sequences(core: Core) -> list[Prompt]:
    """Every path from a root to a node's end, on all tiers."""
    host, disk = core.tiers.host, core.tiers.disk
    found = [
        tuple(cache.reader.holding(node.id).tokens.tolist())
        for cache in (core.cache, host)
        if cache is not None
        for node in cache.reader.nodes()
    ]
    ends: dict[str, Prompt] = {"": ()}
    for layer in disk_layer(disk.told()) if isinstance(disk, DiskTier) else ():
        ends[layer.key] = (*ends[layer.parent], *layer.tokens.tolist())
    return [*found, *ends.values()]


def _node_of(core: Core, prefix: Prompt) -> int | None:
    for node in core.cache.reader.checkpoints():
        if tuple(core.cache.reader.holding(node).tokens.tolist()) == prefix:
            return node
    return None


def _written(core: Core) -> int:
    disk = core.store.tiers.disk
    if disk is None:
        return 0
    assert isinstance(disk, DiskTier)
    disk._store.flush()
    return disk.written_bytes


def known(snapshot: CacheSnapshot, name: str) -> object:
    """A part of a snapshot, for comparing it: nodes in any order."""
    found = getattr(snapshot, name)
    return {node.id: node for node in found} if name == "nodes" else found
