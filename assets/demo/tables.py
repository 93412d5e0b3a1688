"""Opens the corpus's word tables, the JSON files under `data/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("data")


def table(name: str) -> dict[str, Any]:
    """The content of `data/{name}.json`."""
    content: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return content
