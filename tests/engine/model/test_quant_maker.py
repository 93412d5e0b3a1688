"""Quantised matrices: made once, read at every later start, and the same bits either way."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

from engine.model import quant_maker
from engine.model.packed_files import PackedFiles
from engine.model.quant_maker import QuantFormat, QuantMaker
from kernels.matmul import Int4Matrix, Int8Matrix, PackedInt4, PackedInt8
from tests.engine.model.conftest import AllLogits, CaseNamed, Load, ModelFolder

CPU = torch.device("cpu")
UNIT = "layer-0000"


class Weights:
    """Seeded matrices by key, counting how often each is asked for."""

    def __init__(self, **shapes: tuple[int, int]) -> None:
        draw = torch.Generator().manual_seed(6)
        self.kept = {key: torch.randn(*shape, generator=draw) for key, shape in shapes.items()}
        self.asked: list[str] = []

    def build(self, key: str) -> Callable[[], Tensor]:
        def build() -> Tensor:
            self.asked.append(key)
            return self.kept[key].clone()

        return build


@pytest.fixture
def weights() -> Weights:
    return Weights(wide=(100, 64), odd=(50, 33), table=(200, 64))


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture(params=["int8", "int4"])
def kind(request: pytest.FixtureRequest) -> QuantFormat:
    found: QuantFormat = request.param
    return found


def maker(kind: QuantFormat, folder: Path | None, told: list[str]) -> QuantMaker:
    files = None if folder is None else PackedFiles(folder, told.append)
    if files is not None:
        files.begin(UNIT)
    made = QuantMaker(kind, CPU, files)
    return made


def kept_by(made: QuantMaker, weights: Weights) -> list[Tensor]:
    """All numbers of the three things that a maker makes; its file written.

    A matrix's as its product with unit rows: how it is laid out in memory may not be readable.
    """
    embedding = made.embedding("table", weights.build("table"))
    wide = made.make("wide", weights.build("wide"))
    odd = made.make("odd", weights.build("odd"))
    head = made.make_wide("table", weights.build("table"))
    if made._files is not None:
        made._files.end()
    products = [thing.project(torch.eye(n)) for thing, n in ((wide, 64), (odd, 33), (head, 64))]
    return [embedding.rows(torch.arange(200)), *products]


def assert_same(found: list[Tensor], expected: list[Tensor]) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        assert torch.equal(one, other)


class TestFormats:
    def test_what_four_bits_cannot_hold_is_kept_in_eight(
        self, weights: Weights, told: list[str]
    ) -> None:
        four = maker("int4", None, told)
        assert isinstance(four.make("wide", weights.build("wide")), Int4Matrix | PackedInt4)
        assert isinstance(four.make("odd", weights.build("odd")), Int8Matrix | PackedInt8)
        assert isinstance(four.make_wide("table", weights.build("table")), Int8Matrix | PackedInt8)

    def test_eight_bits_hold_everything(self, weights: Weights, told: list[str]) -> None:
        eight = maker("int8", None, told)
        assert isinstance(eight.make("wide", weights.build("wide")), Int8Matrix | PackedInt8)

    def test_files_of_two_formats_lie_side_by_side(
        self, weights: Weights, told: list[str], tmp_path: Path
    ) -> None:
        """Each format has a folder of its own, as the engine opens them."""
        assert_same(
            kept_by(maker("int8", tmp_path / "8", told), weights),
            kept_by(maker("int8", None, told), weights),
        )
        weights.asked.clear()
        four = kept_by(maker("int4", tmp_path / "4", told), weights)
        assert weights.asked == ["table", "wide", "odd"]
        assert_same(four, kept_by(maker("int4", None, told), weights))


class TestSecondStart:
    def test_it_builds_nothing_and_gives_the_same_bits(
        self, kind: QuantFormat, weights: Weights, told: list[str], tmp_path: Path
    ) -> None:
        first = kept_by(maker(kind, tmp_path, told), weights)
        assert weights.asked == ["table", "wide", "odd"]
        weights.asked.clear()
        again = kept_by(maker(kind, tmp_path, told), weights)
        assert weights.asked == []
        assert_same(again, first)
        assert told == []

    def test_files_change_no_bit(
        self, kind: QuantFormat, weights: Weights, told: list[str], tmp_path: Path
    ) -> None:
        assert_same(
            kept_by(maker(kind, tmp_path, told), weights),
            kept_by(maker(kind, None, told), weights),
        )

    def test_a_mapped_table_takes_no_memory(
        self, kind: QuantFormat, weights: Weights, told: list[str], tmp_path: Path
    ) -> None:
        for _ in range(2):
            embedding = maker(kind, tmp_path, told).embedding("table", weights.build("table"))
            assert sum(tensor.nbytes for tensor in embedding.tensors()) == 200 * 4
        in_memory = maker(kind, None, told).embedding("table", weights.build("table"))
        assert sum(tensor.nbytes for tensor in in_memory.tensors()) == 200 * (64 + 4)
        ids = torch.arange(200)
        assert torch.equal(embedding.rows(ids), in_memory.rows(ids))

    @pytest.mark.parametrize("back", [1, 300, 5000])
    def test_a_damaged_byte_builds_one_thing_again(
        self, kind: QuantFormat, weights: Weights, told: list[str], tmp_path: Path, back: int
    ) -> None:
        first = kept_by(maker(kind, tmp_path, told), weights)
        path = tmp_path / f"{UNIT}.safetensors"
        raw = bytearray(path.read_bytes())
        raw[-back] ^= 4
        path.write_bytes(bytes(raw))
        weights.asked.clear()
        assert_same(kept_by(maker(kind, tmp_path, told), weights), first)
        assert len(weights.asked) == 1
        weights.asked.clear()
        assert_same(kept_by(maker(kind, tmp_path, told), weights), first)
        assert weights.asked == []
        assert told == []

    def test_a_damaged_table_and_a_full_disk(
        self,
        kind: QuantFormat,
        weights: Weights,
        told: list[str],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The damaged table must not be mapped only because no other could be written."""
        first = kept_by(maker(kind, tmp_path, told), weights)
        path = tmp_path / f"{UNIT}.safetensors"
        raw = bytearray(path.read_bytes())
        table = PackedFiles(tmp_path, told.append)
        table.begin(UNIT)
        raw[table._places["table:codes8"][0].entries["table:codes8"].start + 77] ^= 0x40
        path.write_bytes(bytes(raw))
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
        assert_same(kept_by(maker(kind, tmp_path, told), weights), first)
        assert len(told) == 1

    def test_nothing_is_lacking_that_is_kept(
        self, kind: QuantFormat, weights: Weights, told: list[str], tmp_path: Path
    ) -> None:
        made = maker(kind, tmp_path, told)
        assert made.lacks("wide")
        assert not maker(kind, None, told).lacks("wide")
        kept_by(made, weights)
        again = maker(kind, tmp_path, told)
        assert not any(again.lacks(key) for key in ("wide", "odd", "table"))


Start = Callable[..., Any]
Logits = Callable[[Any], Tensor]


class TestModels:
    """The same with a whole model, and with everything that can befall its files."""

    @pytest.fixture(params=["base", "values_1x_untied", "moe", "next_untied_3x"])
    def folder(
        self, request: pytest.FixtureRequest, case_named: CaseNamed, model_folder: ModelFolder
    ) -> Path:
        found: Path = model_folder(case_named(request.param), torch.bfloat16)
        return found

    @pytest.fixture
    def whole(self, case_named: CaseNamed, model_folder: ModelFolder) -> Path:
        found: Path = model_folder(case_named("moe"), torch.bfloat16)
        return found

    @pytest.fixture
    def start(self, kind: QuantFormat, whole: Path, load: Load) -> Start:
        """start(FOLDER) opens it with the files there; without a folder nothing is kept."""
        return lambda packed=None: load(whole, weights=kind, packed=packed)

    @pytest.fixture
    def logits(self, all_logits: AllLogits, ids: Tensor) -> Logits:
        return lambda model: all_logits(model, ids)

    def test_the_second_start_quantises_nothing(
        self,
        kind: QuantFormat,
        folder: Path,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        plain = load(folder, weights=kind)
        first = load(folder, weights=kind, packed=tmp_path)
        written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert "embedding.safetensors" in written
        assert sum(note.startswith("Saved ") for note in first.notes) == 1
        for name in ("quantize_int8", "quantize_int4"):
            monkeypatch.setattr(quant_maker, name, lambda _: pytest.fail("quantised again"))
        again = load(folder, weights=kind, packed=tmp_path)
        assert again.notes == ()
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == written
        expected = all_logits(plain, ids)
        assert torch.equal(all_logits(first, ids), expected)
        assert torch.equal(all_logits(again, ids), expected)
        # The table lies in the file.
        table = plain.config.vocab_size * plain.config.hidden_size
        assert plain.weight_bytes - again.weight_bytes == table
        assert first.weight_bytes == again.weight_bytes

    def test_matrices_are_read_from_no_checkpoint(
        self, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        start(tmp_path)
        read: list[str] = []
        from engine.model.tensor_store import TensorStore

        plain = TensorStore.read

        def counted(self: TensorStore, name: str, part: int | None = None) -> Tensor:
            read.append(name)
            return plain(self, name, part)

        monkeypatch.setattr(TensorStore, "read", counted)
        start(tmp_path)
        assert not [name for name in read if "_proj" in name and "conv" not in name]
        assert not [name for name in read if "embed" in name]

    @pytest.mark.parametrize("fault", ["flipped", "cut", "version", "empty", "swapped"])
    def test_damage_is_mended_without_a_word(
        self, fault: str, start: Start, logits: Logits, tmp_path: Path
    ) -> None:
        expected = logits(start(tmp_path))
        paths = sorted(tmp_path.glob("*.safetensors"))
        assert len(paths) == 5
        sizes = [path.stat().st_size for path in paths]
        kept = [path.read_bytes() for path in paths]
        for number, path in enumerate(paths):
            raw = bytearray(kept[number])
            match fault:
                case "flipped":
                    for at in range(2000 + number, len(raw), 4999):
                        raw[at] ^= 1
                case "cut":
                    del raw[len(raw) // 2 :]
                case "version":
                    raw = raw.replace(b'"version":"2"', b'"version":"9"')
                case "empty":
                    raw.clear()
                case "swapped":
                    raw = bytearray(kept[number - 1])
            path.write_bytes(bytes(raw))
        model = start(tmp_path)
        assert torch.equal(logits(model), expected)
        assert [note.split()[0] for note in model.notes] == ["Saved"]
        if fault != "swapped":
            assert [path.stat().st_size for path in paths] == sizes
        again = start(tmp_path)
        assert torch.equal(logits(again), expected)
        assert again.notes == ()

    def test_somebody_elses_files_stay_and_are_said(
        self, start: Start, logits: Logits, tmp_path: Path
    ) -> None:
        expected = logits(start(tmp_path))
        paths = sorted(tmp_path.glob("*.safetensors"))
        for path in paths:
            path.write_text("the only copy")
        model = start(tmp_path)
        assert torch.equal(logits(model), expected)
        (note,) = model.notes
        assert note.endswith("is not a Biplane file.")
        assert [path.read_text() for path in paths] == ["the only copy"] * len(paths)

    def test_a_full_disk_gives_one_note_and_a_model(
        self, start: Start, logits: Logits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = logits(start())
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 20))
        model = start(tmp_path)
        assert len(model.notes) == 1
        assert "only 1 MiB is free" in model.notes[0]
        assert torch.equal(logits(model), expected)

    def test_a_folder_that_cannot_be_made_gives_one_note_and_a_model(
        self, start: Start, logits: Logits, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("in the way")
        model = start(tmp_path / "file" / "weights")
        assert len(model.notes) == 1
        expected = logits(start())
        assert torch.equal(logits(model), expected)

    def test_a_disk_that_fills_up_on_the_way(
        self, start: Start, logits: Logits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = []

        def usage(_: object) -> SimpleNamespace:
            asked.append(1)
            return SimpleNamespace(free=1 << 40 if len(asked) < 3 else 0)

        monkeypatch.setattr(shutil, "disk_usage", usage)
        model = start(tmp_path)
        assert len(list(tmp_path.iterdir())) == 2
        assert [note.split()[0] for note in model.notes] == ["Quantised", "Saved"]
        expected = logits(start())
        assert torch.equal(logits(model), expected)
        monkeypatch.undo()
        assert torch.equal(logits(start(tmp_path)), expected)
        assert len(list(tmp_path.iterdir())) == 5
