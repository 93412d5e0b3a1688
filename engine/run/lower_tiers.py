"""The tiers below the device, host memory and files, as configured."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.changes import DiskTrouble, SegmentRemoved, SegmentsUsed, SegmentWritten
from engine.cache.journal.journal import Journal
from engine.cache.tiers.lower import FileCause, Mover
from engine.cache.tiers.tiers import Tiers
from engine.config import EngineConfig
from engine.model.hybrid import HybridModel
from engine.planes import KVPlane, StatePlane
from engine.run.memory import size_host
from engine.storage.disk_index import SegmentRecords, StoredSegment
from engine.storage.disk_store import DiskStore
from engine.storage.disk_tier import DiskTier, sizes_of
from engine.storage.fingerprint import fingerprint
from engine.storage.host_planes import HostStates, packed_slot_bytes
from engine.storage.mover import TierMover
from engine.storage.other_files import OtherFiles

Notify = Callable[[str], None]
# Called with the bytes written so far and the total to write.
Written = Callable[[int, int], None]
# How often to poll the writer.
WAIT_S = 0.1


class SegmentLog:
    """A store watch that logs segments; see StoreWatch."""

    def __init__(self, journal: Journal, records: SegmentRecords) -> None:
        self._log_change = journal.of("disk", time.monotonic)
        self._records = records

    def added(self, entry: StoredSegment) -> None:
        self._log_change(self._records.added(entry, written=False, found=False))

    def written(self, entry: StoredSegment) -> None:
        self._log_change(SegmentWritten(entry.meta.key, entry.nbytes))

    def used(self, entries: Sequence[StoredSegment]) -> None:
        keys = tuple(entry.meta.key for entry in entries)
        self._log_change(SegmentsUsed(keys, self._records.moment(entries[0].used)))

    def removed(self, entry: StoredSegment, cause: FileCause) -> None:
        meta = entry.meta
        change = SegmentRemoved(
            meta.start,
            meta.end,
            meta.state.provenance,
            entry.nbytes,
            self._records.kv_bytes(entry),
            cause,
            meta.key,
        )
        self._log_change(change)

    def troubled(self, damaged: int, trouble: str) -> None:
        self._log_change(DiskTrouble(damaged, trouble))


def no_progress(written: int, total: int) -> None:
    """Report no progress."""


class LowerTiers:
    """The host and disk tiers; either may be None.

    Attributes:
        host: the host tier's tree.
        mover: copies between its planes and the device's.
        disk: the disk tier.
        others: unknown files in the cache folder; None without a disk tier.
        namespace: the fingerprint of its files; "" without a disk tier.
    """

    def __init__(
        self,
        folder: Path,
        model: HybridModel,
        config: EngineConfig,
        kv: KVPlane,
        states: StatePlane,
        notify: Notify,
        journal: Journal,
    ) -> None:
        self.host: TwoPlaneCache | None = None
        self.mover: Mover | None = None
        self.disk: DiskTier | None = None
        self.others: OtherFiles | None = None
        self.namespace = ""
        state_bytes = packed_slot_bytes(states.shape, config.compression)
        sizes = size_host(config, kv_slot_bytes=kv.slot_bytes, state_slot_bytes=state_bytes)
        if sizes is not None:
            pinned = model.device.type == "cuda"
            host_kv = model.make_host_plane(sizes.kv_slots, pinned=pinned)
            host_states = HostStates(config.compression, pinned=pinned)
            self.mover = TierMover(kv, states, host_kv, host_states)
            self.host = TwoPlaneCache(
                sizes.kv_slots,
                sizes.state_slots,
                kv_slot_bytes=kv.slot_bytes,
                state_slot_bytes=state_bytes,
                policy=config.policy,
                journal=journal,
                tier="host",
            )

            host_planes = host_kv, host_states
        else:
            host_planes = None
        if config.disk_bytes and config.cache_dir is not None and config.state_share:
            self.namespace = _namespace(folder, model, config)
            files = sizes_of(kv, states, config.disk_bytes)
            records = SegmentRecords(kv.slot_bytes)
            log = SegmentLog(journal, records)
            store = DiskStore(config.cache_dir, self.namespace, files, notify, log)
            self.disk = DiskTier(store, records, kv, states, config.compression, host_planes)
        if config.cache_dir is not None:
            self.others = OtherFiles(config.cache_dir, self.namespace)

    def finish(self, tiers: Tiers, progress: Written) -> None:
        """Save what is not in any file yet, waiting for the writer as often as necessary."""
        disk = self.disk
        if disk is None:
            return
        left = disk.pending_bytes + sum(disk.cost(*unsaved) for unsaved in tiers.unsaved())
        total, before = min(left, disk.view().budget_bytes), disk.written_bytes
        # This is the last chance; but do not wait for anything that fails again.
        disk.try_again()
        failed = disk.failed
        while True:
            # Read first: what the writer is busy with may be written at any moment.
            pending = disk.pending_bytes
            saved = tiers.save(1) if disk.failed == failed else 0
            progress(min(disk.written_bytes - before, total), total)
            if saved and not disk.busy:
                continue
            if not saved and not pending:
                return
            disk.wait(WAIT_S)

    def close(self) -> None:
        """Finish pending writes."""
        if self.disk is not None:
            self.disk.close()


def _namespace(folder: Path, model: HybridModel, config: EngineConfig) -> str:
    """Weights, positions, dtypes, kernel and torch versions; in exact mode the threads too.

    A different number of threads may split a sum differently, which changes the last bit.
    """
    threads = f"{torch.get_num_threads()} threads" if config.mode == "exact" else "any threads"
    versions = (model.numerics, torch.__version__)
    return fingerprint(folder, str(model.dtype), model.device.type, threads, *versions)
