"""Every scenario and every report has a test, or a reason why it cannot."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
GROUPS = "match|insert|evict|fork|branch|cancel|prefill|template|tier|panel"
REPORTS = {
    "llama_cpp": (18497, 19394, 19794, 20153, 20225, 21762, 21099, 25913),
    "mlx_lm": (980,),
    "sglang": (22935, 36935, 39830, 36770),
    "vllm": (45238, 51250),
    "freetoken": (287,),
}


def names() -> list[str]:
    found = []
    for path in TESTS.rglob("test_*.py"):
        found += re.findall(r"def (test_\w+)", path.read_text())
    return found


def test_every_number_from_1_to_70() -> None:
    covered = set()
    for name in names():
        if re.match(rf"test_({GROUPS})_\d\d_", name):
            covered |= {int(number) for number in re.findall(r"_(\d\d)(?=_)", name)}
    readme = (Path(__file__).parent / "README.md").read_text()
    excused = {int(number) for number in re.findall(r"^\| (\d+) \|", readme, re.MULTILINE)}
    assert set(range(1, 71)) - covered - excused == set()
    assert len(excused) < 6


def test_every_report() -> None:
    found = names()
    for engine, numbers in REPORTS.items():
        for number in numbers:
            assert any(name.startswith(f"test_report_{engine}_{number}_") for name in found)
