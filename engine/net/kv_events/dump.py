"""The cache contents before anyone subscribed, from a KV event indexer: Dynamo's `GET /dump`.

`python -m dynamo.indexer` subscribes to the events of vLLM and SGLang, and returns its trees as
events that would rebuild them: blocks by the engine's own hashes, without their tokens.

Source: Dynamo's documentation, "Standalone KV Indexer", and its lib/kv-router/src/protocols.rs.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from engine.errors import RemoteError
from engine.net.client.address import Address
from engine.net.client.exchange import Exchange, Patience
from engine.net.kv_events.wire import MOST_TOKENS_IN_BLOCK, Hash

# A million blocks take some 120 MB as JSON.
MOST_BYTES = 1 << 30
_LARGEST = (1 << 31) - 1
_PATIENCE = Patience(connect_s=5, read_s=60)
_TIERS = {"device": "device", "host_pinned": "host"}


class _Block(msgspec.Struct, gc=False):
    block_hash: int


class _Stored(msgspec.Struct, gc=False):
    blocks: list[_Block]
    parent_hash: int | None = None


class _Data(msgspec.Struct, gc=False):
    """A dump has only events that store blocks."""

    stored: _Stored | None = None


class _Event(msgspec.Struct, gc=False):
    # "cleared" is a bare string.
    data: _Data | str
    dp_rank: int = 0


class _Told(msgspec.Struct, gc=False):
    worker_id: int
    event: _Event
    storage_tier: str = "device"


class _Tree(msgspec.Struct, gc=False):
    block_size: int
    events: list[_Told]


@dataclass(frozen=True, slots=True)
class DumpedBlocks:
    """Consecutive blocks.

    Attributes:
        tier: "device" or "host".
        size: tokens of a block.
        before: hash of the block before the first one; None at the start of a sequence.
    """

    tier: str
    size: int
    hashes: tuple[int, ...]
    before: int | None


@dataclass(frozen=True, slots=True)
class Dump:
    """The blocks of several engines.

    Attributes:
        workers: by the indexer's name of an engine: its number, and ":1" for its rank 1.
        left_out: number of blocks on tiers that are not drawn.
    """

    workers: Mapping[str, tuple[DumpedBlocks, ...]]
    left_out: int = 0

    def of(self, labels: Sequence[str]) -> dict[int, tuple[DumpedBlocks, ...]]:
        """The blocks of the engines with these labels, by position.

        If both sides have a single engine, they are matched whatever the labels.

        Raises:
            RemoteError: it has other engines, but none of these.
        """
        if len(labels) == len(self.workers) == 1:
            return {0: next(iter(self.workers.values()))}
        found = {n: self.workers[name] for n, name in enumerate(labels) if name in self.workers}
        if self.workers and not found:
            named = ", ".join(list(self.workers)[:8])
            raise RemoteError(
                f"The indexer knows {named}: name the engines as it does, such as "
                "--worker 1=tcp://127.0.0.1:5557."
            )
        return found


def parse(data: bytes) -> Dump:
    """Parse a dump. Raises RemoteError if it is invalid; the sentence says what is wrong."""
    try:
        raw: dict[str, Any] = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        trees = {name: msgspec.json.decode(tree, type=_Tree) for name, tree in raw.items()}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RemoteError(
            f"What the indexer gave is not a dump of Dynamo's indexer 1.0 or newer: {error}."
        ) from None
    workers: defaultdict[str, list[DumpedBlocks]] = defaultdict(list)
    left_out = 0
    for name, tree in trees.items():
        if not 0 < tree.block_size <= MOST_TOKENS_IN_BLOCK:
            raise RemoteError(f"The indexer's blocks of {name[:80]!r} have an impossible size.")
        for told in tree.events:
            stored = told.event.data.stored if isinstance(told.event.data, _Data) else None
            if stored is None:
                continue
            tier = _TIERS.get(told.storage_tier, "")
            if not tier:
                left_out += len(stored.blocks)
                continue
            rank = told.event.dp_rank
            label = f"{told.worker_id}:{rank}" if rank else str(told.worker_id)
            hashes = tuple(block.block_hash for block in stored.blocks)
            workers[label].append(DumpedBlocks(tier, tree.block_size, hashes, stored.parent_hash))
    return Dump({label: tuple(found) for label, found in workers.items()}, left_out)


def read(where: Address | Path) -> Dump:
    """Get a dump from an indexer's address or a file. Raises RemoteError on failure."""
    if isinstance(where, Path):
        try:
            return parse(where.read_bytes())
        except OSError as error:
            raise RemoteError(
                "{name} cannot be read: {reason}.", name=where, reason=error.strerror
            ) from error
    with Exchange(where, _PATIENCE) as exchange:
        exchange.ask("GET", where.path)
        return parse(exchange.whole(MOST_BYTES))


class Blanks:
    """Placeholders for tokens that a dump lacks: numbers too large for a token id.

    A trace can store them, unlike negative ones.
    """

    def __init__(self) -> None:
        self._by_name: dict[Hash, bytes] = {}
        self._given = 0

    def of(self, name: Hash, size: int) -> bytes:
        """`[size] int32` for a block, the same on all tiers."""
        found = self._by_name.get(name)
        if found is None:
            first = _LARGEST - self._given
            self._given += size
            numbers = array("i", range(first, first - size, -1))
            found = self._by_name[name] = numbers.tobytes()
        return found
