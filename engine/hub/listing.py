"""Lists a repository on the hub: its files at one commit, their sizes and checksums."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from engine.hub.failures import HubError
from engine.hub.manifest import Manifest, RemoteFile, remote_file
from engine.hub.names import repo_id, wanted_files
from engine.sentence import say

if TYPE_CHECKING:
    from huggingface_hub.hf_api import RepoSibling

ASK_TIMEOUT_S = 20.0
_COMMIT = re.compile(r"[0-9a-f]{40}")
_LONGEST_LICENCE = 64


def list_repo(
    repo: str, revision: str = "main", *, token: str = "", endpoint: str | None = None
) -> Manifest:
    """The repository's files at `revision`. Waits for the network. Raises HubError."""
    from huggingface_hub import HfApi, constants

    repo = repo_id(repo)
    # Otherwise it reports the installed torch and the environment to the hub.
    constants.HF_HUB_DISABLE_TELEMETRY = True
    # Never use the token that another program has stored on this machine: False means none.
    api = HfApi(endpoint=endpoint, token=token or False, library_name="biplane")
    try:
        info = api.model_info(repo, revision=revision, files_metadata=True, timeout=ASK_TIMEOUT_S)
    except Exception as error:
        raise as_hub_error(error, repo, token=bool(token), endpoint=api.endpoint) from error
    if info.sha is None or not _COMMIT.fullmatch(info.sha):
        raise HubError("refused", "{repo} is refused: the hub names no commit for it.", repo=repo)
    siblings = {sibling.rfilename: sibling for sibling in info.siblings or ()}
    files = [_file(repo, siblings[name]) for name in wanted_files(repo, siblings)]
    # Small files first: a forbidden or unsuitable repository shows before the gigabytes.
    files.sort(key=lambda file: (file.size, file.name))
    licence = next((tag[8:] for tag in info.tags or () if tag.startswith("license:")), "")
    return Manifest(
        repo, revision, info.sha, licence[:_LONGEST_LICENCE], bool(info.gated), tuple(files)
    )


def small_file(
    repo: str, commit: str, name: str, *, most: int, token: str = "", endpoint: str | None = None
) -> bytes:
    """The content of one small file, at most `most` bytes, unverified. Raises HubError."""
    from huggingface_hub import get_session, hf_hub_url

    url = hf_hub_url(repo, name, revision=commit, endpoint=endpoint)
    try:
        with get_session().stream(
            "GET", url, headers=headers_with(token), timeout=ASK_TIMEOUT_S
        ) as answer:
            check_answer(answer.status_code, repo, url, token=bool(token))
            content = at_most(answer.iter_raw(), most)
    except HubError:
        raise
    except Exception as error:
        raise as_hub_error(error, repo, token=bool(token), endpoint=endpoint) from error
    if content is None:
        raise HubError("refused", "{name} of {repo} is larger than stated.", name=name, repo=repo)
    return content


def beginning(
    repo: str, commit: str, name: str, *, size: int, token: str = "", endpoint: str | None = None
) -> bytes:
    """The first `size` bytes of a file, or fewer, unverified. Raises HubError."""
    from huggingface_hub import get_session, hf_hub_url

    url = hf_hub_url(repo, name, revision=commit, endpoint=endpoint)
    headers = headers_with(token) | {"Range": f"bytes=0-{size - 1}"}
    content = bytearray()
    try:
        with get_session().stream("GET", url, headers=headers, timeout=ASK_TIMEOUT_S) as answer:
            check_answer(answer.status_code, repo, url, token=bool(token))
            # A server may send all of it.
            for chunk in answer.iter_raw():
                content += chunk
                if len(content) >= size:
                    break
    except HubError:
        raise
    except Exception as error:
        raise as_hub_error(error, repo, token=bool(token), endpoint=endpoint) from error
    return bytes(content[:size])


def at_most(chunks: Iterable[bytes], most: int) -> bytes | None:
    """The chunks in one; None if they are more than `most` bytes, of which no more are taken."""
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) > most:
            return None
    return bytes(content)


def headers_with(token: str) -> dict[str, str]:
    """The headers of a request for a file."""
    # Compressed bytes could neither be counted nor resumed in the middle.
    made = {"Accept-Encoding": "identity"}
    return made | {"Authorization": f"Bearer {token}"} if token else made


def as_hub_error(
    error: Exception, repo: str, *, token: bool, endpoint: str | None = None
) -> HubError:
    """The error for an exception of huggingface_hub or its connection."""
    from huggingface_hub import constants
    from huggingface_hub.errors import (
        DisabledRepoError,
        GatedRepoError,
        HfHubHTTPError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    host = urlsplit(endpoint or constants.ENDPOINT).netloc
    if isinstance(error, OfflineModeIsEnabled):
        return HubError(
            "offline", "HF_HUB_OFFLINE forbids downloads: start Biplane without it, and try again."
        )
    if isinstance(error, GatedRepoError):
        return gated(repo, host, token=token)
    if isinstance(error, DisabledRepoError):
        return HubError("missing", "{repo} has been disabled on {host}.", repo=repo, host=host)
    if isinstance(error, RevisionNotFoundError):
        return HubError(
            "missing", "{repo} on {host} has no such revision any more.", repo=repo, host=host
        )
    if isinstance(error, RepositoryNotFoundError):
        what = say("your token cannot see it") if token else say("it is private and needs a token")
        return HubError(
            "missing",
            "{host} has no repository {repo}, or {what}: check how it is spelt.",
            host=host,
            repo=repo,
            what=what,
        )
    if isinstance(error, HfHubHTTPError):
        return from_status(error.response.status_code, repo, host, token=token)
    return HubError(
        "offline", "{host} cannot be reached: check the connection, and try again.", host=host
    )


def check_answer(status: int, repo: str, url: str, *, token: bool) -> None:
    """Raise HubError for an error status. The body, of any length, is not read."""
    if status >= 400:
        raise from_status(status, repo, urlsplit(url).netloc, token=token)


def from_status(status: int, repo: str, host: str, *, token: bool) -> HubError:
    """The error for an error status."""
    if status == 401:
        if token:
            return HubError(
                "token", "{host} does not accept this token: enter another one.", host=host
            )
        return gated(repo, host, token=False)
    if status == 403:
        return gated(repo, host, token=token)
    if status in (404, 410):
        return HubError(
            "missing",
            "{host} does not have what is missing of {repo} any more.",
            host=host,
            repo=repo,
        )
    if status == 429:
        return HubError(
            "busy", "{host} asks to wait, as too much was asked of it: try later.", host=host
        )
    return HubError(
        "busy",
        "{host} has trouble of its own (status {status}): try later.",
        host=host,
        status=status,
    )


def gated(repo: str, host: str, *, token: bool) -> HubError:
    """The error for a repository whose licence has to be accepted first."""
    if token:
        return HubError(
            "gated",
            "The account of your token may not read {repo} yet: accept its licence on "
            "{host}/{repo}, then try again.",
            repo=repo,
            host=host,
        )
    return HubError(
        "gated",
        "{repo} is gated: accept its licence on {host}/{repo}, then enter a token of your account.",
        repo=repo,
        host=host,
    )


def _file(repo: str, sibling: RepoSibling) -> RemoteFile:
    lfs = sibling.lfs
    try:
        return remote_file(
            sibling.rfilename,
            sibling.size if lfs is None else lfs.size,
            "" if lfs is None else lfs.sha256,
            sibling.blob_id,
        )
    except ValueError:
        raise HubError(
            "refused",
            "{repo} is refused: the hub states no checksum of {rfilename}, so that it "
            "could not be verified.",
            repo=repo,
            rfilename=sibling.rfilename,
        ) from None
