"""Whether a model fits, and what to choose."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.models.logic.pace import best, fit_of, pace_of, rows_of
from app.models.logic.rows import advice_text, fit_text, measured_text, row_text, size_text
from app.models.logic.shelf import FAMILY, ShelfEntry
from app.models.needs_part import FormatTable
from engine.machine_speed import FormatSpeed, MachineSpeed
from engine.model.needs import ModelNeeds, needs_of_config
from tests.engine.test_machine_speed import SPEED

GIB = 1 << 30


def needs(name: str, free_gib: float = 32.0, total_gib: float = 48.0) -> ModelNeeds:
    known = next(known for known in FAMILY if known.name == name)
    made = needs_of_config(known.config)
    return dataclasses.replace(
        made,
        device="cpu",
        free_bytes=int(free_gib * GIB),
        total_bytes=int(total_gib * GIB),
        own_bytes=0,
    )


def speed(stored: float, int8: float, int4: float) -> MachineSpeed:
    """A machine that writes so many tokens a second with 1 GB of weights."""
    rows = (("stored", stored), ("int8", int8), ("int4", int4))
    return dataclasses.replace(
        SPEED,
        token_flops=10**9,
        formats=tuple(FormatSpeed(name, 10**9, 100.0, 200.0, rate, 30.0) for name, rate in rows),
    )


class TestFamily:
    @pytest.mark.parametrize(
        ("name", "parameters", "active", "kv_kib"),
        [
            ("Qwen3.5-0.8B", 0.75, 0.75, 12),
            ("Qwen3.5-2B", 1.88, 1.88, 12),
            ("Qwen3.5-4B", 4.21, 4.21, 32),
            ("Qwen3.5-9B", 8.95, 8.95, 32),
            ("Qwen3.5-27B", 26.9, 26.9, 64),
            ("Qwen3.5-35B-A3B", 34.66, 3.45, 20),
            ("Qwen3-Next-80B-A3B-Instruct", 79.67, 3.87, 24),
        ],
    )
    def test_sizes(self, name: str, parameters: float, active: float, kv_kib: int) -> None:
        found = needs(name)
        assert found.parameters / 1e9 == pytest.approx(parameters, rel=5e-3)
        assert found.active_parameters / 1e9 == pytest.approx(active, rel=5e-3)
        assert found.formats[0].kv_token_bytes == kv_kib << 10
        assert found.context == 262_144


class TestFit:
    def test_the_parts_add_up(self) -> None:
        model = needs("Qwen3.5-4B")
        fit = fit_of(model, model.formats[0], 32_768, 2 * GIB)
        assert fit.kv == 32_768 * (32 << 10)
        assert fit.host == 2 * GIB
        assert fit.others == 16 * GIB
        assert sum(size for _, size in fit.parts) == fit.others + fit.needed
        assert fit.fits
        assert "Fits: 11." in fit_text(fit, "cpu")

    def test_what_the_open_model_holds_is_not_other_programs(self) -> None:
        model = dataclasses.replace(needs("Qwen3.5-4B", free_gib=8), own_bytes=24 * GIB)
        fit = fit_of(model, model.formats[0], 32_768, 0)
        assert fit.others == 16 * GIB
        assert fit.fits
        assert "of the 32.0 GiB of memory that other programs leave" in fit_text(fit, "cpu")

    def test_host_memory_is_other_memory_on_a_gpu(self) -> None:
        model = dataclasses.replace(needs("Qwen3.5-4B"), device="cuda")
        assert fit_of(model, model.formats[0], 32_768, 2 * GIB).host == 0

    def test_no_longer_than_the_model_can(self) -> None:
        model = dataclasses.replace(needs("Qwen3.5-4B"), context=8192)
        fit = fit_of(model, model.formats[0], 262_144, 0)
        assert fit.context == 8192
        assert "for its longest context, 8,192 tokens" in fit_text(fit, "cpu")
        asked = fit_of(model, model.formats[0], 4096, 0)
        assert "for 4,096 tokens of context" in fit_text(asked, "cpu")

    def test_too_large(self) -> None:
        model = needs("Qwen3.5-27B", free_gib=8)
        fit = fit_of(model, model.formats[0], 32_768, 0)
        assert not fit.fits
        assert "Does not fit: it needs" in fit_text(fit, "cpu")

    def test_a_mixture_in_part(self) -> None:
        model = needs("Qwen3.5-35B-A3B", free_gib=20)
        fit = fit_of(model, model.formats[1], 32_768, 0)
        assert fit.fits
        assert 0 < fit.expert_bytes < 20 * GIB
        assert fit.needed == fit.free
        assert "experts" in fit_text(fit, "cpu")


class TestPace:
    def test_writing_follows_the_bytes_and_reading_the_products(self) -> None:
        model = needs("Qwen3.5-4B")
        pace = pace_of(model, model.formats[0], speed(20, 40, 60))
        assert pace.write_tok_s == pytest.approx(20 * 10**9 / model.formats[0].read_bytes)
        assert pace.read_tok_s == pytest.approx(100 * 10**9 / model.token_flops)

    def test_a_mixture_reads_few_of_its_experts(self) -> None:
        dense, mixture = needs("Qwen3.5-27B"), needs("Qwen3.5-35B-A3B")
        machine = speed(20, 40, 60)
        slow = pace_of(dense, dense.formats[0], machine).write_tok_s
        quick = pace_of(mixture, mixture.formats[0], machine).write_tok_s
        assert slow is not None
        assert quick is not None
        assert quick > 5 * slow

    @pytest.mark.parametrize(
        ("bits", "like"), [(16.0, 18.0), (8.5, 33.0), (6.6, 48.0), (4.9, 48.0), (2.6, 48.0)]
    )
    def test_blocks_of_a_file_cost_what_a_format_of_their_size_does(
        self, bits: float, like: float
    ) -> None:
        """like: what the format that they are compared with writes of the measured model."""
        model = needs("Qwen3.5-4B")
        nbytes = int(model.parameters * bits / 8)
        size = dataclasses.replace(
            model.formats[0], name="Q4_K", weight_bytes=nbytes, read_bytes=nbytes
        )
        (measured,) = (each for each in SPEED.formats if each.decode_tok_s == like)
        pace = pace_of(model, size, dataclasses.replace(SPEED, token_flops=10**9))
        assert pace.write_tok_s == pytest.approx(like * measured.weight_bytes / nbytes)
        expected = measured.prefill_tok_s * 10**9 / model.token_flops
        assert pace.read_tok_s == pytest.approx(expected)

    def test_unknown(self) -> None:
        model = needs("Qwen3.5-4B")
        assert pace_of(model, model.formats[0], None).write_tok_s is None
        old = dataclasses.replace(speed(20, 40, 60), token_flops=0)
        assert pace_of(model, model.formats[0], old).read_tok_s is None


class TestAdvice:
    @pytest.mark.parametrize(
        ("rates", "free_gib", "chosen"),
        [
            ((20, 21, 22), 32, "bfloat16"),
            ((20, 40, 50), 32, "int8"),
            ((20, 40, 90), 32, "int4"),
            ((20, 21, 22), 9, "int8"),
            ((20, 21, 22), 1, None),
        ],
    )
    def test_which(self, rates: tuple[float, ...], free_gib: float, chosen: str | None) -> None:
        model = needs("Qwen3.5-4B", free_gib=free_gib)
        machine = speed(*rates)
        # What a byte of each format costs is what was measured; here all have the same bytes.
        sizes = tuple(dataclasses.replace(size, read_bytes=10**9) for size in model.formats)
        rows = rows_of(dataclasses.replace(model, formats=sizes), 32_768, 0, machine)
        found = best(rows)
        assert (found.size.name if found else None) == chosen
        said = advice_text(rows, found)
        assert (f"Choose {chosen}" in said) if chosen else ("No format fits" in said)


class TestBlocksOfAFile:
    """There is one format, the file's own: nothing to choose, and nothing to recommend."""

    @pytest.fixture
    def model(self) -> ModelNeeds:
        whole = needs("Qwen3.5-4B")
        size = dataclasses.replace(whole.formats[0], name="Q4_K", weight_bytes=5 * GIB // 2)
        return dataclasses.replace(whole, formats=(size,))

    def test_what_is_said(self, qtbot: QtBot, model: ModelNeeds) -> None:
        rows = rows_of(model, 32_768, 0, None)
        assert advice_text(rows, best(rows)) == (
            "The file's own format is kept: nothing in it is rounded again."
        )
        table = FormatTable()
        qtbot.addWidget(table)
        table.show_rows(rows, "Q4_K")
        texts = [part.text() for part in table.findChildren(QLabel)]
        assert texts == ["Weights", "2.50 GiB", "fits"]

    def test_one_that_does_not_fit(self, model: ModelNeeds) -> None:
        rows = rows_of(dataclasses.replace(model, free_bytes=GIB), 32_768, 0, None)
        assert "No format fits" in advice_text(rows, best(rows))

    def test_files_in_a_list_differ_by_their_sizes(self, model: ModelNeeds) -> None:
        entry = ShelfEntry("/m/a.gguf", "file", "a.gguf", folder=Path("/m/a.gguf"))
        assert row_text(entry, model, "") == "4.21 B · 2.50 GiB"


def test_sizes_in_words() -> None:
    model = needs("Qwen3.5-35B-A3B")
    said = size_text(ShelfEntry("a/b", "known", "b", "a/b"), model)
    assert said == "34.7 B parameters, 3.45 B active · about 64.6 GiB to download"


class TestWhereSpeedsComeFrom:
    def test_they_were_measured_or_there_are_none(self) -> None:
        machine = speed(20, 40, 60)
        large = rows_of(needs("Qwen3.5-4B"), 32_768, 0, machine)
        assert machine.date in measured_text(machine, False, large)
        assert "not been measured" in measured_text(None, False, large)
        small = dataclasses.replace(needs("Qwen3.5-0.8B"), parameters=5_800_000)
        assert "too small" in measured_text(machine, False, rows_of(small, 8192, 0, machine))
        mixture = rows_of(needs("Qwen3-Next-80B-A3B-Instruct", 20.0), 8192, 0, machine)
        assert "the disk" in measured_text(machine, False, mixture)

    def test_columns_of_dashes_are_left_out(self, qtbot: QtBot) -> None:
        table = FormatTable()
        qtbot.addWidget(table)
        for machine, titles in ((None, 1), (speed(20, 40, 60), 3)):
            table.show_rows(rows_of(needs("Qwen3.5-4B"), 32_768, 0, machine), "int8")
            texts = {one.text() for one in table.findChildren(QLabel) if not one.isHidden()}
            assert len({"Weights", "Reads", "Writes"} & texts) == titles
            assert ("–" in texts) is False
