"""The list of faults keeps up with the code: each one can still be planted."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutation.fault import Drop, Fault, Put, Text
from tests.mutation.faults import FAULTS

ENGINE = Path(__file__).resolve().parents[2] / "engine"


@pytest.mark.parametrize("meaning", FAULTS)
def test_it_can_be_planted(meaning: str) -> None:
    fault = FAULTS[meaning]
    source = (ENGINE / fault.file).read_text()
    planted = fault.planted(source)
    assert planted != source
    # A syntax error is caught by any test and so proves nothing; of C the check itself finds it.
    if not isinstance(fault.change, Text):
        compile(planted, fault.file, "exec")
        assert planted != ast.unparse(ast.parse(source))
    for part in fault.tests.split():
        assert (ENGINE.parent / "tests" / part).exists()


def test_there_are_enough() -> None:
    assert len(FAULTS) >= 353
    assert len({(f.file, f.place, f.change) for f in FAULTS.values()}) == len(FAULTS)


def test_a_place_that_is_gone_is_named() -> None:
    fault = Fault("cache/tree.py", "Tree.cut", Drop("self.note"))
    with pytest.raises(LookupError, match=r"cache/tree\.py has no Tree\.cut"):
        fault.planted("class Tree:\n    def split(self): self.note()\n")


@pytest.mark.parametrize(("body", "count"), [("self.a()", 0), ("self.note(); self.note()", 2)])
def test_a_change_that_does_not_fit_once_is_named(body: str, count: int) -> None:
    fault = Fault("cache/tree.py", "split", Drop("self.note"))
    with pytest.raises(LookupError, match=rf"cache/tree\.py: .* fits {count} times in split"):
        fault.planted(f"def split(self):\n    {body}\n")


def test_layout_and_comments_do_not_matter() -> None:
    fault = Fault("cache/tree.py", "split", Put("len(path) > 1 and ...", "False"))
    source = (
        "def split(path):\n    return (\n        len(path) > 1  # Why.\n        and path[0]\n    )"
    )
    assert fault.planted(source) == "def split(path):\n    return False"
