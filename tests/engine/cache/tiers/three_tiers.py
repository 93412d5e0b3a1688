"""A cache of three tiers whose bytes are plain Python: every slot carries what was written to it.

A KV slot's content is the prefix that ends there, a state slot's the prefix it represents; so a
slot that was copied wrongly, or reallocated while still being read, shows foreign content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from time import monotonic
from typing import Any

import numpy as np
from msgspec import structs

from engine.cache import TwoPlaneCache
from engine.cache.extents import Extents, part, to_slots
from engine.cache.holding import Holding
from engine.cache.journal.changes import Change, DiskOpened, SegmentAdded, SegmentRemoved
from engine.cache.journal.journal import Entry, Journal, LogChange, silent
from engine.cache.lease import Lease
from engine.cache.lines import Line
from engine.cache.node import Tokens
from engine.cache.tiers.lower import FileCause, OnDisk
from engine.cache.tiers.tiers import Tiers
from engine.config import Mode
from engine.journal.lines import TraceEntry
from engine.journal.narrator import narrate
from engine.journal.recorder import beginning
from engine.journal.tape import Follower, Tape
from engine.plan.cuts import plan_cuts, tags_for
from engine.plan.passes import plan_passes
from engine.snapshot import CacheSnapshot, DiskView
from engine.stored_state import TierName

Prefix = tuple[int, ...]


class Broken(RuntimeError):
    """A failed copy, as on a device that is out of memory."""


@dataclass
class Bytes:
    """The contents of one tier's slots."""

    kv: dict[int, Prefix] = field(default_factory=dict)
    state: dict[int, Prefix] = field(default_factory=dict)


class ByteMover:
    """Copies contents; fails where `fails()` says so."""

    def __init__(self, device: Bytes, host: Bytes, fails: Callable[[], bool]) -> None:
        self.device, self.host, self._fails = device, host, fails
        self.error = 0.0

    def kv_to_host(self, device: Extents, host: Extents) -> None:
        self._kv(self.device, device, self.host, host)

    def kv_to_device(self, host: Extents, device: Extents) -> None:
        self._kv(self.host, host, self.device, device)

    def state_to_host(self, device: int, host: int) -> float:
        self._break()
        self.host.state[host] = self.device.state[device]
        return self.error

    def state_to_device(self, host: int, device: int) -> None:
        self._break()
        self.device.state[device] = self.host.state[host]

    def _kv(self, source: Bytes, sources: Extents, target: Bytes, targets: Extents) -> None:
        self._break()
        for here, there in zip(to_slots(sources), to_slots(targets), strict=True):
            target.kv[int(there)] = source.kv[int(here)]

    def _break(self) -> None:
        if self._fails():
            raise Broken("no memory for a copy")


@dataclass
class File:
    """One saved checkpoint, with the KV of its whole prefix."""

    found: OnDisk
    kv: list[Prefix]
    state: Prefix
    used: float
    damaged: bool = False


class ByteDisk:
    """Files as records; damage shows when a file is read."""

    def __init__(self, device: Bytes, host: Bytes, fails: Callable[[], bool], most: int) -> None:
        self._bytes = {"device": device, "host": host}
        self._fails, self._most = fails, most
        self.ready = True
        self.failed = 0
        self.files: dict[Prefix, File] = {}
        self.named: list[str] = []
        self.log_change: LogChange = silent

    def settle(self) -> None: ...

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        asked = tuple(tokens.tolist())
        for end in range(len(asked), 0, -1):
            file = self.files.get(asked[:end])
            if file is None or (end == len(asked) and not file.found.state.has_hidden):
                continue
            if usable(file.found):
                return file.found
        return None

    def restore(self, found: OnDisk, start: int, extents: Extents, slot: int) -> bool:
        if self._fails():
            raise Broken("no memory for a read")
        prefix = next((p for p, file in self.files.items() if file.found is found), None)
        if prefix is None:
            return False
        file = self.files[prefix]
        if file.damaged:
            self._lose(prefix, FileCause.DAMAGED)
            self.named.append(f"a file of {found.state.position} tokens is damaged")
            return False
        for at, there in zip(range(start, found.state.position), to_slots(extents), strict=True):
            self._bytes["device"].kv[int(there)] = file.kv[at]
        self._bytes["device"].state[slot] = file.state
        return True

    def has(self, holding: Holding) -> bool:
        prefix = tuple(holding.tokens.tolist())
        if prefix not in self.files:
            return False
        self._touch(prefix, used_at(holding))
        return True

    def fits(self, path: Sequence[Holding]) -> bool:
        return all(
            count + self._staying(holding) <= self._most for count, holding in enumerate(path, 1)
        )

    def _staying(self, holding: Holding) -> int:
        """Files that cannot be displaced: used as recently, or an ancestor of the new one."""
        prefix, used = tuple(holding.tokens.tolist()), used_at(holding)
        return sum(file.used >= used or prefix[: len(at)] == at for at, file in self.files.items())

    def save(self, holding: Holding, tier: TierName) -> bool:
        held = holding.checkpoint
        assert held is not None
        prefix = tuple(holding.tokens.tolist())
        if prefix in self.files or not self.fits((holding,)):
            return False
        if self._fails():
            raise OSError(28, "no space left on the device")
        source = self._bytes[tier]
        found = OnDisk((str(len(prefix)),), holding.tags, replace(held.state, tier="disk"))
        self.files[prefix] = File(
            found,
            [source.kv[int(s)] for s in to_slots(holding.extents)],
            source.state[held.slot],
            used_at(holding),
        )
        self.log_change(structs.replace(self._segment(prefix, self.files[prefix]), tokens=b""))
        self._touch(prefix, used_at(holding))
        while len(self.files) > self._most:
            oldest = min(self.files, key=lambda at: (self.files[at].used, -len(at)))
            self._lose(oldest, FileCause.NO_ROOM)
        return True

    def _touch(self, prefix: Prefix, used: float) -> None:
        """Mark a file and its ancestors as used."""
        for shorter, file in self.files.items():
            if prefix[: len(shorter)] == shorter:
                file.used = max(file.used, used)

    def lines(self, known: Callable[[Tokens], int], overlap: int, limit: int) -> tuple[Line, ...]:
        return ()

    def holds(self, tokens: Tokens) -> bool:
        return tuple(tokens.tolist()) in self.files

    def remove(self, tokens: Tokens, beyond: int) -> None:
        wrong = tuple(tokens.tolist())
        for prefix in list(self.files):
            right = self.files[prefix].found.state.verified
            before = beyond < len(prefix) and prefix == wrong[: len(prefix)] and not right
            if before or prefix[: len(wrong)] == wrong:
                self._lose(prefix, FileCause.QUARANTINED)

    def forget(self, tokens: Tokens, cause: FileCause = FileCause.DELETED) -> None:
        beginning = tuple(tokens.tolist())
        for prefix in list(self.files):
            if prefix[: len(beginning)] == beginning:
                self._lose(prefix, cause)

    def clear(self) -> None:
        for prefix in list(self.files):
            self._lose(prefix, FileCause.DROPPED_BY_USER)

    def told(self) -> Iterator[Change]:
        yield DiskOpened(0, 1, 0, "")
        for prefix, file in self.files.items():
            yield self._segment(prefix, file)

    def span_of(self, key: str) -> bytes:
        return next(tokens_of(p) for p in self.files if key_of(p) == key)

    def _segment(self, prefix: Prefix, file: File) -> SegmentAdded:
        size, used = len(prefix), file.used
        return SegmentAdded(
            key_of(prefix),
            "",
            0,
            size,
            used,
            used,
            size + 100,
            file.found.state,
            tokens=tokens_of(prefix),
        )

    def view(self) -> DiskView:
        return DiskView(len(self.files), 0, 0, 0, 0)

    def _lose(self, prefix: Prefix, cause: FileCause) -> None:
        file = self.files.pop(prefix)
        size = len(prefix)
        self.log_change(
            SegmentRemoved(
                0, size, file.found.state.provenance, size + 100, size, cause, key_of(prefix)
            )
        )


def tokens_of(prefix: Prefix) -> bytes:
    return np.array(prefix, "<i4").tobytes()


def key_of(prefix: Prefix) -> str:
    return blake2b(tokens_of(prefix), digest_size=16).hexdigest()


def used_at(holding: Holding) -> float:
    assert holding.checkpoint is not None
    return holding.checkpoint.used.time


class ThreeTiers:
    """Device, host and disk with contents, and requests that run on them without a model."""

    def __init__(
        self,
        *,
        device: tuple[int, int] = (400, 6),
        host: tuple[int, int] | None = (800, 12),
        files: int | None = 30,
        policy: str = "coverage",
        exact: bool = False,
        fails: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.exact = exact
        self.journal = Journal()
        self.bytes, self.host_bytes = Bytes(), Bytes()
        self.mover = ByteMover(self.bytes, self.host_bytes, fails)
        self.cache = cache_of(*device, policy, self.journal, "device", clock)
        self.host = None if host is None else cache_of(*host, "lru", self.journal, "host", clock)
        self.disk = None if files is None else ByteDisk(self.bytes, self.host_bytes, fails, files)
        if self.disk is not None:
            self.disk.log_change = self.journal.of("disk", clock)
            self.disk.log_change(DiskOpened(0, 1, 0, ""))
        self.tiers = Tiers(
            self.cache, self.host, None if self.host is None else self.mover, self.disk
        )

    def run(
        self,
        tokens: Sequence[int],
        *,
        anchors: Sequence[int] = (),
        decode: Sequence[int] = (),
        interval: int = 64,
        stop_after: int | None = None,
        one_shot: bool = False,
    ) -> tuple[int, str] | None:
        """One request, checked token by token; (resume, tier), None without room for its KV.

        `stop_after` cancels it once that many tokens of the prompt have run.
        """
        ids = np.asarray(tokens, np.int64)
        plan = plan_cuts(len(ids), anchors, interval, pass_tokens=64, spacing=16)
        question: dict[str, Any] = {
            "cut_hash_at": plan.cut_hashes().get,
            "tags": tags_for(plan, len(ids)),
        }
        asked = question if self.exact else {}
        promised = self.tiers.probe(ids, **asked)
        self.tiers.promote(ids, **asked)
        match = self.cache.match(ids, **asked)
        assert match.resume <= promised.resume, "a probe promises no less than a match gives"
        tier = "device" if match.checkpoint is None else match.checkpoint.state.tier
        lease = Lease(self.cache, exact=self.exact, one_shot=one_shot)
        exact: dict[str, Any]
        exact = {"tags": question["tags"], "cut_hashes": plan.cut_hashes()} if self.exact else {}
        if not lease.open(ids, match, **exact):
            return None
        whole = (*tokens, *decode)
        if match.checkpoint is not None:
            assert self.bytes.state[match.checkpoint.slot] == whole[: match.resume], "foreign state"
        for at, slot in enumerate(to_slots(part(lease.extents, 0, match.resume))):
            assert self.bytes.kv[int(slot)] == whole[: at + 1], "foreign KV"
        position = match.resume
        mode: Mode = "exact" if self.exact else "fast"
        for segment in plan_passes(plan, len(ids), match.resume, None, mode):
            if stop_after is not None and position >= stop_after:
                break
            ends = (*segment.scan_splits, *((segment.end,) if segment.stores else ()))
            slots = lease.take_states(ends)
            for at in range(max(position, lease.write_from), segment.end):
                self.bytes.kv[self._slot(lease, at)] = whole[: at + 1]
            position = segment.end
            for end, slot in slots.items():
                if slot is not None:
                    self.bytes.state[slot] = whole[:end]
            lease.store(slots, segment.end, "prefill")
        if position == len(ids):
            for token in decode:
                if not lease.append(position, token):
                    break
                self.bytes.kv[self._slot(lease, position)] = whole[: position + 1]
                position += 1
            if position > len(ids):
                slots = lease.take_states((position,))
                if (slot := slots[position]) is not None:
                    self.bytes.state[slot] = whole[:position]
                lease.store(slots, position, "decode")
        lease.close()
        return match.resume, tier

    def verify(self) -> None:
        """All invariants of all tiers, no leaked slot, and the right content everywhere."""
        self.tiers.check()
        for cache, held in ((self.cache, self.bytes), (self.host, self.host_bytes)):
            if cache is None:
                continue
            assert (cache.reader.kv_pool().live, cache.reader.state_pool().live) == (0, 0), (
                "slots left over"
            )
            for node in cache.reader.nodes():
                assert (node.kv_lock, node.state_lock) == (0, 0), "leaked locks"
                holding = cache.reader.holding(node.id)
                prefix = tuple(holding.tokens.tolist())
                for at, slot in enumerate(to_slots(holding.extents)):
                    assert held.kv[int(slot)] == prefix[: at + 1], "foreign KV"
                if holding.checkpoint is not None:
                    assert held.state[holding.checkpoint.slot] == prefix, "foreign state"

    @staticmethod
    def _slot(lease: Lease, at: int) -> int:
        return int(to_slots(part(lease.extents, at, at + 1))[0])


def cache_of(
    kv_slots: int,
    state_slots: int,
    policy: str,
    journal: Journal,
    tier: TierName,
    clock: Callable[[], float],
) -> TwoPlaneCache:
    """A cache of the given size, with KV slots of one byte and state slots of a hundred."""
    return TwoPlaneCache(
        kv_slots,
        state_slots,
        kv_slot_bytes=1,
        state_slot_bytes=100,
        policy=policy,
        clock=clock,
        journal=journal,
        tier=tier,
    )


class Looked:
    """What a viewer of these tiers has: a tape of their journal, and its newest moment.

    Attributes:
        tape: has the entries of the last look.
    """

    def __init__(self, on: ThreeTiers) -> None:
        tiers = {"device": on.cache} | ({} if on.host is None else {"host": on.host})
        self._entries: list[Entry] = list(beginning((), on.journal, tiers, 0.0, None, on.disk))
        narrate(on.journal, tiers, self._entries.append, on.disk)
        self.tape = Tape()
        self._follower = Follower(self.tape)
        self.look()

    def take(self) -> tuple[TraceEntry, ...]:
        """The lines since the last time."""
        lines = tuple(map(TraceEntry, self._entries))
        self._entries.clear()
        return lines

    def look(self) -> CacheSnapshot:
        """The cache now, with the evictions since the last look."""
        self.tape.append(self.take())
        return self._follower.snapshot()
