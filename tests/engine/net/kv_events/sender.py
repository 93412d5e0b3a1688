"""An engine that publishes KV events, and what a network may do to them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

Form = tuple[bool, bool]
"""Whether a batch is a map, and whether its events are."""
FORMS: tuple[Form, ...] = ((True, True), (False, True), (False, False), (True, False))
BLOCK = 4


@dataclass
class Block:
    """A cached block as its sender knows it."""

    parent: int | None
    tokens: tuple[int, ...]
    copies: int = 1


def block_hash(parent: int | None, tokens: tuple[int, ...], salt: int = 0) -> int:
    # Of numbers alone: in Python 3.11 the hash of None is another one in each process.
    return hash((-1 if parent is None else parent, tokens, salt)) & (2**63 - 1)


def stored(
    hashes: list[int], parent: int | None, tokens: list[int], size: int = BLOCK, **more: Any
) -> dict[str, Any]:
    return {
        "type": "BlockStored",
        "block_hashes": hashes,
        "parent_block_hash": parent,
        "token_ids": tokens,
        "block_size": size,
        "lora_id": None,
        "medium": "GPU",
        "lora_name": None,
        **more,
    }


def removed(hashes: list[int], medium: str = "GPU") -> dict[str, Any]:
    return {"type": "BlockRemoved", "block_hashes": hashes, "medium": medium}


def encoded(events: list[dict[str, Any]], ts: float = 1.0, form: Form = (True, True)) -> bytes:
    """A batch in one of the four forms."""
    if not form[1]:
        sent: list[Any] = [list(event.values()) for event in events]
    else:
        sent = list(events)
    batch = {"ts": ts, "events": sent, "data_parallel_rank": 0}
    return msgspec.msgpack.encode(batch if form[0] else list(batch.values()))


@dataclass
class Sender:
    """Caches random sequences, evicts random blocks, and tells of it, a batch at a time.

    Attributes:
        blocks: what it has.
        sent: every batch so far.
        again: how often it caches a block that it has once more.
    """

    rng: random.Random
    form: Form = (True, True)
    again: float = 0.03
    blocks: dict[int, Block] = field(default_factory=dict)
    sent: list[bytes] = field(default_factory=list)
    _events: list[dict[str, Any]] = field(default_factory=list)

    def run(self, batches: int) -> Iterator[tuple[int, bytes]]:
        """So many batches, each with its number."""
        for _ in range(batches):
            for _ in range(self.rng.randint(0, 4)):
                self._act()
            yield self.publish()

    def publish(self) -> tuple[int, bytes]:
        payload = encoded(self._events, float(len(self.sent)), self.form)
        self._events = []
        self.sent.append(payload)
        return len(self.sent) - 1, payload

    def store(self, tokens: list[int], salt: int = 0) -> None:
        """Cache a sequence, block by block, as one event for what is new of it."""
        parent: int | None = None
        first: int | None = None
        new: list[int] = []
        ids: list[int] = []
        for at in range(0, len(tokens) - BLOCK + 1, BLOCK):
            part = tuple(tokens[at : at + BLOCK])
            name = block_hash(parent, part, salt)
            known = self.blocks.get(name)
            if known is None or new or self.rng.random() < self.again:
                if not new:
                    first = parent
                if known is None:
                    self.blocks[name] = Block(parent, part)
                else:
                    known.copies += 1
                new.append(name)
                ids += part
            parent = name
        if new:
            self._events.append(stored(new, first, ids))

    def remove(self, names: list[int]) -> None:
        for name in names:
            self.blocks[name].copies -= 1
            if not self.blocks[name].copies:
                del self.blocks[name]
        self._events.append(removed(names))

    def clear(self) -> None:
        self.blocks.clear()
        self._events.append({"type": "AllBlocksCleared"})

    def tree(self) -> dict[int, tuple[int | None, int]]:
        """Parent and copies by hash."""
        return {name: (block.parent, block.copies) for name, block in self.blocks.items()}

    def sequences(self) -> set[tuple[int, ...]]:
        """The tokens down to the end of every block that can be reached from the start."""
        known: dict[int, tuple[int, ...] | None] = {}

        def path(name: int) -> tuple[int, ...] | None:
            if name not in known:
                block = self.blocks.get(name)
                if block is None:
                    known[name] = None
                elif block.parent is None:
                    known[name] = block.tokens
                else:
                    above = path(block.parent)
                    known[name] = None if above is None else above + block.tokens
            return known[name]

        return {found for name in self.blocks if (found := path(name)) is not None}

    def _act(self) -> None:
        rng = self.rng
        what = rng.random()
        if what < 0.62 or not self.blocks:
            # Few different tokens, so that sequences share beginnings, within blocks, too.
            length = rng.randint(1, 40)
            salt = int(rng.random() < 0.05)
            self.store([rng.randint(1, 2) for _ in range(length)], salt)
        elif what < 0.97:
            leaves = self.blocks.keys() - {block.parent for block in self.blocks.values()}
            pool = sorted(leaves) if rng.random() < 0.8 else sorted(self.blocks)
            names = rng.sample(pool, min(len(pool), rng.randint(1, 3)))
            self.remove(names)
        else:
            self.clear()


def shuffled(
    sent: list[tuple[int, bytes]],
    rng: random.Random,
    *,
    lost: float = 0.0,
    repeated: float = 0.0,
    late: float = 0.0,
) -> list[tuple[int, bytes]]:
    """What arrives of batches that some network loses, repeats, or delivers out of order."""
    arrived = []
    for place, batch in enumerate(sent):
        if rng.random() < lost:
            continue
        delay = rng.uniform(0, 6) if rng.random() < late else 0.0
        arrived.append((place + delay, batch))
        if rng.random() < repeated:
            arrived.append((place + rng.uniform(0, 12), batch))
    arrived.sort(key=lambda one: one[0])
    return [batch for _, batch in arrived]
