"""The list of faults keeps up with the code: each one can still be applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation.faults import FAULTS, Fault

ENGINE = Path(__file__).resolve().parents[2] / "engine"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}-{fault.meaning[:30]}")
def test_it_can_be_applied(fault: Fault) -> None:
    text = (ENGINE / fault.file).read_text()
    assert text.count(fault.old) == 1
    assert fault.old != fault.new
    # A syntax error is caught by any test and so proves nothing; of C the check itself finds it.
    if fault.file.endswith(".py"):
        compile(text.replace(fault.old, fault.new), fault.file, "exec")
    for part in fault.tests.split():
        assert (ENGINE.parent / part).exists()


def test_there_are_enough() -> None:
    assert len(FAULTS) >= 20
    assert len({(fault.file, fault.old) for fault in FAULTS}) == len(FAULTS)
