"""Subscribes to the engines: the only module here that uses sockets and threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import zmq

from engine.errors import unexpected
from engine.net.kv_events.address import AddressError, Publisher
from engine.net.kv_events.wire import LONGEST_BATCH
from engine.sentence import say

END = (1 << 64) - 1
# Maximum batches queued in a socket; beyond it they are lost, and requested again.
WAITING = 100_000

# Maximum batches processed between two checks of the clock.
AT_ONCE = 2_000
POLL_MS = 50


@dataclass(frozen=True, slots=True)
class Came:
    """A batch of one publisher, by position; `end`: the replay is over."""

    place: int
    seq: int
    payload: bytes
    end: bool = False


class PublisherSockets:
    """The two sockets of one publisher."""

    def __init__(self, context: zmq.Context[Any], place: int, publisher: Publisher) -> None:
        self.place, self.publisher = place, publisher
        self.live = context.socket(zmq.SUB)
        self.live.setsockopt(zmq.RCVHWM, WAITING)
        self.live.setsockopt(zmq.MAXMSGSIZE, LONGEST_BATCH)
        self.live.setsockopt(zmq.SUBSCRIBE, b"")
        self.replay: zmq.Socket[Any] | None = None
        try:
            if publisher.listen:
                self.live.bind(publisher.events)
            else:
                self.live.connect(publisher.events)
            if publisher.replay:
                self.replay = context.socket(zmq.DEALER)
                self.replay.setsockopt(zmq.RCVHWM, 0)
                self.replay.setsockopt(zmq.MAXMSGSIZE, LONGEST_BATCH)
                self.replay.connect(publisher.replay)
        except zmq.ZMQError as error:
            self.close()
            raise AddressError(
                "{events} cannot be listened to: {strerror}.",
                events=publisher.events,
                strerror=error.strerror,
            ) from error

    def ask(self, first: int) -> None:
        """Request the batches from `first` on."""
        if self.replay is not None:
            self.replay.send_multipart((b"", first.to_bytes(8, "big")), zmq.NOBLOCK)

    def close(self) -> None:
        for socket in (self.live, self.replay):
            if socket is not None:
                socket.close(linger=0)


def batch_of(place: int, frames: Sequence[bytes]) -> Came | None:
    """A message's batch; None if it has none.

    A live one is topic, number and payload; a replayed one may have no topic and an empty first
    frame, depending on the engine.
    """
    if len(frames) < 2 or len(frames[-2]) != 8:
        return None
    seq = int.from_bytes(frames[-2], "big")
    if seq == END:
        return Came(place, 0, b"", end=True)
    return None if seq >= 1 << 63 else Came(place, seq, frames[-1])


Take = Callable[[list[Came]], dict[int, int]]
"""Takes batches, or none after an idle interval; returns what to request, by publisher."""


class Subscriber:
    """A thread that passes on what the publishers send, in batches, to a function.

    Attributes:
        problem: why it stopped by itself, "" if it did not.
    """

    def __init__(self, publishers: Sequence[Publisher], take: Take) -> None:
        """Connect. Raises AddressError if an address cannot be used.

        Args:
            take: called on the thread with new batches, at least every 50 ms.
        """
        self.problem = ""
        self._take = take
        self._over = threading.Event()
        self._context = zmq.Context()
        self._lines: list[PublisherSockets] = []
        try:
            for place, publisher in enumerate(publishers):
                self._lines.append(PublisherSockets(self._context, place, publisher.checked()))
        except AddressError:
            self._close()
            raise
        self._thread = threading.Thread(target=self._run, name="kv-events", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Wait for the thread to end; `take` is not called afterwards."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()
        else:
            self._close()

    # ---- on the thread

    def _run(self) -> None:
        poller = zmq.Poller()
        of: dict[Any, PublisherSockets] = {}
        for line in self._lines:
            for socket in (line.live, line.replay):
                if socket is not None:
                    poller.register(socket, zmq.POLLIN)
                    of[socket] = line
            # Request the engine's past; live batches meanwhile wait in the other socket.
            line.ask(0)
        try:
            while not self._over.is_set():
                came = [
                    found
                    for socket, _ in poller.poll(POLL_MS)
                    for found in _received(socket, of[socket].place)
                ]
                for place, first in self._take(came).items():
                    self._lines[place].ask(first)
        except Exception as error:
            self.problem = unexpected(say("Listening to the engine"), error)
        finally:
            self._close()

    def _close(self) -> None:
        for line in self._lines:
            line.close()
        self._context.term()


def _received(socket: zmq.Socket[Any], place: int) -> list[Came]:
    """The queued batches, but no more than can be processed at once."""
    found = []
    for _ in range(AT_ONCE):
        try:
            frames = socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            break
        batch = batch_of(place, frames)
        if batch is not None:
            found.append(batch)
    return found
