"""How the server is started."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

PORT = 8642
LOOPBACK = ("127.0.0.1", "::1")
# What a browser may call this computer. Any other name could be one that leads here by DNS
# rebinding, so it is refused however the connection came about.
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def new_token() -> str:
    """A token that nobody can guess, in letters that need no escaping anywhere."""
    return "bp-" + secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True)
class ServeConfig:
    """Where the server listens and what it accepts.

    Attributes:
        hosts: addresses to listen at; those of this computer alone unless asked otherwise.
        port: 0 takes a free one.
        names: Host headers accepted besides the loopback names and `hosts`.
        token: that every request has to carry; "" asks for none.
        thinking: whether the model thinks where a request does not say.
        leave_out_volatile: lines that agents change with every request are left out; see volatile.
        body_bytes: longest body of a request.
        body_s: seconds in which a request has to arrive.
        send_s: seconds that a client may leave a part of its answer unread.
        waiting: requests that may wait for the running one.
        connections: open at once.
    """

    hosts: tuple[str, ...] = LOOPBACK
    port: int = PORT
    names: tuple[str, ...] = ()
    token: str = field(default_factory=new_token)
    thinking: bool = False
    leave_out_volatile: bool = False
    body_bytes: int = 32 << 20
    body_s: float = 30.0
    send_s: float = 120.0
    waiting: int = 128
    connections: int = 512

    @property
    def accepted_names(self) -> frozenset[str]:
        """Every name by which the server may be called."""
        return LOOPBACK_NAMES | {name.lower() for name in (*self.hosts, *self.names)}
