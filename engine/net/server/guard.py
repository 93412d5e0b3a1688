"""Access control: checked before anything of a request is read."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from engine.errors import unexpected
from engine.net.server.config import ServeConfig
from engine.net.server.problem import Refused
from engine.net.server.wire import send_json

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Only reveals that the server is up.
OPEN_PATHS = frozenset({"/health"})
log = logging.getLogger(__name__)


class Guard:
    """Refuses a wrong Host, another site's page and a missing token; reports errors as JSON."""

    def __init__(self, app: App, config: ServeConfig) -> None:
        self._app = app
        self._names = config.accepted_names
        self._origins = frozenset(origin.lower() for origin in config.origins)
        self._token = config.token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        begun = False
        headers = headers_of(scope)
        shared = self._shared(headers)

        async def noted(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            if not begun and shared:
                message = message | {"headers": [*message["headers"], *shared]}  # type: ignore[operator]
            begun = True
            await send(message)

        # With this the router raises on an unknown route, instead of answering in plain text.
        scope["app"] = self
        try:
            self._check_site(headers)
            if shared and scope["method"] == "OPTIONS":
                await send_json(noted, {}, 200, _preflight(headers))
                return
            self._check_token(scope, headers)
            await self._app(scope, receive, noted)
            return
        except ClientDisconnect:
            return
        except Refused as error:
            refused = error
        except HTTPException as error:
            refused = _no_route(scope, error)
        except Exception as error:
            log.error("A request to %s failed.", scope["path"], exc_info=error)
            refused = Refused("api_error", unexpected("The request", error))
        if not begun:
            await send_json(noted, refused.body(scope["path"]), refused.status, refused.headers)

    def _shared(self, headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
        """What lets a page of another site read the answer; nothing unless the user allows it."""
        origin = headers.get("origin", "")
        if origin.lower() not in self._origins:
            return []
        return [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin")]

    def _check_site(self, headers: Mapping[str, str]) -> None:
        """Raises Refused."""
        host = headers.get("host", "")
        if host_name(host) not in self._names:
            raise Refused(
                "permission_error",
                "The Host header names another computer. Use the address that Biplane shows, or "
                "allow the name with --allow-host.",
                code="wrong_host",
            )
        origin = headers.get("origin")
        # A page of the server itself would be the only one with this origin.
        own = (f"http://{host.lower()}", *self._origins)
        if origin is not None and origin.lower() not in own:
            raise Refused(
                "permission_error",
                "Pages of other sites may not use this server, unless it is started with "
                "--allow-origin.",
                code="other_origin",
            )

    def _check_token(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Raises Refused."""
        if self._token and scope["path"] not in OPEN_PATHS and not self._knows(headers):
            raise Refused(
                "authentication_error",
                "The token is missing or wrong. Send the one that Biplane shows, as "
                '"Authorization: Bearer TOKEN" or "x-api-key: TOKEN".',
                code="invalid_api_key",
            )

    def _knows(self, headers: Mapping[str, str]) -> bool:
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        given = [headers.get("x-api-key", "")]
        if kind.lower() == "bearer":
            given.append(bearer.strip())
        # Compare all of them, so that timing reveals nothing.
        same = [hmac.compare_digest(one.encode("latin-1"), self._token) for one in given]
        return any(same)


def _preflight(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """What a page of an allowed site may send."""
    asked = headers.get("access-control-request-headers", "")
    allowed = {
        "methods": "GET, POST, DELETE",
        "headers": asked or "authorization, content-type, x-api-key",
        "private-network": "true",
    }
    return [
        *(
            (f"access-control-allow-{name}".encode(), v.encode("latin-1"))
            for name, v in allowed.items()
        ),
        (b"access-control-max-age", b"600"),
    ]


def _no_route(scope: Scope, error: HTTPException) -> Refused:
    if error.status_code == 405:
        return Refused(
            "method_not_allowed",
            f"{scope['method'][:20]} is not possible here.",
            allowed=(error.headers or {}).get("Allow", ""),
        )
    return Refused("not_found_error", f"There is nothing at {scope['path'][:80]}.")


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers by lower-case name; the first of repeated ones."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
    return found


def host_name(host: str) -> str:
    """The name in a Host header, without port and without the brackets of an IPv6 address."""
    host = host.strip().lower()
    if host.startswith("["):
        name, closing, rest = host[1:].partition("]")
        return name if closing and (not rest or rest[0] == ":") else ""
    name, colon, port = host.partition(":")
    return name if not colon or port.isdigit() else ""
