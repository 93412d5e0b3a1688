"""The saved language, read before anything that has words is imported. Without Qt."""

from __future__ import annotations

import json
from pathlib import Path

from app.preferences.table import LANGUAGES, SPECS

_MOST_BYTES = 1 << 20


def saved_language(path: Path) -> str:
    """The language in a settings file; that of the system where the file says none.

    A file that is damaged is left as it is: whoever opens it for good says so.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            return "system"
        said = json.loads(path.read_text(encoding="utf-8"))["settings"][SPECS["language"].key]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return "system"
    return said if isinstance(said, str) and said in LANGUAGES else "system"
