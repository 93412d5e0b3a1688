"""Polls a server's counters every few seconds, on its own thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from engine.errors import RemoteError
from engine.net.client.address import Address
from engine.net.client.exchange import Closed, Exchange, Patience
from engine.net.counters.reading import (
    MOST_BYTES,
    CountersRead,
    Samples,
    readings_of,
    samples_of,
)
from engine.sentence import say

EVERY_S = 2.0
_PATIENCE = Patience(connect_s=3, read_s=5)


class Poller:
    """Reports each poll, and an error once until polling works again."""

    def __init__(
        self,
        address: Address,
        token: str,
        tell: Callable[[CountersRead], None],
        every_s: float = EVERY_S,
    ) -> None:
        self._address, self._token, self._tell, self._every_s = address, token, tell, every_s
        self._ending = threading.Event()
        self._exchange: Exchange | None = None
        self._thread = threading.Thread(target=self._main, name="biplane-counters", daemon=True)
        self._last: Samples | None = None
        self._when = 0.0
        self._said = ""

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout_s: float) -> None:
        """End it, interrupting a poll if necessary. Idempotent."""
        self._ending.set()
        exchange = self._exchange
        if exchange is not None:
            exchange.close()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _main(self) -> None:
        while not self._ending.is_set():
            try:
                self._look()
            except Closed:
                return
            except RemoteError as error:
                self._last = None
                self._say(self._none if self._missing else str(error))
            self._ending.wait(self._every_s)

    @property
    def _none(self) -> str:
        return say(
            "There are no counters at {address}: enter their address in File > Connect…, if "
            "there are.",
            address=self._address,
        )

    @property
    def _missing(self) -> bool:
        return self._exchange is not None and self._exchange.status == 404

    def _say(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            self._tell(CountersRead(sentence=sentence))

    def _look(self) -> None:
        with Exchange(self._address, _PATIENCE) as exchange:
            self._exchange = exchange
            if self._ending.is_set():
                raise Closed
            exchange.ask("GET", self._address.path, token=self._token)
            found = samples_of(exchange.whole(MOST_BYTES))
        now = time.monotonic()
        readings = readings_of(found, self._last, now - self._when)
        self._last, self._when, self._said = found, now, ""
        if readings:
            self._tell(CountersRead(readings=readings))
            return
        raise RemoteError(
            "{address} has counters, but none that Biplane knows.", address=self._address
        )
