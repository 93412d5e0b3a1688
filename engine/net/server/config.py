"""The server's configuration."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

PORT = 8642
LOOPBACK = ("127.0.0.1", "::1")
# Names a browser may use for this computer. Any other could lead here by DNS rebinding, so it is
# refused however the connection came about.
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def new_token() -> str:
    """An unguessable token, in characters that need no escaping anywhere."""
    return "bp-" + secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True)
class ServeConfig:
    """Where the server listens and what it accepts.

    Attributes:
        hosts: addresses to listen on; only loopback by default.
        port: 0 picks a free one.
        names: Host headers accepted in addition to the loopback names and `hosts`.
        origins: of other sites whose pages and extensions may use the server, such as
            "app://obsidian.md".
        token: required in every request; "" requires none.
        thinking: whether the model thinks if a request does not specify it.
        keep_thinking: whether earlier turns keep their thinking if a request does not specify it;
            see PromptOptions.keeps_thinking.
        leave_out_volatile: whether to omit lines that agents change on every request; see volatile.
        body_bytes: maximum size of a request body.
        body_s: seconds within which a request has to arrive.
        send_s: seconds that a client may leave a part of its answer unread.
        waiting: maximum number of queued requests.
        connections: maximum number open at once.
    """

    hosts: tuple[str, ...] = LOOPBACK
    port: int = PORT
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    token: str = field(default_factory=new_token)
    thinking: bool = False
    keep_thinking: bool = False
    leave_out_volatile: bool = False
    body_bytes: int = 32 << 20
    body_s: float = 30.0
    send_s: float = 120.0
    waiting: int = 128
    connections: int = 512

    @property
    def accepted_names(self) -> frozenset[str]:
        """Every name by which clients may address the server."""
        return LOOPBACK_NAMES | {name.lower() for name in (*self.hosts, *self.names)}
