"""Recurrent states of one engine on one tier, as far as its events report them.

A hybrid engine keeps each kind of layers in groups, and reports the blocks of each. A block of a
group of recurrent layers is the state at its end; all groups must have it, or nothing can resume
there.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.net.kv_events.wire import Hash

STATE_KINDS = frozenset({"mamba"})


class StateTable:
    """States by the hash of the KV block at whose end they are.

    Attributes:
        changed: hashes whose state came or went since this was last emptied.
    """

    def __init__(self) -> None:
        self._copies: dict[int, dict[Hash, int]] = {}
        self.changed: dict[Hash, None] = {}

    @property
    def told(self) -> bool:
        """Whether the engine reports states at all."""
        return bool(self._copies)

    def store(self, group: int, hashes: Sequence[Hash]) -> None:
        copies = self._copies.setdefault(group, {})
        for one in hashes:
            copies[one] = copies.get(one, 0) + 1
            self.changed[one] = None

    def remove(self, group: int, hashes: Sequence[Hash]) -> None:
        copies = self._copies.setdefault(group, {})
        for one in hashes:
            left = copies.get(one, 0) - 1
            if left > 0:
                copies[one] = left
            else:
                copies.pop(one, None)
            self.changed[one] = None

    def clear(self) -> None:
        for copies in self._copies.values():
            self.changed.update(dict.fromkeys(copies))
            copies.clear()

    def __contains__(self, one: Hash) -> bool:
        """Whether every group has the state there."""
        return all(one in copies for copies in self._copies.values()) and self.told
