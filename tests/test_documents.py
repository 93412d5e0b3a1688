"""The documents name files that are there, and the commands that work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = (
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "kernels/README.md",
    "tests/scenarios/README.md",
)


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    prose = (ROOT / page).read_text()
    named = re.findall(r"`([\w./]+/|[\w./]*\w\.(?:py|md|sh|toml))`", prose)
    paths = {str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if ".venv" not in path.parts}
    paths |= {f"{path}/" for path in paths if (ROOT / path).is_dir()}
    for name in named:
        # Some are named by their last part alone.
        assert any(f"/{path}".endswith(f"/{name}") for path in paths), f"{name} is not there"


def test_the_readme_names_both_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert "make run" in text
    assert "make test" in text
    for link in re.findall(r"\]\(([^)h][^)]*)\)", text):
        assert (ROOT / link).exists(), f"{link} is linked but not there"


def test_the_how_to_for_a_policy_shows_the_whole_of_one_that_is_tested() -> None:
    source = (ROOT / "tests/engine/cache/eviction/fifo.py").read_text()
    assert f"```python\n{source}```" in (ROOT / "CONTRIBUTING.md").read_text()
    assert len([line for line in source.splitlines() if line.strip()]) < 30
