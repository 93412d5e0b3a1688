"""The saved language, read before any module with translated texts. Without Qt."""

from __future__ import annotations

from pathlib import Path

from app.core.preferences.table import LANGUAGES, SPECS
from engine.private_files import read_object

_MOST_BYTES = 1 << 20


def saved_language(path: Path) -> str:
    """The language in a settings file; the system's if the file has none.

    A damaged file is left alone: the code that loads all settings reports it.
    """
    settings = read_object(path, _MOST_BYTES).get("settings")
    said = settings.get(SPECS["language"].key) if isinstance(settings, dict) else None
    return said if isinstance(said, str) and said in LANGUAGES else "system"
