"""What goes wrong on the way to a server: one sentence for each cause, with what to do."""

from __future__ import annotations

import errno
import json
import socket
import ssl
from http.client import HTTPException

from engine.errors import LONGEST_SAID, RemoteError
from engine.remote.chat.address import Address

_AWAY = {errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN}


def cannot_connect(address: Address, error: OSError, waited_s: float) -> RemoteError:
    """Why no connection came about."""
    place = address.origin
    if isinstance(error, ssl.SSLError):
        return _no_tls(address, error)
    if isinstance(error, socket.gaierror):
        return RemoteError(
            f"The name {address.host} cannot be found: check its spelling and the network."
        )
    if isinstance(error, ConnectionRefusedError):
        return RemoteError(
            f"Nothing answers at {place}: start the server, or check the address and the port."
        )
    if isinstance(error, TimeoutError):
        return RemoteError(
            f"{place} did not accept a connection within {waited_s:g} s: "
            "check that the computer is on and can be reached."
        )
    if error.errno in _AWAY:
        return RemoteError(f"{place} cannot be reached from here: check the network.")
    said = error.strerror or str(error) or type(error).__name__
    return RemoteError(f"No connection to {place}: {_clipped(said)}.")


def _no_tls(address: Address, error: ssl.SSLError) -> RemoteError:
    if isinstance(error, ssl.SSLCertVerificationError):
        return RemoteError(
            f"The certificate of {address.origin} is not trusted "
            f"({_clipped(error.verify_message)}): check the address, or have this computer trust "
            "the certificate's authority."
        )
    return RemoteError(
        f"{address.origin} does not speak TLS as it should ({_clipped(error.reason or 'no reason')}"
        "): if the server has no TLS, its address begins with http://."
    )


def broke_off(address: Address, error: Exception | None, *, began: bool, waited_s: float) -> str:
    """A connection that stood ended before the answer did; `began`: some of it had come."""
    if isinstance(error, TimeoutError):
        return (
            f"{address.origin} sent nothing for {waited_s:g} s, so the connection was closed: "
            "check whether the server still works, then ask again."
        )
    place = address.origin
    if isinstance(error, ssl.SSLError | OSError | HTTPException) or error is None:
        if began:
            return (
                f"The connection to {place} ended in the middle of the answer; what had come by "
                "then is kept. Ask again to have it whole."
            )
        return f"The connection to {place} ended before the answer began: ask again."
    why = _clipped(str(error))
    if began:
        return (
            f"The answer of {place} cannot be read ({why}); what had come by then is kept. Ask "
            "again to have it whole."
        )
    return f"The answer of {place} cannot be read ({why}): ask again."


def refused(address: Address, status: int, body: bytes, where: str, token: str) -> RemoteError:
    """A server answered with something else than success.

    Args:
        where: a redirection's target, "" if there is none.
        token: that was sent; some servers say it back, which nobody should read over a shoulder.
    """
    place, said = address.origin, message_in(body)
    if token:
        said = said.replace(token, "…")
    because = f" ({said})" if said else ""
    if status == 401 or status == 403:
        if token:
            return RemoteError(
                f"{place} refuses the token{because}: enter the right one in File > Connect…."
            )
        return RemoteError(f"{place} asks for a token: enter it in File > Connect….")
    if 300 <= status < 400:
        if not where:
            return RemoteError(f"{place} sends its visitors on, and does not say where to.")
        return RemoteError(
            f"{place} sends its visitors on to {_clipped(where)}: connect to that address instead."
        )
    if status == 404 and not said:
        return RemoteError(
            f"{address} is not there (404): check the path, which ends in /v1 on most servers."
        )
    if status == 429:
        return RemoteError(f"{place} has too much to do{because}: ask again in a while.")
    if status == 503:
        return RemoteError(f"{place} is not ready yet{because}: ask again in a moment.")
    if status >= 500:
        return RemoteError(f"{place} failed with error {status}{because}: see the server's log.")
    return RemoteError(f"{place} refused the request with error {status}{because}.")


def not_compatible(address: Address, why: str) -> RemoteError:
    return RemoteError(
        f"{address} answers, but not as an OpenAI-compatible server ({why}): check the address."
    )


def message_in(body: bytes) -> str:
    """What the JSON of an error says, on one line; "" if it says nothing."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    for _ in range(3):
        if not isinstance(said, dict):
            break
        said = next((said[n] for n in ("error", "message", "detail") if said.get(n)), "")
    return _clipped(said) if isinstance(said, str) else ""


def _clipped(said: str) -> str:
    line = " ".join(said.split()).rstrip(".")
    shown = "".join(c for c in line if c.isprintable())
    return shown if len(shown) <= LONGEST_SAID else shown[: LONGEST_SAID - 1] + "…"
