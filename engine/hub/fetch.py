"""Brings one file over, from where its beginning ends; a broken connection is taken up again."""

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

# Seconds to wait after each failure in a row that brought next to nothing; then it is given up.
PATIENCE_S: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0, 15.0)
# A server that says nothing for so long is as good as gone.
READ_TIMEOUT_S = 20.0
# A connection that brings less before it breaks counts as a failure too: a server that sends a few
# bytes each time and falls silent would otherwise be asked for days.
WORTH_BYTES = 16 << 10
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True, slots=True)
class RepositoryAccess:
    """The way to a repository's files.

    Attributes:
        token: "" for none.
        endpoint: None for huggingface.co.
        wait: waits so many seconds between two tries, or raises `Stopped`.
        came: told of the bytes that came; may raise `Stopped`.
    """

    manifest: Manifest
    token: str
    endpoint: str | None
    wait: Callable[[float], None]
    came: Callable[[int], None]
    patience_s: tuple[float, ...] = PATIENCE_S
    read_timeout_s: float = READ_TIMEOUT_S


def fetch(line: RepositoryAccess, file: RemoteFile, part: Part) -> None:
    """Bring the rest of a file. Raises HubError, Stopped and OSError."""
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
    """One connection, as far as it goes."""
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
                # What is there is not what the server has.
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
    """Whether the connection failed, as opposed to what was said over it."""
    # Of httpx or its successor, whichever huggingface_hub stands on.
    return any(kind.__name__ == "TransportError" for kind in type(error).__mro__)


def _continues(status: int, headers: object, at: int) -> bool:
    """Whether an answer begins where it was asked to."""
    stated = headers.get("Content-Range") if hasattr(headers, "get") else None
    found = _RANGE.match(stated or "")
    return status == 206 and found is not None and int(found[1]) == at


def _passes(error: Exception) -> bool:
    """Whether trying again may help."""
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
    """The sentence for a disk that takes no more."""
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
