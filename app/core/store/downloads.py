"""Where downloaded models are stored, in the user's data folder, and the hub they come from."""

from __future__ import annotations

import os

from app.core.store.opening import data_folder
from engine.hub.library import Library


def downloads() -> Library:
    """The library of all windows and commands of this user."""
    return Library(data_folder() / "models")


def endpoint() -> str | None:
    """The mirror that HF_ENDPOINT names; None for huggingface.co itself."""
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or None
