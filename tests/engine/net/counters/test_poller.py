"""Looking at counters on a real socket."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from engine.net.client.address import Address
from engine.net.counters.poller import Poller
from engine.net.counters.reading import CountersRead
from tests.engine.net.client.server import Reply, Server, free_port, serving, stream
from tests.engine.net.counters.texts import LLAMA


class Watch:
    """A poller and what it told."""

    def __init__(self, address: str, every_s: float = 0.02) -> None:
        self.told: list[CountersRead] = []
        self.poller = Poller(Address.parse(address, "/metrics"), "tok", self.told.append, every_s)
        self.poller.start()

    def until(self, done: Callable[[], bool]) -> None:
        until = time.monotonic() + 60
        while not done():
            assert time.monotonic() < until, self.told
            time.sleep(0.002)

    def stop(self) -> None:
        self.poller.stop(60)
        assert not [t for t in threading.enumerate() if t.name == "biplane-counters"]


def counting(text: bytes = LLAMA) -> Server:
    return Server(others={"/metrics": lambda: Reply(200, "text/plain", (text,), whole=True)})


def test_it_looks_again_and_again() -> None:
    with serving(counting()) as server:
        watch = Watch(server.url)
        watch.until(lambda: len(watch.told) >= 3)
        watch.stop()
    assert all(one.readings for one in watch.told)
    assert server.heads[0]["Authorization"] == "Bearer tok"


def test_what_is_wrong_is_said_once() -> None:
    with serving(Server()) as server:
        watch = Watch(server.url)
        watch.until(lambda: len(server.paths) >= 3)
        watch.stop()
    (only,) = watch.told
    assert "There are no counters at" in only.sentence


def test_it_comes_back() -> None:
    server = Server()
    with serving(server):
        watch = Watch(server.url)
        watch.until(lambda: bool(watch.told))
        server.others["/metrics"] = lambda: Reply(200, "text/plain", (LLAMA,), whole=True)
        watch.until(lambda: bool(watch.told[-1].readings))
        watch.stop()


def test_counters_of_something_else() -> None:
    with serving(counting(b"go_gc_duration_seconds 4\n")) as server:
        watch = Watch(server.url)
        watch.until(lambda: bool(watch.told))
        watch.stop()
    assert "none that Biplane knows" in watch.told[0].sentence


def test_nobody_is_there() -> None:
    watch = Watch(f"http://127.0.0.1:{free_port()}")
    watch.until(lambda: bool(watch.told))
    watch.stop()
    assert "Nothing answers" in watch.told[0].sentence


def test_it_stops_in_the_middle_of_a_look() -> None:
    with serving(Server(others={"/metrics": lambda: stream(120.0)})) as server:
        watch = Watch(server.url)
        watch.until(lambda: bool(server.paths))
        began = time.monotonic()
        watch.stop()
        assert time.monotonic() - began < 60
