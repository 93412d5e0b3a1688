"""Three engines that run elsewhere, as the debugger shows them by their KV events."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import zmq

from app.debugger.logic.chosen import Chosen
from engine.net.kv_events.address import Publisher
from tours.guide import Guide, Picture

_BLOCK = 16
_NAMES = ("prefill-a", "prefill-b", "decode-c")
# A system text that all have, and what stands behind it: numbers in place of tokens.
_SHARED = tuple(range(1, 97))
_CHATS = {
    "prefill-a": ((*range(200, 288),), (*range(300, 364),), (*range(400, 424),)),
    "prefill-b": ((*range(300, 364),), (*range(500, 532),)),
    "decode-c": ((*range(200, 304),), (*range(300, 364),)),
}
_ALONE = {"prefill-a": 80, "prefill-b": 144, "decode-c": 64}
_CLEARED = {"type": "AllBlocksCleared"}


class _Engine:
    """Publishes what it caches, as vLLM does."""

    def __init__(self, context: zmq.Context[Any], folder: Path, name: str) -> None:
        self.name = name
        self.publisher = Publisher(f"ipc://{folder}/{name}", label=name)
        self._socket = context.socket(zmq.PUB)
        self._socket.bind(self.publisher.events)
        self._number = 0

    def tell_all(self) -> None:
        """All that it has, after nothing."""
        sequences = [(*_SHARED, *chat) for chat in _CHATS[self.name]]
        sequences.append(tuple(range(1000, 1000 + _ALONE[self.name])))
        self._send([_CLEARED, *(event for one in sequences for event in _stored(one))])

    def lose(self, batches: int) -> None:
        """What it publishes meanwhile does not arrive; the next batch shows that."""
        self._number += batches
        self._send(_stored((*_SHARED, *range(700, 748))))

    def close(self) -> None:
        self._socket.close(linger=0)

    def _send(self, events: list[dict[str, Any]]) -> None:
        batch = {"ts": float(self._number), "events": events, "data_parallel_rank": 0}
        number = self._number.to_bytes(8, "big")
        self._socket.send_multipart((b"", number, msgspec.msgpack.encode(batch)))
        self._number += 1


def fleet(guide: Guide) -> Iterator[Picture]:
    """Their trees beside one another, and the node that all have."""
    window = guide.window
    context: zmq.Context[Any] = zmq.Context()
    with tempfile.TemporaryDirectory() as folder:
        engines = [_Engine(context, Path(folder), name) for name in _NAMES]
        window.remote.open([engine.publisher for engine in engines])
        source = window.remote.source
        assert source is not None, "all addresses can be used"
        # A subscriber misses what is sent before it is connected.
        while not all(worker.blocks for worker in source.fleet.workers):
            for engine in engines:
                engine.tell_all()
            guide.stage.rest(0.1)
        engines[1].lose(2)
        guide.stage.rest(2.0)
        guide.act("/view tokens")
        snapshot = guide.desk.state.moment.snapshot
        assert snapshot is not None, "they have told something"
        shared = [node for node in snapshot.nodes if source.also_on(node.id)]
        guide.act("/debugger engines")
        guide.act("/debugger node")
        guide.choose(Chosen(node=max(shared, key=lambda node: node.end).id))
        # What is said of them follows once a second.
        guide.stage.rest(2.0)
        yield Picture("fleet", window)
        window.traces.close()
        for engine in engines:
            engine.close()
    context.term()


def _stored(tokens: Sequence[int]) -> list[dict[str, Any]]:
    names = [
        hash(tuple(tokens[:end])) & (2**63 - 1) for end in range(_BLOCK, len(tokens) + 1, _BLOCK)
    ]
    return [
        {
            "type": "BlockStored",
            "block_hashes": names,
            "parent_block_hash": None,
            "token_ids": list(tokens[: len(names) * _BLOCK]),
            "block_size": _BLOCK,
            "lora_id": None,
            "medium": "GPU",
            "lora_name": None,
        }
    ]
