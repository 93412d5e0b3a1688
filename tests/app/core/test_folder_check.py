"""The look at a folder before the open model makes way."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.core.folder_check import FolderCheck, Found, examine, room
from app.core.options.shared import demo_model_dir
from engine.config import EngineConfig
from engine.hub.manifest import UNFINISHED
from engine.model.fit import FormatSize, Memory
from engine.model.inspect import ModelReport, inspect_model
from tests.present import present

CONFIG = EngineConfig()
GIB = 1 << 30
LARGE = FormatSize("stored", "bfloat16", 8 * GIB, 0, 32 << 10, 50 << 20)


def report(free: int) -> ModelReport:
    """Of a model with 8 GiB of weights, on a machine with `free` bytes."""
    made = inspect_model(demo_model_dir(), (Memory("cpu", free),))
    small = replace(LARGE, weights="int4", weight_bytes=2 * GIB)
    return replace(made, formats=(LARGE, small), context=32_768)


class TestFolder:
    def test_a_sound_one_has_no_problem(self) -> None:
        assert examine(demo_model_dir(), CONFIG, 0).problem == ""

    def test_one_that_is_not_there(self, tmp_path: Path) -> None:
        found = examine(tmp_path / "gone", CONFIG, 0)
        assert str(tmp_path / "gone") in found.problem

    @pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
    def test_a_missing_file_is_named(self, tmp_path: Path, name: str) -> None:
        folder = tmp_path / "model"
        shutil.copytree(demo_model_dir(), folder)
        (folder / name).unlink()
        said = name if name.endswith("json") else "safetensors"
        assert said in examine(folder, CONFIG, 0).problem

    def test_a_download_that_is_not_finished(self, tmp_path: Path) -> None:
        """Even with every file in place: the last one is verified before the mark goes."""
        folder = tmp_path / "model"
        shutil.copytree(demo_model_dir(), folder)
        (folder / UNFINISHED).write_text("{}")
        assert examine(folder, CONFIG, 0).problem == (
            f'"{folder}" is a download that is not finished: fetch the rest in View > Models, then '
            "open the model."
        )

    def test_it_is_looked_at_on_another_thread(self, qtbot: QtBot) -> None:
        check = FolderCheck(demo_model_dir(), CONFIG, 0)
        qtbot.waitUntil(lambda: check.done() is not None)
        assert present(check.done()).problem == ""

    def test_whatever_goes_wrong_there_is_said(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def panic(*_: object) -> Found:
            raise BaseException("the library panicked")

        monkeypatch.setattr("app.core.folder_check.examine", panic)
        check = FolderCheck(Path("/models/a"), CONFIG, 0)
        qtbot.waitUntil(lambda: check.done() is not None)
        assert present(check.done()).problem == "/models/a cannot be read: the library panicked."


class TestRoom:
    @pytest.mark.parametrize(
        ("free", "held", "beside"),
        [
            (64 * GIB, 0, True),
            (12 * GIB, 0, True),
            (9 * GIB, 8 * GIB, False),
            (GIB, 8 * GIB, False),
        ],
    )
    def test_beside_only_with_a_cache_worth_having(
        self, free: int, held: int, beside: bool
    ) -> None:
        assert room(report(free), CONFIG, held) == Found("", beside)

    def test_what_fits_in_no_way_is_refused_with_a_way_out(self) -> None:
        found = room(report(3 * GIB), CONFIG, 2 * GIB)
        assert "needs 8.00 GiB of memory, but only 5.00 GiB is available" in found.problem
        assert "fewer bits" in found.problem
        assert not room(report(3 * GIB), replace(CONFIG, weights="int4"), 2 * GIB).problem

    def test_a_files_own_blocks_are_kept_whatever_is_set_for_others(self) -> None:
        packed = replace(report(3 * GIB), formats=(replace(LARGE, blocks="Q8_0"),))
        found = room(packed, replace(CONFIG, weights="int4"), 2 * GIB)
        assert "needs 8.00 GiB of memory" in found.problem

    def test_a_cache_of_a_given_size_counts_as_it_is(self) -> None:
        asked = replace(CONFIG, cache_bytes=3 * GIB)
        assert not room(report(11 * GIB), asked, 0).beside
        assert room(report(12 * GIB), asked, 0).beside

    def test_experts_in_the_files_take_no_memory(self) -> None:
        mixture = replace(LARGE, routed_bytes=7 * GIB)
        made = replace(report(4 * GIB), formats=(mixture,))
        assert room(made, CONFIG, 0).problem
        assert room(made, replace(CONFIG, expert_bytes=GIB), 0).problem == ""

    def test_numbers_that_are_not_listed_are_left_to_the_loader(self) -> None:
        assert room(report(64 * GIB), replace(CONFIG, dtype="float16"), 0) == Found()
