"""Real sockets: what an engine publishes arrives, and what was missed is asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import zmq

from engine.net.kv_events.address import AddressError, Publisher, beside, check
from engine.net.kv_events.fleet import Fleet
from engine.net.kv_events.subscriber import Subscriber, batch_of
from tests.engine.net.kv_events.sender import BLOCK, Sender


class Engine:
    """A publisher with a replay socket, as vLLM and SGLang have them.

    Attributes:
        topics: a newer engine repeats the topic in what it replays.
    """

    def __init__(self, folder: Path, *, topics: bool = False) -> None:
        import random

        self.sender = Sender(random.Random(0))
        self.events, self.replay = f"ipc://{folder}/events", f"ipc://{folder}/replay"
        self._topics = topics
        self._context: zmq.Context[Any] = zmq.Context()
        self._live = self._context.socket(zmq.PUB)
        self._live.bind(self.events)
        self._asked = self._context.socket(zmq.ROUTER)
        self._asked.bind(self.replay)
        self._over = threading.Event()
        self._kept: list[tuple[int, bytes]] = []
        self.replays = 0
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def publish(self, *, lose: bool = False) -> None:
        seq, payload = self.sender.publish()
        self._kept.append((seq, payload))
        if not lose:
            self._live.send_multipart((b"", seq.to_bytes(8, "big"), payload))

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self._live.close(linger=0)
        self._context.term()

    def _serve(self) -> None:
        while not self._over.is_set():
            if not self._asked.poll(20):
                continue
            who, _, first = self._asked.recv_multipart()
            self.replays += 1
            head = (who, b"", b"") if self._topics else (who, b"")
            for seq, payload in list(self._kept):
                if seq >= int.from_bytes(first, "big"):
                    self._asked.send_multipart((*head, seq.to_bytes(8, "big"), payload))
            self._asked.send_multipart((*head, b"\xff" * 8, b""))
        self._asked.close(linger=0)


@pytest.fixture(params=[False, True], ids=["vllm", "sglang"])
def engine(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Engine]:
    found = Engine(tmp_path, topics=request.param)
    yield found
    found.close()


def until(done: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


class TestSubscriber:
    def test_the_past_the_present_and_what_was_missed(self, engine: Engine) -> None:
        tokens = count(1)

        def store() -> None:
            engine.sender.store([next(tokens) for _ in range(3 * BLOCK)])

        store()
        engine.publish()
        fleet = Fleet(["here"], replays=[True])
        subscriber = Subscriber([Publisher(engine.events, engine.replay)], fleet.take)
        subscriber.start()
        try:
            until(lambda: fleet.workers[0].blocks == 3)
            store()
            engine.publish(lose=True)
            store()
            # The socket may still be connecting, so that this one is lost as well.
            while fleet.workers[0].blocks != 9:
                engine.publish()
                time.sleep(0.05)
        finally:
            subscriber.stop()
        assert not subscriber.problem
        assert not fleet.workers[0].order.lost
        assert engine.replays >= 2

    def test_it_can_be_stopped_before_it_starts(self, engine: Engine) -> None:
        Subscriber([Publisher(engine.events)], lambda came: {}).stop()

    def test_an_engine_may_connect_to_it(self, tmp_path: Path) -> None:
        address = f"ipc://{tmp_path}/here"
        fleet = Fleet(["here"])
        subscriber = Subscriber([Publisher(address, listen=True)], fleet.take)
        subscriber.start()
        context: zmq.Context[Any] = zmq.Context()
        live = context.socket(zmq.PUB)
        live.connect(address)
        sender = Sender(__import__("random").Random(0))
        sender.store(list(range(1, 9)))
        seq, payload = sender.publish()
        try:
            while not fleet.workers[0].blocks:
                live.send_multipart((b"", seq.to_bytes(8, "big"), payload))
                time.sleep(0.05)
        finally:
            subscriber.stop()
            live.close(linger=0)
            context.term()
        assert fleet.workers[0].blocks == 2


class TestFrames:
    def test_what_is_no_batch_is_none(self) -> None:
        assert batch_of(0, [b"x"]) is None
        assert batch_of(0, [b"", b"123", b"x"]) is None
        assert batch_of(0, [b"", b"\x80" + bytes(7), b"x"]) is None
        end = batch_of(0, [b"", b"\xff" * 8, b""])
        assert end is not None
        assert end.end


class TestAddresses:
    @pytest.mark.parametrize("good", ["tcp://127.0.0.1:5557", "tcp://[::1]:1", "ipc:///tmp/x"])
    def test_these_are_addresses(self, good: str) -> None:
        check(good)

    @pytest.mark.parametrize("bad", ["", "5557", "http://x", "tcp://*:5557", "tcp://a:99999"])
    def test_these_are_none(self, bad: str) -> None:
        with pytest.raises(AddressError, match="tcp://127"):
            check(bad)

    def test_nobody_from_elsewhere_may_connect(self) -> None:
        with pytest.raises(AddressError, match="tunnel"):
            Publisher("tcp://10.0.0.1:5557", listen=True).checked()

    def test_siblings_count_up(self) -> None:
        assert beside("tcp://a:10", "", 2) == ("tcp://a:12", "")
