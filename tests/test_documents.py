"""The documents know the code: every module is in ARCHITECTURE.md, and nothing else is."""

from __future__ import annotations

import re

from tests.module_tables import DOCUMENT, ROOT, modules


def test_the_tables_of_modules_are_those_of_the_docstrings() -> None:
    text = DOCUMENT.read_text()
    assert modules(text) == text, "python -m tests.module_tables writes them anew"


def test_the_readme_names_both_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert "make run" in text
    assert "make test" in text
    for link in re.findall(r"\]\(([^)h][^)]*)\)", text):
        assert (ROOT / link).exists(), f"{link} is linked but not there"
