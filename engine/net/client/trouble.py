"""Connection errors: one sentence per cause, with a remedy."""

from __future__ import annotations

import errno
import json
import socket
import ssl
from http.client import HTTPException

from engine.errors import LONGEST_SAID, RemoteError
from engine.net.client.address import Address
from engine.sentence import say

_AWAY = {errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN}


def cannot_connect(address: Address, error: OSError, waited_s: float) -> RemoteError:
    """Why no connection could be made."""
    place = address.origin
    if isinstance(error, ssl.SSLError):
        return _no_tls(address, error)
    if isinstance(error, socket.gaierror):
        return RemoteError(
            "The name {host} cannot be found: check its spelling and the network.",
            host=address.host,
        )
    if isinstance(error, ConnectionRefusedError):
        return RemoteError(
            "Nothing answers at {place}: start the server, or check the address and the port.",
            place=place,
        )
    if isinstance(error, TimeoutError):
        return RemoteError(
            "{place} did not accept a connection within {waited_s:g} s: "
            "check that the computer is on and can be reached.",
            place=place,
            waited_s=waited_s,
        )
    if error.errno in _AWAY:
        return RemoteError("{place} cannot be reached from here: check the network.", place=place)
    said = error.strerror or str(error) or type(error).__name__
    return RemoteError("No connection to {place}: {said}.", place=place, said=_clipped(said))


def _no_tls(address: Address, error: ssl.SSLError) -> RemoteError:
    if isinstance(error, ssl.SSLCertVerificationError):
        return RemoteError(
            "The certificate of {origin} is not trusted "
            "({verify_message}): check the address, or have this computer trust "
            "the certificate's authority.",
            origin=address.origin,
            verify_message=_clipped(error.verify_message),
        )
    return RemoteError(
        "{origin} does not speak TLS as it should ({reason}"
        "): if the server has no TLS, its address begins with http://.",
        origin=address.origin,
        reason=_clipped(error.reason or say("no reason")),
    )


def broke_off(address: Address, error: Exception | None, *, began: bool, waited_s: float) -> str:
    """An open connection ended before the answer did; `began`: part of it had arrived."""
    if isinstance(error, TimeoutError):
        return say(
            "{origin} sent nothing for {waited_s:g} s, so the connection was closed: "
            "check whether the server still works, then ask again.",
            origin=address.origin,
            waited_s=waited_s,
        )
    place = address.origin
    if isinstance(error, ssl.SSLError | OSError | HTTPException) or error is None:
        if began:
            return say(
                "The connection to {place} ended in the middle of the answer; what had come by "
                "then is kept. Ask again to have it whole.",
                place=place,
            )
        return say(
            "The connection to {place} ended before the answer began: ask again.", place=place
        )
    why = _clipped(str(error))
    if began:
        return say(
            "The answer of {place} cannot be read ({why}); what had come by then is kept. Ask "
            "again to have it whole.",
            place=place,
            why=why,
        )
    return say("The answer of {place} cannot be read ({why}): ask again.", place=place, why=why)


def refused(address: Address, status: int, body: bytes, where: str, token: str) -> RemoteError:
    """A server answered with something other than success.

    Args:
        where: a redirect's target, "" if there is none.
        token: the token sent; some servers echo it, and it must not be displayed.
    """
    place, said = address.origin, message_in(body)
    if token:
        said = said.replace(token, "…")
    because = f" ({said})" if said else ""
    if status == 401 or status == 403:
        if token:
            return RemoteError(
                "{place} refuses the token{because}: enter the right one in File > Connect….",
                place=place,
                because=because,
            )
        return RemoteError("{place} asks for a token: enter it in File > Connect….", place=place)
    if 300 <= status < 400:
        if not where:
            return RemoteError(
                "{place} answers with a redirect, and does not say where to.", place=place
            )
        return RemoteError(
            "{place} answers with a redirect to {where}, which was not followed: ask whoever runs "
            "the server for its address.",
            place=place,
            where=_clipped(where),
        )
    if status == 404 and not said:
        return RemoteError(
            "{address} is not there (404): check the path, which ends in /v1 on most servers.",
            address=address,
        )
    if status == 429:
        return RemoteError(
            "{place} has too much to do{because}: ask again in a while.",
            place=place,
            because=because,
        )
    if status == 503:
        return RemoteError(
            "{place} is not ready yet{because}: ask again in a moment.",
            place=place,
            because=because,
        )
    if status >= 500:
        return RemoteError(
            "{place} failed with error {status}{because}: see the server's log.",
            place=place,
            status=status,
            because=because,
        )
    return RemoteError(
        "{place} refused the request with error {status}{because}.",
        place=place,
        status=status,
        because=because,
    )


def not_compatible(address: Address, why: str) -> RemoteError:
    return RemoteError(
        "{address} answers, but not as an OpenAI-compatible server ({why}): check the address.",
        address=address,
        why=why,
    )


def message_in(body: bytes) -> str:
    """The message in the JSON of an error, on one line; "" if it has none."""
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
