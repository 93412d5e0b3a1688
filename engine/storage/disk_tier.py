"""The disk tier: what the cache's tiers ask of it, in terms of files and planes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

import numpy as np

from engine.cache.holding import Holding
from engine.cache.lower import OnDisk
from engine.cache.node import Checkpoint, Origin, Provenance, TierName, Tokens, coarser
from engine.cache.overlay import LayerNode
from engine.cache.runs import Runs, part
from engine.config import StateFormat
from engine.planes import KVPlane, StatePlane
from engine.snapshot import CheckpointView, DiskView
from engine.storage.disk_index import Chain
from engine.storage.disk_store import DiskStore
from engine.storage.host_planes import HostStates, gather_kv, pack_state, scatter_kv, unpack_state
from engine.storage.segment_file import Segment, prefix_key
from engine.storage.segment_meta import SegmentMeta
from engine.verdict import Verdict, VerdictStatus


class DiskTier:
    """The engine's `Disk`; see engine/cache/lower.py for the contract."""

    def __init__(
        self,
        store: DiskStore,
        kv: KVPlane,
        states: StatePlane,
        form: StateFormat,
        host: tuple[KVPlane, HostStates] | None = None,
    ) -> None:
        """`form`: how states are written; `host`: the host tier's planes, where there is one."""
        self._store = store
        self._kv, self._states = kv, states
        self._form: StateFormat = form
        self._host = host

    @property
    def version(self) -> int:
        """Grows with every visible change."""
        self._store.settle()
        return self._store.version

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        """The deepest usable checkpoint among the prefixes of `tokens`."""
        chain = self._store.match(tokens, lambda chain: usable(_on_disk(chain)))
        return _on_disk(chain) if chain else None

    def restore(self, found: OnDisk, start: int, runs: Runs, slot: int) -> bool:
        """Read the KV of [start, end) and the state; False where a file is damaged or gone."""
        state = self._store.state(found.keys[-1])
        if state is None:
            return False
        chain = self._store.chain(found.keys[-1])
        if not chain:
            return False
        at = 0
        for meta in (entry.meta for entry in chain):
            if meta.end <= start:
                continue
            parts = self._store.kv(meta.key)
            if parts is None:
                return False
            low = max(start, meta.start)
            k, v = (whole[:, :, low - meta.start :] for whole in parts)
            scatter_kv(k, v, self._kv, part(runs, at, at + meta.end - low))
            at += meta.end - low
        try:
            unpack_state(dict(state), self._states, slot)
        except (KeyError, ValueError):
            # Whole, but not a state of this model: no use to anybody.
            self._store.remove(found.keys[-1])
            return False
        self._store.touch(found.keys)
        return True

    def save(self, holding: Holding, tier: TierName) -> bool:
        """Copy a checkpoint and what no file has yet of its KV, to be written in the background."""
        held = holding.checkpoint
        assert held is not None, "only checkpoints are saved"
        key = prefix_key(holding.tokens)
        there = self._store.chain(key)
        if there and not _replaces(held, there[-1].meta, self._form):
            return False
        above = self._above(holding)
        start = above[-1].meta.end if above else 0
        end = len(holding.tokens)
        plane, (packed, error, form) = self._kv, (None, 0.0, held.stored)
        if tier == "host":
            assert self._host is not None, "there is no host tier to save from"
            plane, states = self._host
            packed = {name: tensor.clone() for name, tensor in states[held.slot].items()}
        else:
            packed, error = pack_state(self._states, held.slot, self._form)
            form = coarser(held.stored, self._form)
        k, v = gather_kv(plane, part(holding.runs, start, end))
        verdict = held.verdict
        meta = SegmentMeta(
            key=key,
            parent=above[-1].meta.key if above else "",
            start=start,
            end=end,
            provenance=held.provenance,
            chain=held.chain,
            has_hidden=held.has_hidden,
            stored=form,
            error=max(error, held.error),
            created=held.created,
            verdict=None
            if verdict is None
            else (verdict.status, verdict.largest, verdict.kl, verdict.time),
        )
        tokens, tags = holding.tokens[start:].copy(), holding.tags[start:].copy()
        return self._store.put(Segment(meta, tokens, tags, k, v, packed))

    def remove(self, tokens: Tokens) -> None:
        """Remove the checkpoint after exactly these tokens, and what goes on from it."""
        self._store.remove(prefix_key(tokens))

    def clear(self) -> None:
        """Remove every file."""
        self._store.clear()

    def layer(self) -> Iterator[LayerNode]:
        """The segments for the overlay, parents first."""
        for entry in self._store.entries():
            meta = entry.meta
            point = CheckpointView(
                position=meta.end,
                slot=0,
                provenance=meta.provenance,
                tier="disk",
                bytes=max(entry.nbytes - self._kv.slot_bytes * (meta.end - meta.start), 0),
                created=meta.created,
                last_used=meta.created,
                hits=0,
                stored=meta.stored,
                error=meta.error,
                verdict=_verdict(meta),
                exact=_origin(meta).exact(meta.provenance, meta.chain),
            )
            yield LayerNode(
                key=meta.key,
                parent=meta.parent,
                tokens=entry.tokens,
                kv_bytes=self._kv.slot_bytes * (meta.end - meta.start),
                checkpoint=point,
            )

    def view(self) -> DiskView:
        """Files and bytes."""
        store = self._store
        return DiskView(store.files, store.used_bytes, store.budget, store.pending, store.damaged)

    def close(self) -> None:
        """Finish writing."""
        self._store.close()

    def _above(self, holding: Holding) -> Chain:
        """The deepest segments that this one can go on from: those with the very same KV."""

        def same(chain: Chain) -> bool:
            return chain[-1].meta.end < len(holding.tokens) and all(
                np.array_equal(entry.tags, holding.tags[entry.meta.start : entry.meta.end])
                for entry in chain
            )

        return self._store.match(holding.tokens, same)


def _replaces(held: Checkpoint, old: SegmentMeta, form: StateFormat) -> bool:
    """A whole state takes the place of one that is not, one for exact mode that of any other.

    Never where it would be packed on its way: the file would be as coarse as before.
    """
    if form != "none":
        return False
    there = _origin(old)
    if held.origin.whole and not there.whole:
        return True
    return held.exact and not (old.provenance == "prefill" and old.chain == held.chain)


def _origin(meta: SegmentMeta) -> Origin:
    return Origin("disk", cast(StateFormat, meta.stored), meta.error, _verdict(meta))


def _on_disk(chain: Chain) -> OnDisk:
    meta = chain[-1].meta
    return OnDisk(
        keys=tuple(entry.meta.key for entry in chain),
        end=meta.end,
        tags=np.concatenate([entry.tags for entry in chain]),
        provenance=cast(Provenance, meta.provenance),
        chain=meta.chain,
        has_hidden=meta.has_hidden,
        origin=_origin(meta),
    )


def _verdict(meta: SegmentMeta) -> Verdict | None:
    if meta.verdict is None:
        return None
    status, largest, kl, moment = meta.verdict
    return Verdict(cast(VerdictStatus, status), largest, kl, moment)
