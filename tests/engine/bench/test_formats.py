"""What a format costs: the figures on the bundled model are in order, and can be off."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from gguf import GGMLQuantizationType as Kind

import assets
from engine import EngineConfig
from engine.bench import formats
from tests.gguf_files import floats, write_folder

DEMO = Path(assets.__file__).parent / "demo_model"


@pytest.fixture(scope="module")
def report() -> formats.FormatsReport:
    return formats.bench_formats(DEMO, EngineConfig(), lambda _: None)


class TestBundledModel:
    def test_every_format_is_there(self, report: formats.FormatsReport) -> None:
        names = ["stored, by token", "int8", "int4"]
        assert [row.weights for row in report.rows] == names
        assert report.positions > 500

    def test_fewer_bits_take_less_and_are_further_off(self, report: formats.FormatsReport) -> None:
        sizes = [row.weight_bytes for row in report.rows]
        assert sizes == sorted(sizes, reverse=True)
        order, eight, four = (row.kl_mean for row in report.rows)
        assert 0 < order < eight < four
        # As measured, with room: 0.0006, 0.006, 0.1 nats.
        assert eight < 0.02
        assert four < 0.3

    def test_the_likeliest_token_mostly_stays(self, report: formats.FormatsReport) -> None:
        order, eight, four = (row.same_top for row in report.rows)
        assert order > 0.95
        assert eight > 0.9
        assert four > 0.7


def test_gguf_files_of_the_model_are_rows_too(tmp_path: Path) -> None:
    path = tmp_path / "same.gguf"
    write_folder(DEMO, path, floats(Kind.BF16))
    _, _, _, row = formats.bench_formats(DEMO, EngineConfig(), print, [path]).rows
    assert row.weights == "same.gguf"
    # The same numbers, at two bytes each but for those that the converter widens.
    assert row.kl_worst == 0.0
    assert row.same_top == 1.0
    assert row.bits == pytest.approx(16, rel=0.2)


class TestRow:
    def test_equal_logits_are_no_divergence(self) -> None:
        rows = [torch.randn(5, 9, generator=torch.Generator().manual_seed(1))]
        row = formats._row("x", (1, 1), rows, rows)
        assert row.kl_worst < 1e-6
        assert row.same_top == 1.0

    def test_the_order_of_the_two_matters(self) -> None:
        right, other = torch.tensor([[4.0, 0.0]]), torch.tensor([[0.0, 0.0]])
        forth = formats._row("x", (1, 1), [right], [other])
        back = formats._row("x", (1, 1), [other], [right])
        assert forth.kl_mean != pytest.approx(back.kl_mean, rel=0.1)
