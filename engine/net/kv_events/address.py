"""Validates the addresses that a user gives for an engine's KV events."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import BiplaneError

_TCP = re.compile(r"tcp://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+|\*):(\d{1,5})")
_IPC = re.compile(r"ipc://.+")


class AddressError(BiplaneError):
    """An address is invalid; the sentence shows what one looks like."""


@dataclass(frozen=True, slots=True)
class Publisher:
    """One engine to watch.

    Attributes:
        events: where it publishes its events.
        replay: where missed batches can be requested, "" if nowhere.
        label: its display name.
        listen: bind at `events` and let the engine connect, instead of connecting to it.
    """

    events: str
    replay: str = ""
    label: str = ""
    listen: bool = False

    def checked(self) -> Publisher:
        """Returns itself. Raises AddressError if an address is invalid."""
        for address in (self.events, *((self.replay,) if self.replay else ())):
            check(address)
        if self.listen and not self.events.startswith(("tcp://127.", "tcp://[::1]", "ipc://")):
            raise AddressError(
                "Biplane listens on this computer alone: {events} must be tcp://127.0.0.1 "
                "with a port, and an engine elsewhere needs a tunnel to it.",
                events=self.events,
            )
        return self


def check(address: str) -> None:
    """Raises AddressError if one cannot connect to it."""
    found = _TCP.fullmatch(address)
    if found is not None and found[1] != "*" and 0 < int(found[2]) < 1 << 16:
        return
    if _IPC.fullmatch(address):
        return
    raise AddressError(
        "{address} is not an address of events: it must be like tcp://127.0.0.1:5557.",
        address=repr(address[:120]),
    )


def beside(events: str, replay: str, rank: int) -> tuple[str, str]:
    """The addresses of data-parallel rank `rank`: engines increment both ports."""
    return _up(events, rank), _up(replay, rank)


def _up(address: str, by: int) -> str:
    found = _TCP.fullmatch(address)
    return address if found is None else f"tcp://{found[1]}:{int(found[2]) + by}"
