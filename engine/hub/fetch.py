"""Fetches one file from where its partial copy ends; reconnects after a broken connection."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from engine.hub.failures import HubError, Stopped
from engine.hub.listing import as_hub_error, check_answer, headers_with
from engine.hub.manifest import Manifest, RemoteFile
from engine.hub.part import Part

# Seconds to wait after each consecutive failure with almost no progress; then it gives up.
PATIENCE_S: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0, 15.0)
# A server that is silent for this long is considered dead.
READ_TIMEOUT_S = 20.0
# A connection that delivers less before it breaks counts as a failure too: a server that sends a
# few bytes each time and falls silent would otherwise be retried for days.
WORTH_BYTES = 16 << 10
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True, slots=True)
class RepositoryAccess:
    """Access to a repository's files.

    Attributes:
        token: "" for none.
        endpoint: None for huggingface.co.
        wait: waits that many seconds between two tries, or raises `Stopped`.
        came: called with the number of bytes received; may raise `Stopped`.
    """

    manifest: Manifest
    token: str
    endpoint: str | None
    wait: Callable[[float], None]
    came: Callable[[int], None]
    patience_s: tuple[float, ...] = PATIENCE_S
    read_timeout_s: float = READ_TIMEOUT_S


def fetch(line: RepositoryAccess, file: RemoteFile, part: Part) -> None:
    """Fetch the rest of a file. Raises HubError, Stopped and OSError."""
    failures = 0
    while part.size < file.size:
        before = part.size
        try:
            _stream(line, file, part)
            if part.size < file.size:
                raise ConnectionError("the connection ended early")
        except (HubError, OSError) as error:
            if not _passes(error):
                raise
            failures = 0 if part.size - before >= WORTH_BYTES else failures + 1
            if failures > len(line.patience_s):
                raise _given_up(line, error) from error
            line.wait(line.patience_s[max(failures - 1, 0)] if line.patience_s else 0.0)


def _stream(line: RepositoryAccess, file: RemoteFile, part: Part) -> None:
    """Use one connection, as long as it lasts."""
    from huggingface_hub import get_session, hf_hub_url

    manifest = line.manifest
    url = hf_hub_url(manifest.repo, file.name, revision=manifest.commit, endpoint=line.endpoint)
    headers = headers_with(line.token)
    if part.size:
        headers["Range"] = f"bytes={part.size}-"
    try:
        with get_session().stream(
            "GET", url, headers=headers, timeout=line.read_timeout_s
        ) as answer:
            if answer.status_code == 416:
                # The partial copy does not match the server's file.
                part.clear()
                raise ConnectionError("the range was refused")
            check_answer(answer.status_code, manifest.repo, str(answer.url), token=bool(line.token))
            if part.size and not _continues(answer.status_code, answer.headers, part.size):
                part.clear()
            for chunk in answer.iter_raw():
                part.write(chunk)
                line.came(len(chunk))
    except (HubError, OSError, Stopped):
        raise
    except Exception as error:
        if _is_transport(error):
            raise ConnectionError(type(error).__name__) from error
        raise as_hub_error(
            error, manifest.repo, token=bool(line.token), endpoint=line.endpoint
        ) from error


def _is_transport(error: Exception) -> bool:
    """Whether the connection failed, as opposed to an error in the answer."""
    # From httpx or its successor, whichever huggingface_hub uses.
    return any(kind.__name__ == "TransportError" for kind in type(error).__mro__)


def _continues(status: int, headers: object, at: int) -> bool:
    """Whether an answer starts at the requested offset."""
    stated = headers.get("Content-Range") if hasattr(headers, "get") else None
    found = _RANGE.match(stated or "")
    return status == 206 and found is not None and int(found[1]) == at


def _passes(error: Exception) -> bool:
    """Whether retrying may help."""
    if isinstance(error, HubError):
        return error.kind == "busy"
    return isinstance(error, ConnectionError)


def _given_up(line: RepositoryAccess, error: Exception) -> HubError:
    if isinstance(error, HubError):
        return error
    from huggingface_hub import constants

    host = urlsplit(line.endpoint or constants.ENDPOINT).netloc
    return HubError(
        "offline",
        "The connection to {host} broke several times: check it and try again; what has come "
        "is kept.",
        host=host,
    )


def disk_error(error: OSError, folder: object) -> HubError:
    """The error for a disk that cannot be written."""
    if error.errno in _FULL:
        return HubError(
            "disk", "The disk of {folder} is full: free some space, then try again.", folder=folder
        )
    return HubError(
        "disk",
        "{folder} cannot be written ({error}).",
        folder=folder,
        error=error.strerror or error,
    )
