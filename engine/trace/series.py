"""How many bytes each tier held in each plane, change by change."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.cache.journal.changes import CacheFound, CacheOpened, CheckpointStored, NodeAdded
from engine.cache.journal.journal import Entry
from engine.snapshot import Evicted
from engine.trace.file_bytes import FILE_CHANGES, FileBytes

DISK = "disk"
# Tier and plane, in the order in which they are stacked.
BANDS = tuple((tier, plane) for tier in ("device", "host", "disk") for plane in ("kv", "state"))
# What changes how many there are, beside evictions.
COUNTED = FILE_CHANGES | {NodeAdded, CheckpointStored, CacheOpened, CacheFound}


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Columns with a row for each change.

    Attributes:
        index: `[n] int64`, the moment after the change.
        time: `[n] float64`, seconds on the tape's clock.
        bytes: by tier and plane, `[n] int64` that the tree, or the files, hold from then on; zeros
            for a disk tier of which nothing is told.
    """

    index: npt.NDArray[np.int64]
    time: npt.NDArray[np.float64]
    bytes: Mapping[tuple[str, str], npt.NDArray[np.int64]]


class SeriesMaker:
    """Follows every entry of a journal, and the evictions that it records."""

    def __init__(self) -> None:
        self._now = dict.fromkeys(BANDS, 0)
        self._files = FileBytes()
        self._slots: dict[str, tuple[int, int]] = {}
        self._index, self._time = array("q"), array("d")
        self._bytes = {band: array("q") for band in BANDS}

    def follow(self, index: int, time: float, entry: Entry, gone: Iterable[Evicted]) -> None:
        """The entry after which the moment is `index`, and what it evicted."""
        what, tier = entry.what, entry.tier
        changed = True
        if tier == DISK:
            changed = self._files.follow(what)
            self._now[DISK, "kv"], self._now[DISK, "state"] = self._files.kv, self._files.rest
        elif type(what) is NodeAdded:
            self._now[tier, "kv"] += (what.end - what.start) * self._slots[tier][0]
        elif type(what) is CheckpointStored:
            self._now[tier, "state"] += self._slots[tier][1]
        elif type(what) is CacheOpened:
            self._open(tier, what, 0, 0)
        elif type(what) is CacheFound:
            tokens = sum(node.end - node.start for node in what.nodes)
            states = sum(node.checkpoint is not None for node in what.nodes)
            self._open(tier, what.opened, tokens, states)
        else:
            changed = False
        for one in gone:
            if one.tier == DISK:
                continue
            changed = True
            self._now[one.tier, "kv"] -= one.kv_bytes
            self._now[one.tier, "state"] -= one.state_bytes
        if changed:
            self._index.append(index)
            self._time.append(time)
            for band, column in self._bytes.items():
                column.append(self._now[band])

    def series(self) -> Series:
        """All rows so far, also while another thread adds more."""
        # Slices, since an array cannot grow while numpy looks into it; the last band is whole last.
        bands = [(band, column[:]) for band, column in reversed(self._bytes.items())]
        rows = len(bands[0][1])
        return Series(
            np.array(self._index[:rows], np.int64),
            np.array(self._time[:rows], np.float64),
            {band: np.array(column[:rows], np.int64) for band, column in reversed(bands)},
        )

    def _open(self, tier: str, opened: CacheOpened, tokens: int, states: int) -> None:
        self._slots[tier] = opened.kv_slot_bytes, opened.state_slot_bytes
        self._now[tier, "kv"] = tokens * opened.kv_slot_bytes
        self._now[tier, "state"] = states * opened.state_slot_bytes
