"""A server's address: parses and normalises what a user types."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from engine.errors import RemoteError

_PORTS = {"http": 80, "https": 443}
_LONGEST = 2048
API = "/v1"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens.

    Attributes:
        scheme: "http" or "https".
        host: a name or an IP address, without brackets.
        port: 1 to 65535.
        path: the prefix of its resources' paths, "" or with a leading slash.
    """

    scheme: str
    host: str
    port: int
    path: str = ""

    @classmethod
    def parse(cls, text: str, path: str = API) -> Address:
        """Parse an address; the default scheme is http, the default path `path`.

        Raises:
            RemoteError: it is invalid; the message says why.
        """
        typed = text.strip()
        if not typed:
            raise RemoteError("Enter the address of a server, as in http://127.0.0.1:8080.")
        if len(typed) > _LONGEST or any(c.isspace() or not c.isprintable() for c in typed):
            raise RemoteError("An address has no spaces or line breaks: enter it again.")
        try:
            parts = urlsplit(typed if "://" in typed else f"http://{typed}")
            port = parts.port
        except ValueError as error:
            raise RemoteError(
                "{typed} is not an address: {error}.", typed=typed, error=error
            ) from None
        cls._check(parts, typed)
        named = parts.path.rstrip("/")
        # People also paste the URL of a request.
        for resource in ("/chat/completions", "/completions", "/models"):
            named = named.removesuffix(resource)
        host = (parts.hostname or "").rstrip(".")
        return cls(parts.scheme, host, port or _PORTS[parts.scheme], named or path)

    @staticmethod
    def _check(parts: SplitResult, typed: str) -> None:
        if parts.scheme not in _PORTS:
            raise RemoteError(
                "{typed} begins with neither http:// nor https://: change that.", typed=typed
            )
        if parts.username is not None or parts.password is not None:
            raise RemoteError(
                "The address holds a name or a password: take it out, and enter the token below."
            )
        if not (parts.hostname or "").rstrip("."):
            raise RemoteError(
                "{typed} names no computer: enter one, as in http://127.0.0.1:8080.", typed=typed
            )
        if parts.query or parts.fragment:
            raise RemoteError(
                "{typed} goes on after its path: leave out what follows ? or #.", typed=typed
            )
        if parts.port == 0:
            raise RemoteError("No server listens on port 0: enter another port.")

    @property
    def origin(self) -> str:
        """The URL without the path: "http://127.0.0.1:8080"."""
        return f"{self.scheme}://{self.place}"

    @property
    def place(self) -> str:
        """Host and port; the port is omitted if the scheme implies it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.origin}{self.path}"

    @property
    def secure(self) -> bool:
        return self.scheme == "https"

    @property
    def here(self) -> bool:
        """Whether it is this computer."""
        if self.host.lower() == "localhost" or self.host.lower().endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def overheard(self) -> bool:
        """Whether others on the network can read what is sent there."""
        return not self.secure and not self.here

    def beside(self, path: str) -> Address:
        """The same server with another path."""
        return Address(self.scheme, self.host, self.port, path)
