"""The documents know the code: every module is in ARCHITECTURE.md, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("app", "engine", "kernels")


def test_architecture_names_every_module() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    named: dict[str, set[str]] = {}
    folder = ""
    for line in text.splitlines():
        if heading := re.fullmatch(r"### `(.+)/`", line):
            folder = heading[1]
        elif row := re.match(r"\| `(\w+\.py)` \|", line):
            named.setdefault(folder, set()).add(row[1])
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            if path.name != "__init__.py":
                where = str(path.parent.relative_to(ROOT))
                assert path.name in named.get(where, set()), f"{where}/{path.name} is not named"
    for where, names in named.items():
        for name in names:
            assert (ROOT / where / name).is_file(), f"{where}/{name} is named but not there"


def test_the_readme_names_both_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert "make run" in text
    assert "make test" in text
    for link in re.findall(r"\]\(([^)h][^)]*)\)", text):
        assert (ROOT / link).exists(), f"{link} is linked but not there"
