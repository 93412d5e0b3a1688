"""The version of Biplane."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from app.core.words.tr import tr


def app_version() -> str:
    """ "0.1.0", or "from source" where it was not installed."""
    try:
        return version("biplane")
    except PackageNotFoundError:
        return tr("from source")
