"""`biplane bench quick`: a table and a sentence, JSON, and the result that is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.bench_quick import lines
from app.cli.main import main
from app.core.store.load_times import kept_speed, speed_file
from app.core.words.model_words import advice
from engine.config import EngineConfig
from engine.machine_speed import Limit, MachineSpeed
from tests.engine.test_machine_speed import SPEED


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[EngineConfig]:
    """The settings that were measured with; the measurement itself is tested elsewhere."""
    seen: list[EngineConfig] = []

    def measure(config: EngineConfig, progress: object) -> MachineSpeed:
        seen.append(config)
        return SPEED

    monkeypatch.setattr("engine.bench.quick.bench_quick", measure)
    return seen


class TestCommand:
    def test_it_needs_no_arguments_and_keeps_the_result(
        self, asked: list[EngineConfig], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["bench", "quick"]) == 0
        assert asked == [EngineConfig()]
        assert capsys.readouterr().out.splitlines() == lines(SPEED)
        assert kept_speed() == SPEED

    def test_json(self, asked: list[EngineConfig], capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bench", "quick", "--json", "--device", "cpu", "--threads", "1"]) == 0
        assert asked == [EngineConfig(device="cpu", threads=1)]
        found = json.loads(capsys.readouterr().out)
        assert found["advice"] == advice(SPEED)
        assert [row["weights"] for row in found["formats"]] == ["stored", "int8", "int4"]

    def test_a_wrong_setting_is_one_sentence(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bench", "quick", "--threads", "-1"]) == 2
        assert "threads" in capsys.readouterr().err

    def test_what_cannot_be_kept_is_shown_all_the_same(
        self, asked: list[EngineConfig], cache: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        cache.write_text("no folder")
        assert main(["bench", "quick"]) == 0
        said = capsys.readouterr()
        assert advice(SPEED) in said.out
        assert f"could not be kept in {speed_file()}" in said.err
        assert kept_speed() is None


class TestLines:
    def test_every_part_is_there(self) -> None:
        text = "\n".join(lines(SPEED))
        for words in (
            *("reads 36.0 GB/s", "int8 1.10", "kernels: AVX2", "752 million parameters in 24"),
            *("prefill of 512", "decode after 500", "Measured in 1 min 2 s", advice(SPEED)),
        ):
            assert words in text
        assert "Other programs" not in text

    def test_columns_stand_under_their_names(self) -> None:
        found = lines(SPEED)
        head = next(n for n, line in enumerate(found) if line.startswith("weights"))
        ends = {len(line) for line in found[head : head + 4]}
        assert len(ends) == 1
        assert ends.pop() <= 100

    @pytest.mark.parametrize(
        ("limit", "why"),
        [("memory", "only 8.00 GiB"), ("disk", "room for temporary"), ("time", "two minutes")],
    )
    def test_a_smaller_model_says_why(self, limit: Limit, why: str) -> None:
        text = "\n".join(lines(replace(SPEED, limited_by=limit)))
        assert "less than Qwen3.5-0.8B" in text
        assert why in text

    def test_a_busy_machine_and_missing_products_are_named(self) -> None:
        text = "\n".join(lines(replace(SPEED, busy_percent=80, int8_flop_s=None)))
        assert "took 80% of the processors" in text
        assert "int8 none" in text
