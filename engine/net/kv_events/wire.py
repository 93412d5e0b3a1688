"""KV event batches as vLLM and SGLang publish them: untrusted msgpack.

Both engines send the same three kinds of events. A batch is a map or an array, and so is each of
its events; which of the four forms is sent depends on the engine and its version; all are read.

Sources: vllm/distributed/kv_events.py and sglang/srt/disaggregation/kv_events.py.
"""

from __future__ import annotations

from array import array
from collections import Counter
from typing import Any, ClassVar

import msgspec

from engine.errors import BiplaneError

# Of one batch: a prompt of a million tokens needs less.
LONGEST_BATCH = 8 << 20
# Hashes are whole numbers, or up to this many bytes.
LONGEST_HASH = 64
MOST_TOKENS_IN_BLOCK = 1 << 16
MOST_GROUPS = 64
# How many names of unknown kinds are counted separately.
MOST_KINDS = 16
TOKEN_BYTES = 4

Hash = int | bytes
# By the engines' names of storage media; "" is a tier that is not drawn.
TIERS = {"GPU": "device", "CPU": "host", "CPU_PINNED": "host", "CPU_TIER1": "host"}
KV_KINDS = frozenset({"", "full_attention", "mla_attention", "sink_full_attention"})


# Unused fields are not decoded.
_NOTHING = msgspec.Raw(b"\xc0")


class WireError(BiplaneError):
    """A batch or an event violates the schema; the sentence says how."""


class BlockStored(msgspec.Struct, tag="BlockStored", gc=False, frozen=True):
    """Blocks were cached, each after the one before it.

    Attributes:
        parent_block_hash: of the block before the first one; None at the start of a sequence.
        token_ids: of all blocks, `block_size` each.
        group_idx: the group of layers, if the engine has several.
        kv_cache_spec_kind: the kind of these layers.
    """

    block_hashes: list[Hash]
    parent_block_hash: Hash | None
    token_ids: list[int]
    block_size: int
    lora_id: msgspec.Raw = _NOTHING
    medium: str | None = None
    lora_name: str | None = None
    extra_keys: msgspec.Raw = _NOTHING
    group_idx: int | None = None
    kv_cache_spec_kind: str | None = None
    kv_cache_spec_sliding_window: int | None = None

    def tokens(self) -> bytes:
        """`[blocks * block_size] int32` of the blocks. Raises WireError if they do not fit."""
        size, ids = self.block_size, self.token_ids
        if not 0 < size <= MOST_TOKENS_IN_BLOCK:
            raise WireError("a block has an impossible size")
        if len(ids) != size * len(self.block_hashes):
            raise WireError("the tokens of an event do not fill its blocks")
        try:
            packed = array("i", ids)
        except OverflowError:
            raise WireError("a token has an impossible number") from None
        if ids and min(ids) < 0:
            raise WireError("a token has an impossible number")
        return packed.tobytes()


class BlockRemoved(msgspec.Struct, tag="BlockRemoved", gc=False, frozen=True):
    """One copy of each of these blocks was removed."""

    block_hashes: list[Hash]
    medium: str | None = None
    group_idx: int | None = None


class AllBlocksCleared(msgspec.Struct, tag="AllBlocksCleared", gc=False, frozen=True):
    """Everything was removed."""


class _StoredRow(BlockStored, tag="BlockStored", array_like=True, gc=False, frozen=True):
    """The array form."""


class _RemovedRow(BlockRemoved, tag="BlockRemoved", array_like=True, gc=False, frozen=True):
    """The array form."""


class _ClearedRow(AllBlocksCleared, tag="AllBlocksCleared", array_like=True, gc=False, frozen=True):
    """The array form."""


Event = BlockStored | BlockRemoved | AllBlocksCleared


class _Map(msgspec.Struct, gc=False):
    ts: float
    events: list[msgspec.Raw]
    data_parallel_rank: int | None = None


class _Row(msgspec.Struct, array_like=True, gc=False):
    ts: float
    events: list[msgspec.Raw]
    data_parallel_rank: int | None = None


class Batch(msgspec.Struct, gc=False, frozen=True):
    """The content of one message.

    Attributes:
        ts: the sender's clock, seconds since 1970.
        rank: of the sender among its data-parallel siblings.
        refused: number of events of a known kind that could not be read.
        unknown: names of events of other kinds, once per event.
    """

    ts: float
    events: list[Event]
    rank: int | None = None
    refused: int = 0
    unknown: tuple[str, ...] = ()


class BatchReader:
    """Decodes batches; malformed input is only ever refused."""

    _forms: ClassVar[dict[bool, msgspec.msgpack.Decoder[Any]]] = {
        True: msgspec.msgpack.Decoder(_Map),
        False: msgspec.msgpack.Decoder(_Row),
    }
    _events: ClassVar[dict[bool, msgspec.msgpack.Decoder[Any]]] = {
        True: msgspec.msgpack.Decoder(BlockStored | BlockRemoved | AllBlocksCleared),
        False: msgspec.msgpack.Decoder(_StoredRow | _RemovedRow | _ClearedRow),
    }

    def read(self, payload: bytes) -> Batch:
        """Raises WireError if it is not a batch at all."""
        if not payload or len(payload) > LONGEST_BATCH:
            raise WireError(f"a batch of {len(payload):,} bytes is not read")
        try:
            raw = self._forms[_is_map(payload[0])].decode(payload)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise WireError("what came is not a batch of events") from None
        if not -1e18 < raw.ts < 1e18:
            raise WireError("the time of a batch is out of range")
        events: list[Event] = []
        refused, unknown = 0, []
        for one in raw.events:
            data = memoryview(one)
            try:
                events.append(_checked(self._events[_is_map(data[0])].decode(data)))
            except (msgspec.MsgspecError, WireError, ValueError, RecursionError):
                kind = _kind(one)
                if kind is None:
                    refused += 1
                else:
                    unknown.append(kind)
        return Batch(raw.ts, events, raw.data_parallel_rank, refused, tuple(unknown))


class Unread:
    """Counts what could not be used.

    Attributes:
        batches, events: that could not be read.
        kinds: events of unknown kinds by name; those of too many kinds count as one.
    """

    def __init__(self) -> None:
        self.batches = self.events = 0
        self.kinds: Counter[str] = Counter()

    def count(self, batch: Batch) -> None:
        self.events += batch.refused
        for kind in batch.unknown:
            known = kind in self.kinds or len(self.kinds) < MOST_KINDS
            self.kinds[kind if known else "further kinds"] += 1


def tier_of(medium: str | None) -> str:
    """The tier on which a medium is drawn, "" if none."""
    return "device" if medium is None else TIERS.get(medium, "")


def _checked(event: Event) -> Event:
    if isinstance(event, AllBlocksCleared):
        return event
    if not 0 <= (event.group_idx or 0) < MOST_GROUPS:
        raise WireError("there is no such group of layers")
    hashes = event.block_hashes
    named: list[Hash | None] = [*hashes]
    if isinstance(event, BlockStored):
        named.append(event.parent_block_hash)
    if bytes in set(map(type, named)) and any(
        isinstance(one, bytes) and len(one) > LONGEST_HASH for one in named
    ):
        raise WireError("a hash is too long")
    return event


def _is_map(first: int) -> bool:
    """Whether a msgpack value is a map, by its first byte."""
    return 0x80 <= first <= 0x8F or first in (0xDE, 0xDF)


def _kind(raw: msgspec.Raw) -> str | None:
    """The name of an event's unknown kind; None if it is known or has none."""
    try:
        said = msgspec.msgpack.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    name = said.get("type") if isinstance(said, dict) else None
    if isinstance(said, list) and said:
        name = said[0]
    if not isinstance(name, str) or name in ("BlockStored", "BlockRemoved", "AllBlocksCleared"):
        return None
    return name[:40]
