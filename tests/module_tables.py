"""The tables of modules in ARCHITECTURE.md, made from the modules' own docstrings.

    python -m tests.module_tables

rewrites them; a test fails while they are out of date.
"""

from __future__ import annotations

import ast
import re
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "ARCHITECTURE.md"
HEADING = "## Every module"
PACKAGES = ("kernels", "engine", "app", "assets/demo")


def modules(text: str) -> str:
    """The document, with its tables rebuilt from the docstrings."""
    before, _, _ = text.partition(HEADING)
    known = re.findall(r"### `(.+)/`", text)
    found = {str(path.parent.relative_to(ROOT)) for path in _paths()}
    # Folders keep their order in the document; a new one comes after its siblings.
    folders = [folder for folder in known if folder in found]
    for new in sorted(found - set(folders)):
        parent = new.rpartition("/")[0]
        siblings = [
            at for at, folder in enumerate(folders) if f"{folder}/".startswith(f"{parent}/")
        ]
        folders.insert(siblings[-1] + 1 if siblings else len(folders), new)
    return f"{before}{HEADING}\n\n" + "\n".join(map(_table, folders))


def summary(path: Path) -> str:
    """The first paragraph of a module's docstring, on one line."""
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
    return " ".join(takewhile(str.strip, docstring.splitlines()))


def _table(folder: str) -> str:
    rows = [
        f"| `{path.name}` | {summary(path)} |" for path in _paths() if path.parent == ROOT / folder
    ]
    head = ["| module | what it is |", "| --- | --- |"]
    return "\n".join([f"### `{folder}/`", "", *head, *rows]) + "\n"


def _paths() -> list[Path]:
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return sorted(path for path in files if path.name != "__init__.py")


if __name__ == "__main__":
    DOCUMENT.write_text(modules(DOCUMENT.read_text()))
