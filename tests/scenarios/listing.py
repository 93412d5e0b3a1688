"""Which tests cover which scenario, as the last column of the tables in this folder's README.

    python -m tests.scenarios.listing

writes the column anew; a test sees that nobody has to.
"""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
README = Path(__file__).parent / "README.md"
GROUPS = "match|insert|evict|fork|branch|cancel|prefill|template|tier|panel"
EXCUSED = "## What cannot exist here"
NONE = "–"
ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def names() -> list[str]:
    """Every test function, by name."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        found += re.findall(r"def (test_\w+)", path.read_text())
    return found


def by_number() -> dict[int, set[str]]:
    """The tests of each scenario: its group leads the name, its number is two digits."""
    found: dict[int, set[str]] = {}
    for name in names():
        if re.match(rf"test_({GROUPS})_\d\d_", name):
            for number in re.findall(r"_(\d\d)(?=_)", name):
                found.setdefault(int(number), set()).add(name)
    return found


def with_tests(text: str) -> str:
    """The README with the names of the tests as they are."""
    covered = by_number()

    def row(match: re.Match[str]) -> str:
        number, scenario, outcome, _ = match.groups()
        tests = "<br>".join(f"`{name}`" for name in sorted(covered.get(int(number), ()))) or NONE
        return f"| {number} | {scenario} | {outcome} | {tests} |"

    before, heading, after = text.partition(EXCUSED)
    return ROW.sub(row, before) + heading + after


if __name__ == "__main__":
    README.write_text(with_tests(README.read_text()))
