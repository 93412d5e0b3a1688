"""Batches from elsewhere: every form is read, and nothing else does any harm."""

from __future__ import annotations

import random
from contextlib import suppress

import msgspec
import pytest

from engine.net.kv_events.wire import (
    LONGEST_BATCH,
    AllBlocksCleared,
    BatchReader,
    BlockRemoved,
    BlockStored,
    Unread,
    WireError,
    tier_of,
)
from tests.engine.net.kv_events.sender import FORMS, Form, encoded, removed, stored

EVENTS = [stored([1, 2], 7, list(range(8))), removed([1]), {"type": "AllBlocksCleared"}]


class TestForms:
    @pytest.mark.parametrize("form", FORMS, ids=str)
    def test_each_is_read(self, form: Form) -> None:
        batch = BatchReader().read(encoded(EVENTS, 3.5, form))
        there, gone, cleared = batch.events
        assert isinstance(there, BlockStored)
        assert (there.block_hashes, there.parent_block_hash) == ([1, 2], 7)
        assert there.tokens() == b"".join(n.to_bytes(4, "little") for n in range(8))
        assert isinstance(gone, BlockRemoved)
        assert isinstance(cleared, AllBlocksCleared)
        assert (batch.ts, batch.rank, batch.refused, batch.unknown) == (3.5, 0, 0, ())

    def test_an_older_engine_says_less(self) -> None:
        event = ["BlockStored", [-5], None, [1, 2], 2, None]
        batch = BatchReader().read(msgspec.msgpack.encode([1.0, [event]]))
        (there,) = batch.events
        assert isinstance(there, BlockStored)
        assert (there.medium, there.group_idx) == (None, None)

    def test_a_newer_one_says_more(self) -> None:
        event = stored([1], None, [1, 2], 2, locality="LOCAL", session_id="s", group_idx=3)
        (there,) = BatchReader().read(encoded([event])).events
        assert isinstance(there, BlockStored)
        assert there.group_idx == 3

    def test_hashes_may_be_bytes(self) -> None:
        (there,) = BatchReader().read(encoded([removed([b"\x01" * 32])])).events  # type: ignore[list-item]
        assert isinstance(there, BlockRemoved)
        assert there.block_hashes == [b"\x01" * 32]

    def test_a_medium_has_a_tier(self) -> None:
        assert [tier_of(one) for one in (None, "GPU", "CPU_PINNED", "CPU", "DISK", "moon")] == [
            "device",
            "device",
            "host",
            "host",
            "",
            "",
        ]


class TestRefused:
    def test_an_unknown_kind_is_counted_by_name_and_hides_nothing(self) -> None:
        reader, unread = BatchReader(), Unread()
        batch = reader.read(encoded([{"type": "BlockMoved", "block_hashes": [1]}, EVENTS[1]]))
        unread.count(batch)
        assert len(batch.events) == 1
        assert dict(unread.kinds) == {"BlockMoved": 1}

    def test_kinds_without_end_are_not_kept(self) -> None:
        unread = Unread()
        for n in range(100):
            unread.count(BatchReader().read(encoded([{"type": f"Kind{n}"}])))
        assert len(unread.kinds) == 17
        assert sum(unread.kinds.values()) == 100

    @pytest.mark.parametrize(
        "event",
        [
            stored([1], None, ["a"]),  # type: ignore[list-item]
            stored(["x"], None, [1]),  # type: ignore[list-item]
            stored([1], None, [1], group_idx=-1),
            stored([1], None, [1], group_idx=1000),
            removed([b"\x01" * 65]),  # type: ignore[list-item]
            {"type": "BlockStored"},
        ],
        ids=str,
    )
    def test_an_event_that_is_none_is_refused(self, event: dict[str, object]) -> None:
        batch = BatchReader().read(encoded([event, EVENTS[1]]))
        assert (batch.refused, len(batch.events)) == (1, 1)

    @pytest.mark.parametrize(
        ("tokens", "size"), [([1, 2, 3], 2), ([1], 0), ([-1], 1), ([2**31], 1), ([1], -1)]
    )
    def test_tokens_that_do_not_fit_are_refused(self, tokens: list[int], size: int) -> None:
        batch = BatchReader().read(encoded([stored([1], None, tokens, size)]))
        for event in batch.events:
            assert isinstance(event, BlockStored)
            with pytest.raises(WireError):
                event.tokens()

    def test_a_batch_that_is_too_long_is_not_read(self) -> None:
        with pytest.raises(WireError, match="bytes"):
            BatchReader().read(bytes(LONGEST_BATCH + 1))

    def test_random_bytes_are_refused(self) -> None:
        rng = random.Random(0)
        reader, good = BatchReader(), encoded(EVENTS)
        for _ in range(3000):
            data = bytearray(good if rng.random() < 0.8 else rng.randbytes(40))
            for _ in range(rng.randint(1, 6)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            try:
                batch = reader.read(bytes(data[: rng.randint(0, len(data))]))
            except WireError:
                continue
            for event in batch.events:
                if isinstance(event, BlockStored):
                    with suppress(WireError):
                        event.tokens()

    def test_nested_arrays_are_refused(self) -> None:
        deep = b"\x93" + msgspec.msgpack.encode(1.0) + b"\x91" + b"\x91" * 100_000 + b"\x01\xc0"
        with suppress(WireError):
            assert not BatchReader().read(deep).events
