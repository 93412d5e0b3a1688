"""Small real segments, and stores that hold them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from engine.storage.disk_store import DiskStore
from engine.storage.segment_file import Segment, SegmentMeta, Sizes, prefix_key
from engine.stored_state import StoredState

FINGERPRINT = "f" * 32
# KV of one token as `segment` makes it, k and v of two layers, and more than its states take.
TOKEN_BYTES = 2 * 2 * 4 * 4
STATE_BYTES = 1 << 12
SIZES = Sizes(TOKEN_BYTES, STATE_BYTES, 1 << 30)


def tokens_of(seed: int, length: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1000, length).astype(np.int32)


def segment(
    whole: np.ndarray,
    start: int,
    end: int,
    *,
    dtype: torch.dtype = torch.float32,
    created: float = 12.5,
    **changed: Any,
) -> Segment:
    """The segment [start, end) of a sequence; its bytes follow from its tokens."""
    draw = torch.Generator().manual_seed(int(whole[:end].sum()) + end)
    shape = (2, 1, end - start, 4)
    kept = StoredState(end, cut_hash=17 + end, has_hidden=True, tier="disk")
    meta = SegmentMeta(
        key=prefix_key(whole[:end]),
        parent=prefix_key(whole[:start]) if start else "",
        start=start,
        created=created,
        state=replace(kept, **changed),
    )
    state = {
        "delta": torch.randn((1, 2, 3, 4), generator=draw),
        "delta_scale": torch.rand((1, 2, 3, 1), generator=draw),
        "conv": torch.randint(-127, 127, (1, 3, 5), generator=draw).to(torch.int8),
        "hidden": torch.randn(6, generator=draw).to(dtype),
    }
    return Segment(
        meta,
        whole[start:end].copy(),
        np.arange(start, end, dtype=np.int64) * 7,
        torch.randn(shape, generator=draw).to(dtype),
        torch.randn(shape, generator=draw).to(dtype),
        state,
    )


def open_store(
    folder: Path,
    told: list[str] | None = None,
    budget: int = 1 << 30,
    name: str = FINGERPRINT,
    token_bytes: int = TOKEN_BYTES,
) -> DiskStore:
    sizes = Sizes(token_bytes, STATE_BYTES, budget)
    return DiskStore(folder, name, sizes, (told if told is not None else []).append)


def same(found: Segment, store: DiskStore) -> bool:
    """Whether a store gives a segment's very bytes back."""
    kv, state = store.kv(found.meta.key), store.state(found.meta.key)
    if kv is None or state is None:
        return False
    return (
        torch.equal(kv[0], found.k)
        and torch.equal(kv[1], found.v)
        and state.keys() == found.state.keys()
        and all(torch.equal(state[name], found.state[name]) for name in state)
    )


def begins_as_a_segment(path: Path) -> bool:
    """Whether a file's first bytes say that Biplane wrote it; an empty one says nothing else."""
    raw = path.read_bytes()
    return not raw or raw[8:].startswith(b'{"__metadata__":{"biplane":')
