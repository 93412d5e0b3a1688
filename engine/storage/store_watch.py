"""Who is told what becomes of the segments of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.cache.tiers.lower import FileCause
from engine.storage.disk_index import Entry
from engine.storage.segment_file import Tokens


class StoreWatch(Protocol):
    """Called on the thread that uses the store, after each change but a removal."""

    def added(self, entry: Entry) -> None:
        """It was accepted, and will be written; it replaces one with the same key."""

    def written(self, entry: Entry) -> None:
        """Its file is there."""

    def used(self, entries: Sequence[Entry]) -> None:
        """All of them were used at the same time, later than before."""

    def removed(self, entry: Entry, tokens: Tokens | None, cause: FileCause) -> None:
        """It is gone; `tokens`: from the root to its end, None if unknown.

        One that is superseded is replaced next.
        """

    def troubled(self, damaged: int, trouble: str) -> None:
        """Another file is damaged, or nothing can be written, or it can again ("")."""


class Unwatched:
    """Nobody."""

    def added(self, entry: Entry) -> None: ...

    def written(self, entry: Entry) -> None: ...

    def used(self, entries: Sequence[Entry]) -> None: ...

    def removed(self, entry: Entry, tokens: Tokens | None, cause: FileCause) -> None: ...

    def troubled(self, damaged: int, trouble: str) -> None: ...
