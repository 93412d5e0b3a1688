"""Finds out what a model needs: from its folder, or from what the hub says of it. Without Qt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from app.words.tr import tr
from engine.hub.failures import HubError
from engine.hub.listing import list_repo, small_file
from engine.hub.manifest import Manifest
from engine.hub.token import stored_token

if TYPE_CHECKING:
    from engine.model.needs import ModelNeeds

_CONFIG_BYTES = 4 << 20


def look_up(repo: str, token: str, at: str | None) -> tuple[Manifest, ModelNeeds | None]:
    """Ask the hub for a repository and, from its configuration, what it needs. Raises HubError."""
    token = token or stored_token()
    manifest = list_repo(repo, token=token, endpoint=at)
    try:
        config = small_file(manifest, "config.json", most=_CONFIG_BYTES, token=token, endpoint=at)
        return manifest, needs_of_sizes(json.loads(config))
    except HubError as error:
        if error.kind == "gated":
            # Its files can be listed, and are not to be read yet.
            return manifest, None
        raise
    except (ValueError, RecursionError):
        sentence = tr("config.json of {repo} cannot be read.").format(repo=repo)
        raise HubError("unsuitable", sentence) from None


def needs_of_folder_here(folder: Path) -> ModelNeeds:
    """Of a model that is here. Raises ModelError."""
    # Imports torch, which is not done on the window's thread.
    from engine.model.needs import needs_of_folder

    return needs_of_folder(folder)


def needs_of_sizes(config: object) -> ModelNeeds:
    """Of a decoded config.json. Raises HubError."""
    from engine.errors import ModelError
    from engine.model.needs import needs_of_config

    if not isinstance(config, dict):
        raise HubError("unsuitable", tr("config.json is not a model's."))
    try:
        return needs_of_config(config)
    except ModelError as error:
        raise HubError("unsuitable", str(error)) from None


def as_problem(error: Exception | None) -> HubError:
    """The sentence for whatever a question ended with."""
    if isinstance(error, HubError):
        return error
    return HubError(
        "busy", tr("Looking it up failed ({kind}): try again.").format(kind=type(error).__name__)
    )
