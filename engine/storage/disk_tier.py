"""The disk tier: the cache's tier interface, implemented with files and planes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from msgspec import structs

from engine.analysis.why.divergence import places_of
from engine.cache.extents import Extents, part
from engine.cache.holding import Holding
from engine.cache.journal.changes import Change, DiskOpened
from engine.cache.lines import Line
from engine.cache.node import Checkpoint, Tokens
from engine.cache.tiers.lower import FileCause, OnDisk
from engine.config import StateFormat
from engine.planes import KVPlane, StatePlane
from engine.snapshot import DiskView
from engine.storage.disk_index import Lineage, SegmentRecords, StoredSegment
from engine.storage.disk_store import DiskStore
from engine.storage.host_planes import (
    HostStates,
    gather_kv,
    pack_state,
    packed_slot_bytes,
    scatter_kv,
    unpack_state,
)
from engine.storage.segment_file import Segment, SegmentMeta, Sizes, prefix_key
from engine.stored_state import TierName

# An upper limit on a file's size besides its tensors.
HEADER_BYTES = 4096
# A token id and a tag.
SEQUENCE_BYTES = 12


def sizes_of(kv: KVPlane, states: StatePlane, budget: int) -> Sizes:
    """The size limits of files of a model with these planes."""
    return Sizes(kv.slot_bytes, packed_slot_bytes(states.shape, "none"), budget)


class DiskTier:
    """The engine's `Disk`; see engine/cache/tiers/lower.py for the contract."""

    def __init__(
        self,
        store: DiskStore,
        records: SegmentRecords,
        kv: KVPlane,
        states: StatePlane,
        form: StateFormat,
        host: tuple[KVPlane, HostStates] | None = None,
    ) -> None:
        """`form`: the format of states; `host`: the host tier's planes, if there is one."""
        self._store = store
        self._records = records
        self._state_bytes = packed_slot_bytes(states.shape, form)
        self._kv, self._states = kv, states
        self._form: StateFormat = form
        self._host = host

    def settle(self) -> None:
        """Process what the writer has finished."""
        self._store.settle()

    @property
    def ready(self) -> bool:
        """Whether `save` currently accepts anything."""
        self._store.settle()
        return self._store.ready

    @property
    def failed(self) -> int:
        """The number of checkpoints that `save` accepted but could not be written."""
        return self._store.failed

    @property
    def busy(self) -> bool:
        """Whether it will be ready again without intervention."""
        return self._store.busy

    @property
    def pending(self) -> int:
        """Number of segments not written yet."""
        return self._store.pending

    @property
    def pending_bytes(self) -> int:
        """Number of bytes not written yet."""
        return self._store.pending_bytes

    @property
    def written_bytes(self) -> int:
        """Number of bytes written since the start."""
        return self._store.written_bytes

    def wait(self, seconds: float) -> None:
        """Wait until something was written, at most this long."""
        self._store.wait(seconds)

    def try_again(self) -> None:
        """Retry the next write at once, however recently one failed."""
        self._store.try_again()

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        """The deepest usable checkpoint among the prefixes of `tokens`."""
        lineage = self._store.match(tokens, lambda lineage: usable(self._on_disk(lineage)))
        return self._on_disk(lineage) if lineage else None

    def lines(self, known: Callable[[Tokens], int], overlap: int, limit: int) -> tuple[Line, ...]:
        """See engine.cache.tiers.lower.Disk; nothing is read from the files themselves."""
        found: list[Line] = []
        for lineage in self._store.paths():
            if limit <= 0:
                break
            tokens = np.concatenate([entry.tokens for entry in lineage])
            limit -= len(tokens)
            told = known(tokens)
            if told < len(tokens):
                rest = tokens[max(told - overlap, 0) :]
                # Files have no numbers.
                found.append(Line(rest, (len(rest),), ((0, len(tokens)),)))
        return tuple(reversed(found))

    @property
    def missed_a_file(self) -> bool:
        """Whether the last segment that could not be read had lost its file."""
        return self._store.lost is FileCause.GONE

    def written_elsewhere(self, tokens: Tokens, positions: Iterable[int]) -> int:
        """The deepest of these positions up to which files of other namespaces have the tokens.

        0 if there is none. They have the same ids, but perhaps of another tokenizer.
        """
        keys = {prefix_key(tokens[:at]): at for at in positions}
        return max((keys[key] for key in self._store.elsewhere(keys)), default=0)

    def sequence_with(self, run: Tokens) -> Tokens | None:
        """The tokens, from the start, of a file that contains this run of tokens; None if none."""
        for entry in self._store.entries():
            if next(places_of(run, entry.tokens), None) is not None:
                lineage = self._store.lineage(entry.meta.key)
                return np.concatenate([one.tokens for one in lineage])
        return None

    def restore(self, found: OnDisk, start: int, extents: Extents, slot: int) -> bool:
        """Read the KV of [start, end) and the state; False if a file is damaged or missing."""
        state = self._store.state(found.keys[-1])
        if state is None:
            return False
        lineage = self._store.lineage(found.keys[-1])
        if not lineage:
            return False
        at = 0
        for meta in (entry.meta for entry in lineage):
            if meta.end <= start:
                continue
            parts = self._store.kv(meta.key)
            if parts is None:
                return False
            low = max(start, meta.start)
            k, v = (whole[:, :, low - meta.start :] for whole in parts)
            scatter_kv(k, v, self._kv, part(extents, at, at + meta.end - low))
            at += meta.end - low
        try:
            unpack_state(dict(state), self._states, slot)
        except (KeyError, ValueError):
            # Intact, but not a state of this model: useless.
            self._store.remove(found.keys[-1], FileCause.DAMAGED)
            return False
        self._store.touch(found.keys)
        return True

    def has(self, holding: Holding) -> bool:
        """Whether a file has it, or one as good; records its last use."""
        held = holding.checkpoint
        assert held is not None, "only checkpoints are saved"
        there = self._store.lineage(prefix_key(holding.tokens))
        if not there or self._replaces(held, there[-1].meta):
            return False
        self._store.touch((entry.meta.key for entry in there), self._used(held))
        return True

    def fits(self, path: Sequence[Holding]) -> bool:
        """Whether all could be saved, each replacing only older segments."""
        above = self._above(path[0])
        at = above[-1].meta.end if above else 0
        needed = 0
        for holding in path:
            assert holding.checkpoint is not None, "only checkpoints are saved"
            needed += self._cost(len(holding.tokens) - at)
            if needed > self._store.room(self._used(holding.checkpoint), above):
                return False
            at = len(holding.tokens)
        return True

    def cost(self, holding: Holding, beyond: int) -> int:
        """Approximate bytes of its file if another file has the KV up to `beyond`."""
        above = self._above(holding)
        return self._cost(len(holding.tokens) - max(above[-1].meta.end if above else 0, beyond))

    def save(self, holding: Holding, tier: TierName) -> bool:
        """Copy a checkpoint and the KV that no file has yet, to be written in the background."""
        held = holding.checkpoint
        assert held is not None, "only checkpoints are saved"
        key, used = prefix_key(holding.tokens), self._used(held)
        # Check everything possible before copying a byte.
        if not self.ready or self.has(holding) or self._store.refuses(key, used):
            return False
        if not self.fits((holding,)):
            return False
        above = self._above(holding)
        start = above[-1].meta.end if above else 0
        end = len(holding.tokens)
        plane, state = self._kv, held.state.on("disk")
        if tier == "host":
            assert self._host is not None, "there is no host tier to save from"
            plane, states = self._host
            packed = {name: tensor.clone() for name, tensor in states[held.slot].items()}
        else:
            packed, error = pack_state(self._states, held.slot, self._form)
            state = state.packed(self._form, error)
        k, v = gather_kv(plane, part(holding.extents, start, end))
        parent = above[-1].meta.key if above else ""
        created = self._records.wall(held.created)
        meta = SegmentMeta(key, parent, start, created, self._records.state_in_file(state))
        tokens, tags = holding.tokens[start:].copy(), holding.tags[start:].copy()
        return self._store.put(Segment(meta, tokens, tags, k, v, packed), used)

    def holds(self, tokens: Tokens) -> bool:
        """Whether a file has, or soon will have, the checkpoint after exactly these tokens."""
        return bool(self._store.lineage(prefix_key(tokens)))

    def remove(self, tokens: Tokens, beyond: int) -> None:
        """Remove the state found wrong after these tokens, and everything computed from it."""
        self._store.remove_passing(tokens, FileCause.QUARANTINED)
        for entry in self._store.on_the_way(tokens):
            if entry.meta.end > beyond and not entry.meta.state.verified:
                self._store.remove(entry.meta.key, FileCause.QUARANTINED)

    def forget(self, tokens: Tokens, cause: FileCause = FileCause.DELETED) -> None:
        """Remove every sequence that begins with `tokens`, written or not."""
        self._store.remove_passing(tokens, cause)

    def names(self) -> frozenset[str]:
        """The names of its files."""
        return frozenset(entry.meta.file_name for entry in self._store.entries())

    def leftovers(self) -> int:
        """Number of files of removed segments still present; retries removing them."""
        return self._store.leftovers()

    def clear(self) -> None:
        """Remove every file."""
        self._store.clear()

    def told(self) -> Iterator[Change]:
        """Records that describe the tier to a late listener of the journal."""
        store = self._store
        store.settle()
        view = self.view()
        yield DiskOpened(view.budget_bytes, self._records.kv_slot_bytes, view.damaged, view.trouble)
        for entry in store.entries():
            waits = store.waits(entry.meta.key)
            added = self._records.added(entry, written=not waits, found=True)
            yield structs.replace(added, tokens=_packed(entry))

    def span_of(self, key: str) -> bytes:
        """The tokens of a segment as a record has them; b"" if it was removed."""
        lineage = self._store.lineage(key)
        return _packed(lineage[-1]) if lineage else b""

    def view(self) -> DiskView:
        """Files and bytes as of the last `settle`."""
        store = self._store
        return DiskView(
            store.files,
            store.used_bytes,
            store.budget,
            store.pending,
            store.damaged,
            store.trouble,
        )

    def close(self) -> None:
        """Finish writing."""
        self._store.close()

    def _above(self, holding: Holding) -> Lineage:
        """The deepest segments that this one can continue: those with the same KV."""

        def same(lineage: Lineage) -> bool:
            return lineage[-1].meta.end < len(holding.tokens) and all(
                np.array_equal(entry.tags, holding.tags[entry.meta.start : entry.meta.end])
                for entry in lineage
            )

        return self._store.match(holding.tokens, same)

    def _replaces(self, held: Checkpoint, old: SegmentMeta) -> bool:
        """Whether a better state replaces a file's.

        Never if it would be packed on the way: the file would be as coarse as before. Nor for the
        hidden row alone: it saves one token, and the whole file would be rewritten.
        """
        if self._form != "none":
            return False
        return replace(held.state, has_hidden=old.state.has_hidden).better_than(old.state)

    def _on_disk(self, lineage: Lineage) -> OnDisk:
        meta = lineage[-1].meta
        return OnDisk(
            keys=tuple(entry.meta.key for entry in lineage),
            tags=np.concatenate([entry.tags for entry in lineage]),
            state=self._records.state(meta.state),
        )

    def _cost(self, span: int) -> int:
        """Upper limit on the bytes of a segment of this many tokens."""
        return self._state_bytes + span * (self._kv.slot_bytes + SEQUENCE_BYTES) + HEADER_BYTES

    def _used(self, held: Checkpoint) -> float:
        """Its last use, seconds since 1970."""
        return self._records.wall(held.used.time)


def _packed(entry: StoredSegment) -> bytes:
    """The tokens of its span as a record has them."""
    return entry.tokens.astype("<i4", copy=False).tobytes()
