"""Searches the hub for models, by words in their names."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from engine.hub.failures import HubError
from engine.hub.listing import ASK_TIMEOUT_S, as_hub_error, at_most, from_status, headers_with
from engine.hub.names import repo_id

MOST = 24
_MOST_BYTES = 4 << 20
_FIELDS = ("sha", "tags", "downloads", "safetensors")
# How the hub marks weights in formats of other programs.
_PACKED = frozenset({"awq", "bitsandbytes", "compressed-tensors", "gptq", "mlx"})


@dataclass(frozen=True, slots=True)
class Match:
    """A repository that a search found.

    Attributes:
        commit: its newest.
        licence: "" if it states none.
        parameters: in all its tensors, also those that are not loaded; 0 if the hub does not say.
        downloads: in the last month.
    """

    repo: str
    commit: str
    licence: str
    parameters: int
    downloads: int


@dataclass(frozen=True, slots=True)
class _Tensors:
    total: Annotated[int, Meta(ge=0, lt=1 << 50)] = 0


@dataclass(frozen=True, slots=True)
class _Listed:
    """One entry of the hub's answer."""

    id: str
    sha: Annotated[str, Meta(pattern=r"^[0-9a-f]{40}\Z")]
    tags: tuple[str, ...] = ()
    downloads: Annotated[int, Meta(ge=0, lt=1 << 50)] = 0
    safetensors: _Tensors | None = None


def search(
    words: str, model_type: str, *, token: str = "", endpoint: str | None = None
) -> tuple[Match, ...]:
    """The most downloaded repositories of this `model_type` with weights as safetensors that have
    the words in their names, at most `MOST`; "": any names. Waits for the network. Raises HubError.
    """
    from huggingface_hub import constants, get_session

    at = endpoint or constants.ENDPOINT
    asked: dict[str, str | int | list[str]] = {
        "filter": [model_type, "safetensors"],
        "sort": "downloads",
        "limit": MOST,
        "expand": list(_FIELDS),
    }
    if words:
        asked["search"] = words
    url, headers = f"{at}/api/models", headers_with(token)
    try:
        with get_session().stream(
            "GET", url, params=asked, headers=headers, timeout=ASK_TIMEOUT_S
        ) as answer:
            if answer.status_code >= 400:
                raise _refused(answer.status_code, url, token=bool(token))
            content = at_most(answer.iter_raw(), _MOST_BYTES)
    except HubError:
        raise
    except Exception as error:
        raise as_hub_error(error, "", token=bool(token), endpoint=endpoint) from error
    try:
        listed = msgspec.json.decode(content or b"", type=list[msgspec.Raw])
    except msgspec.DecodeError:
        raise _refused(200, url, token=bool(token)) from None
    return tuple(match for each in listed[:MOST] if (match := _match(each)) is not None)


def _match(raw: msgspec.Raw) -> Match | None:
    """None for what cannot be opened, or trusted."""
    with contextlib.suppress(msgspec.DecodeError, HubError):
        found = msgspec.json.decode(raw, type=_Listed)
        if not _PACKED.intersection(found.tags):
            return Match(
                repo_id(found.id),
                found.sha,
                next((tag[8:72] for tag in found.tags if tag.startswith("license:")), ""),
                0 if found.safetensors is None else found.safetensors.total,
                found.downloads,
            )
    return None


def _refused(status: int, url: str, *, token: bool) -> HubError:
    host = urlsplit(url).netloc
    if status in (401, 429) or status >= 500:
        return from_status(status, "", host, token=token)
    return HubError(
        "busy",
        "{host} does not answer searches (status {status}): enter a model as owner/name.",
        host=host,
        status=status,
    )
