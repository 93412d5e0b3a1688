"""Every scenario and every report has a test, or a reason why it cannot."""

from __future__ import annotations

import re
from fnmatch import filter as matching

from tests.scenarios.listing import EXCUSED, NONE, README, ROW, by_number, names, with_tests

REPORTS = {
    "llama_cpp": (18497, 19394, 19794, 20153, 20225, 21762, 21099, 25913),
    "mlx_lm": (980,),
    "sglang": (22935, 36935, 39830, 36770),
    "vllm": (45238, 51250),
    "freetoken": (287,),
}


def test_every_number_from_1_to_70() -> None:
    covered = set(by_number())
    _, _, after = README.read_text().partition(EXCUSED)
    excused = {int(number) for number in re.findall(r"^\| (\d+) \|", after, re.MULTILINE)}
    assert set(range(1, 71)) - covered - excused == set()
    assert len(excused) < 6
    assert not covered & excused


def test_the_list_is_whole_and_names_the_tests_there_are() -> None:
    text = README.read_text()
    assert with_tests(text) == text, "python -m tests.scenarios.listing writes the names anew"
    before, _, after = text.partition(EXCUSED)
    rows = ROW.findall(before)
    assert [int(number) for number, *_ in rows] == list(range(1, 71))
    without = {int(number) for number, *_, tests in rows if tests == NONE}
    assert without == {int(number) for number, *_ in ROW.findall(after)}


def test_what_stands_in_for_a_scenario_exists() -> None:
    _, _, after = README.read_text().partition(EXCUSED)
    stand_ins = re.findall(r"`(test_\w+\*?)`", after)
    assert len(stand_ins) > 2
    for pattern in stand_ins:
        assert matching(names(), pattern), f"{pattern} matches no test"


def test_every_report() -> None:
    found = names()
    for engine, numbers in REPORTS.items():
        for number in numbers:
            assert any(name.startswith(f"test_report_{engine}_{number}_") for name in found)
