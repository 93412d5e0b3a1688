"""The saved language, read before anything that has words is imported. Without Qt."""

from __future__ import annotations

from pathlib import Path

from app.core.preferences.table import LANGUAGES, SPECS
from engine.private_files import read_object

_MOST_BYTES = 1 << 20


def saved_language(path: Path) -> str:
    """The language in a settings file; that of the system where the file says none.

    A file that is damaged is left as it is: whoever opens it for good says so.
    """
    settings = read_object(path, _MOST_BYTES).get("settings")
    said = settings.get(SPECS["language"].key) if isinstance(settings, dict) else None
    return said if isinstance(said, str) and said in LANGUAGES else "system"
