"""Disk tiers of a replay: one that reproduces the recorded one, and a simulated one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b

import numpy as np

from engine.cache.extents import Extents
from engine.cache.holding import Holding
from engine.cache.journal.request_ran import DiskOffer
from engine.cache.journal.segments import SegmentAdded
from engine.cache.match import Tags
from engine.cache.node import Tokens
from engine.cache.tiers.intake import Intake
from engine.cache.tiers.lower import FileCause, OnDisk
from engine.cache.view.overlay import LayerNode
from engine.snapshot import DiskView
from engine.stored_state import TierName

NO_FILES = DiskView(files=0, used_bytes=0, budget_bytes=0, pending=0, damaged=0)
NO_KEYS = ("",)


class RecordedDisk:
    """Offers each request what the recorded disk offered it, and stores nothing."""

    version = 0
    ready = False
    failed = 0

    def __init__(self) -> None:
        self._offers: deque[DiskOffer] = deque()
        self._tags: Tags | None = None

    def begins(self, offers: Iterable[DiskOffer], tags: Tags | None) -> None:
        """A request starts; `tags` are those that an exact prompt requires."""
        self._offers = deque(offers)
        self._tags = tags

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        if not self._offers:
            return None
        state = self._offers[0].state
        end = state.position
        tags = np.zeros(end, np.int64) if self._tags is None else self._tags[:end]
        return OnDisk(NO_KEYS, tags, state)

    def restore(self, found: OnDisk, start: int, extents: Extents, slot: int) -> bool:
        return bool(self._offers) and self._offers.popleft().outcome == Intake.TAKEN

    def has(self, holding: Holding) -> bool:
        return False

    def fits(self, path: Sequence[Holding]) -> bool:
        return False

    def save(self, holding: Holding, tier: TierName) -> bool:
        return False

    def holds(self, tokens: Tokens) -> bool:
        return False

    def remove(self, tokens: Tokens, beyond: int) -> None:
        pass

    def forget(self, tokens: Tokens, cause: FileCause = FileCause.DELETED) -> None:
        pass

    def clear(self) -> None:
        self._offers.clear()

    def layer(self) -> Iterable[LayerNode]:
        return ()

    def view(self) -> DiskView:
        return NO_FILES


class MadeUpDisk:
    """An unbounded disk, for a replay with other settings.

    Attributes:
        found: files that it began with.
    """

    version = 0
    ready = True
    failed = 0

    def __init__(self) -> None:
        self.found = 0
        self._files: dict[bytes, OnDisk] = {}
        self._ends: set[int] = set()
        # All tokens to the end of the segments that were found, by their names.
        self._paths: dict[str, Tokens] = {"": np.zeros(0, np.int32)}
        # The next file's number, and by length and key of a forgotten prefix the first that stays.
        self._saves = 0
        self._numbers: dict[bytes, int] = {}
        self._forgot: dict[tuple[int, bytes], int] = {}

    def begin_with(self, told: SegmentAdded) -> None:
        """Keep a file that the recorded disk had when it was opened; parents come first.

        Which cuts made its state is not recorded, so exact mode does not use it.
        """
        above, own = self._paths.get(told.parent), np.frombuffer(told.tokens, "<i4")
        if above is None or len(own) != told.end - told.start or len(above) != told.start:
            return
        tokens = self._paths[told.key] = np.concatenate([above, own]).astype(np.int32)
        tags = np.full(told.end, -1, np.int64)
        self._keep(tokens, OnDisk(NO_KEYS, tags, told.state.on("disk")))
        self.found += 1

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        for end in sorted((end for end in self._ends if end <= len(tokens)), reverse=True):
            found = self._file(tokens[:end])
            if found is None or (end == len(tokens) and not found.state.has_hidden):
                continue
            if usable(found):
                return found
        return None

    def restore(self, found: OnDisk, start: int, extents: Extents, slot: int) -> bool:
        return True

    def has(self, holding: Holding) -> bool:
        return self._file(holding.tokens) is not None

    def fits(self, path: Sequence[Holding]) -> bool:
        return True

    def save(self, holding: Holding, tier: TierName) -> bool:
        held = holding.checkpoint
        if held is None or self._file(holding.tokens) is not None:
            return False
        self._keep(holding.tokens, OnDisk(NO_KEYS, holding.tags, held.state.on("disk")))
        return True

    def holds(self, tokens: Tokens) -> bool:
        return self._file(tokens) is not None

    def remove(self, tokens: Tokens, beyond: int) -> None:
        pass

    def forget(self, tokens: Tokens, cause: FileCause = FileCause.DELETED) -> None:
        self._forgot[len(tokens), _key(tokens)] = self._saves

    def clear(self) -> None:
        self._files.clear()
        self._ends.clear()
        self._forgot.clear()

    def layer(self) -> Iterable[LayerNode]:
        return ()

    def view(self) -> DiskView:
        return NO_FILES

    def _keep(self, tokens: Tokens, file: OnDisk) -> None:
        key = _key(tokens)
        self._numbers[key] = self._saves
        self._saves += 1
        self._files[key] = file
        self._ends.add(len(tokens))

    def _file(self, tokens: Tokens) -> OnDisk | None:
        """The file of exactly these tokens, unless it was forgotten since it was saved."""
        key = _key(tokens)
        found = self._files.get(key)
        if found is None:
            return None
        for (length, prefix), stays in self._forgot.items():
            gone = self._numbers[key] < stays and length <= len(tokens)
            if gone and _key(tokens[:length]) == prefix:
                return None
        return found


def _key(tokens: Tokens) -> bytes:
    return blake2b(tokens.tobytes(), digest_size=16).digest()
