"""Small segments that are the same whenever they are made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from engine.storage.disk_store import DiskStore
from engine.storage.segment_file import SUFFIX, Segment, SegmentMeta, Sizes, prefix_key
from engine.stored_state import StoredState

NAMESPACE = "0123456789abcdef0123456789abcdef"
TOKENS = list(range(100, 164))
TOKEN_BYTES = 2 * 2 * 2 * 4 * 4
STATE_BYTES = 1 << 12
SIZES = Sizes(TOKEN_BYTES, STATE_BYTES, 1 << 30)


def segment(
    end: int,
    start: int = 0,
    *,
    tokens: Sequence[int] = TOKENS,
    tag: int = 1,
    has_hidden: bool = True,
    error: float = 0.0,
) -> Segment:
    """The segment [start, end) of `tokens`; its bytes follow from its arguments."""
    random = torch.Generator().manual_seed(1000 * end + 10 * start + tag)
    span = end - start
    meta = SegmentMeta(
        key=prefix_key(tokens[:end]),
        parent=prefix_key(tokens[:start]) if start else "",
        start=start,
        created=12.5,
        state=StoredState(end, cut_hash=7, has_hidden=has_hidden, error=error, tier="disk"),
    )
    return Segment(
        meta,
        np.asarray(tokens[start:end], np.int32),
        np.full(span, tag, np.int64),
        torch.randn(2, 2, span, 4, generator=random),
        torch.randn(2, 2, span, 4, generator=random),
        {
            "delta": torch.randint(-9, 9, (3, 4), dtype=torch.int8, generator=random),
            "delta_scale": torch.randn(3, generator=random),
            "conv": torch.randn(2, 3, generator=random).bfloat16(),
            "hidden": torch.randn(5, generator=random),
        },
    )


def sizes_of(budget: int) -> Sizes:
    return Sizes(TOKEN_BYTES, STATE_BYTES, budget)


class Opened:
    """A store and what it told."""

    def __init__(self, folder: Path, *, namespace: str = NAMESPACE, budget: int = 1 << 24) -> None:
        self.told: list[str] = []
        self.store = DiskStore(folder, namespace, sizes_of(budget), self.told.append)


def file_of(folder: Path, part: Segment) -> Path:
    return folder / NAMESPACE / (part.meta.key + SUFFIX)


def assert_same(store: DiskStore, part: Segment) -> None:
    """The store gives back every bit of the segment."""
    kv, state = store.kv(part.meta.key), store.state(part.meta.key)
    assert kv is not None
    assert state is not None
    assert torch.equal(kv[0], part.k)
    assert torch.equal(kv[1], part.v)
    assert set(state) == set(part.state)
    assert all(torch.equal(state[name], tensor) for name, tensor in part.state.items())
