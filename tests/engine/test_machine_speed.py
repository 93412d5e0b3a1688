"""The measurement of a machine: what is kept comes back, and nothing else does."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from engine.machine_speed import MOST_BYTES, FormatSpeed, MachineSpeed, keep, kept

SPEED = MachineSpeed(
    date="2026-11-22",
    machine="A processor, 2 threads, torch 2.13.0",
    device="cpu",
    kernels="AVX2",
    busy_percent=0,
    free_bytes=8 << 30,
    parameters=752_393_024,
    layers=24,
    limited_by="",
    read_bytes_s=36e9,
    copy_bytes_s=30e9,
    bfloat16_flop_s=0.4e12,
    float32_flop_s=0.3e12,
    int8_flop_s=1.1e12,
    prompt=512,
    context=500,
    seconds=61.5,
    formats=(
        FormatSpeed("stored", 1_505_000_000, 166.0, 400.0, 18.0, 24.0),
        FormatSpeed("int8", 759_000_000, 449.0, 1100.0, 33.0, 45.0),
        FormatSpeed("int4", 570_000_000, 400.0, 1100.0, 48.0, 63.0),
    ),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "machine_speed.json"


class TestKeeping:
    def test_what_is_kept_comes_back(self, file: Path) -> None:
        keep(SPEED, file)
        assert kept(file) == SPEED
        other = dataclasses.replace(SPEED, int8_flop_s=None, limited_by="time", busy_percent=70)
        keep(other, file)
        assert kept(file) == other

    def test_it_is_the_users_own_and_the_only_file(self, file: Path) -> None:
        keep(SPEED, file)
        assert file.stat().st_mode & 0o77 == 0
        assert list(file.parent.iterdir()) == [file]

    def test_without_a_file_there_is_none(self, file: Path) -> None:
        assert kept(file) is None


class TestForeignFiles:
    @pytest.mark.parametrize("text", ["", "{}", "[]", "null", "nonsense", "[" * 20_000, "\ud800"])
    def test_what_is_no_report_is_nothing(self, file: Path, text: str) -> None:
        file.parent.mkdir()
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        assert kept(file) is None

    @pytest.mark.parametrize(
        ("change", "of_format"),
        [
            ({"version": 2}, {}),
            ({"kernels": 3}, {}),
            ({"layers": -1}, {}),
            ({"layers": True}, {}),
            ({"limited_by": "taste"}, {}),
            ({"limited_by": ["time"]}, {}),
            ({"limited_by": None}, {}),
            ({"read_bytes_s": 0.0}, {}),
            ({"read_bytes_s": float("nan")}, {}),
            ({"read_bytes_s": "fast"}, {}),
            ({"int8_flop_s": float("inf")}, {}),
            ({"formats": []}, {}),
            ({"formats": [7]}, {}),
            ({}, {"decode_tok_s": 0}),
            ({}, {"weight_bytes": 0}),
            ({}, {"weights": None}),
        ],
    )
    def test_a_value_that_none_can_have_is_nothing(
        self, file: Path, change: dict[str, Any], of_format: dict[str, Any]
    ) -> None:
        keep(SPEED, file)
        values = json.loads(file.read_text())
        values["formats"][1] |= of_format
        file.write_text(json.dumps(values | change))
        assert kept(file) is None

    def test_what_a_newer_version_says_more_is_left_out(self, file: Path) -> None:
        keep(SPEED, file)
        values = json.loads(file.read_text()) | {"more": 1}
        values["formats"][1]["extra"] = 1
        file.write_text(json.dumps(values))
        assert kept(file) == SPEED

    def test_a_missing_field_is_nothing(self, file: Path) -> None:
        keep(SPEED, file)
        values = json.loads(file.read_text())
        del values["kernels"]
        file.write_text(json.dumps(values))
        assert kept(file) is None

    def test_a_huge_file_is_not_read_to_its_end(self, file: Path) -> None:
        keep(SPEED, file)
        file.write_text(file.read_text() + " " * MOST_BYTES)
        assert kept(file) is None
