"""Small requests of the program's own to the web: encrypted, bounded, and only when asked for."""

from __future__ import annotations

import http.client
import importlib
import ssl
import urllib.error
import urllib.request
from email.message import Message
from typing import IO
from urllib.parse import urlsplit

from app.core.words.tr import tr
from engine.errors import BiplaneError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class WebError(BiplaneError):
    """Nothing usable came; the message says why, as the end of a sentence."""


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects only to where one may go at all."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> urllib.request.Request | None:
        check(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def check(url: str) -> None:
    """Raises WebError unless it is encrypted, or on this computer."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise WebError(tr("{url} is not encrypted").format(url=url[:200]))


def open_url(
    url: str, timeout_s: float, headers: dict[str, str] | None = None
) -> http.client.HTTPResponse:
    """Begin to read an address. Raises WebError, also for every status but 200 and 206."""
    check(url)
    request = urllib.request.Request(url, headers={"User-Agent": "Biplane"} | (headers or {}))
    opener = urllib.request.build_opener(
        _SafeRedirects, urllib.request.HTTPSHandler(context=_context())
    )
    try:
        answer: http.client.HTTPResponse = opener.open(request, timeout=timeout_s)
    except urllib.error.HTTPError as error:
        error.close()
        raise WebError(
            tr("{host} answers {status}").format(host=_host(url), status=error.code)
        ) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise WebError(reason(error, url)) from error
    return answer


def reason(error: BaseException, url: str) -> str:
    """Why nothing came, as the end of a sentence."""
    inner = getattr(error, "reason", error)
    if isinstance(inner, ssl.SSLError):
        return tr("{host} has no valid certificate").format(host=_host(url))
    if isinstance(inner, TimeoutError):
        return tr("{host} does not answer").format(host=_host(url))
    return tr("{host} cannot be reached").format(host=_host(url))


def _host(url: str) -> str:
    return urlsplit(url).hostname or url[:80]


def _context() -> ssl.SSLContext:
    """The system's certificates, or where it has none those of a package."""
    context = ssl.create_default_context()
    if not context.cert_store_stats()["x509_ca"]:
        try:
            context.load_verify_locations(importlib.import_module("certifi").where())
        except (ImportError, OSError):
            # Then no certificate is valid, and that is said.
            return context
    return context
