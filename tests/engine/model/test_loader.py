"""Loading: what is accepted, and one plain sentence for what is not."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from engine.config import WeightFormat
from engine.errors import LoadCancelled, ModelError
from engine.model.loader import LoadOptions, load_model
from engine.model.random_checkpoint import random_checkpoint
from tests.engine.model.conftest import BASE, MOE, AllLogits, CaseNamed, Load, ModelFolder

CPU = torch.device("cpu")
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
GATE = "model.layers.0.mlp.gate_proj.weight"


@pytest.fixture
def folder(tmp_path: Path, model_folder: ModelFolder, case_named: CaseNamed) -> Path:
    """A copy of the base model in one file, to be damaged."""
    return copy_of(model_folder(case_named("base"), torch.float32), tmp_path)


@pytest.fixture
def sharded(tmp_path: Path, model_folder: ModelFolder, case_named: CaseNamed) -> Path:
    """A copy of a model in three files with an index."""
    return copy_of(model_folder(case_named("six_layers"), torch.float32), tmp_path)


def copy_of(source: Path, target: Path) -> Path:
    for file in source.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    return target


def rewrite(folder: Path, change: Callable[[dict[str, Tensor]], object]) -> None:
    tensors = load_file(folder / WEIGHTS)
    change(tensors)
    save_file(tensors, folder / WEIGHTS)


def refusal(folder: Path, dtype: str = "auto") -> str:
    with pytest.raises(ModelError) as caught:
        load_model(folder, dtype, CPU, lambda *_: None)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


class TestAccepted:
    def test_progress_rises_to_one(self, folder: Path) -> None:
        told: list[tuple[str, float | None, int]] = []
        load_model(folder, "auto", CPU, lambda *step: told.append(step))
        shares = [share for _, share, *_ in told if share is not None]
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
        assert all(text for text, *_ in told)
        # What is read is counted in bytes, of the tensors that are used.
        stored = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
        assert 0.5 * stored < told[-1][2] <= stored

    @pytest.mark.parametrize(
        ("asked", "kept"),
        [
            ("auto", torch.float32),
            ("float32", torch.float32),
            ("bfloat16", torch.bfloat16),
            ("float16", torch.float32),
        ],
    )
    def test_dtypes(
        self,
        folder: Path,
        asked: str,
        kept: torch.dtype,
        all_logits: AllLogits,
        load: Load,
        ids: Tensor,
    ) -> None:
        model = load(folder, asked)
        assert model.dtype == kept
        exact = all_logits(load(folder), ids)
        error = (all_logits(model, ids) - exact).abs().max() / exact.abs().max()
        assert error < 0.15

    def test_float16_weights_are_computed_in_float32(
        self, folder: Path, load: Load, all_logits: AllLogits, ids: Tensor
    ) -> None:
        exact = all_logits(load(folder), ids)
        rewrite(folder, lambda t: t.update({n: x.half() for n, x in t.items()}))
        model = load(folder)
        assert model.dtype == torch.float32
        error = (all_logits(model, ids) - exact).abs().max() / exact.abs().max()
        assert error < 0.05

    def test_vision_and_mtp_tensors_are_skipped(
        self, folder: Path, load: Load, all_logits: AllLogits, ids: Tensor
    ) -> None:
        expected = all_logits(load(folder), ids)
        extra = {
            "model.visual.blocks.0.attn.qkv.weight": torch.ones(3, dtype=torch.int8),
            "mtp.layers.0.mlp.gate_proj.weight": torch.ones(2, 2),
        }
        rewrite(folder, lambda tensors: tensors.update(extra))
        model = load(folder)
        assert torch.equal(all_logits(model, ids), expected)
        assert model.notes == (
            "Skipped 1 tensors of multi-token prediction (0.0 MiB).",
            "Skipped 1 tensors of the vision model (0.0 MiB).",
        )

    def test_what_was_left_out_is_counted_and_named(self, folder: Path, load: Load) -> None:
        assert load(folder).notes == ()
        rows = torch.ones(1024, 256)
        extra = {f"mtp.layers.{i}.weight": rows.clone() for i in range(3)}
        extra |= {"model.vision_tower.a": rows.clone(), "audio.encoder.weight": rows.clone()}
        rewrite(folder, lambda tensors: tensors.update(extra))
        assert load(folder).notes == (
            'Skipped 1 tensors of "audio.encoder.weight" (1.0 MiB).',
            "Skipped 3 tensors of multi-token prediction (3.0 MiB).",
            "Skipped 1 tensors of the vision model (1.0 MiB).",
        )

    def test_three_files(self, sharded: Path, load: Load) -> None:
        assert len(list(sharded.glob("*.safetensors"))) == 3
        assert load(sharded).config.linear_layers == 5

    def test_the_files_may_go_after_loading(
        self, folder: Path, load: Load, all_logits: AllLogits, ids: Tensor
    ) -> None:
        model = load(folder)
        expected = all_logits(model, ids)
        (folder / WEIGHTS).write_bytes(b"")
        assert torch.equal(all_logits(model, ids), expected)


class TestCancelled:
    """What `progress` raises ends the loading, wherever it is."""

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["six_layers", "moe", "next"])
    @pytest.mark.parametrize("weights", ["stored", "int4"])
    def test_it_passes_through_at_every_step(
        self,
        name: str,
        weights: WeightFormat,
        case_named: CaseNamed,
        model_folder: ModelFolder,
        tmp_path: Path,
    ) -> None:
        folder = model_folder(case_named(name), torch.float32)

        def how(start: int) -> LoadOptions:
            return LoadOptions(weights=weights, packed=tmp_path / str(start))

        steps = self.steps_before(folder, how(0), 10**9)
        assert steps > 20
        for last in (*range(1, steps, max(steps // 9, 1)), steps):
            assert self.steps_before(folder, how(last), last) == last
            # What was written until then is whole, and serves the next start.
            assert not list(tmp_path.glob("*/*.part"))
            again = load_model(folder, how(last), CPU, lambda *_: None)
            assert again.config.linear_layers

    def steps_before(self, folder: Path, options: LoadOptions, last: int) -> int:
        """Steps told before the one that raises, itself included."""
        told = 0

        def progress(stage: str, share: float | None, total: int = 0, /) -> None:
            nonlocal told
            told += 1
            if told == last:
                raise LoadCancelled("Opening the model was cancelled.")

        try:
            load_model(folder, options, CPU, progress)
        except LoadCancelled:
            assert told == last
        return told

    def test_experts_are_steps_too(self, case_named: CaseNamed, model_folder: ModelFolder) -> None:
        """A layer of hundreds of experts takes long, fused or not."""
        told: list[float | None] = []
        folder = model_folder(case_named("moe"), torch.float32)
        load_model(folder, "auto", CPU, lambda _, share, *__: told.append(share))
        assert len(told) > 4 * 8 * 2
        shares = [share for share in told if share is not None]
        assert shares == sorted(shares)
        assert len(set(shares)) > 4 * 8
        assert shares[-1] == 1.0


class TestRefused:
    def test_no_folder(self, tmp_path: Path) -> None:
        assert "There is no folder" in refusal(tmp_path / "absent")

    def test_no_config(self, tmp_path: Path) -> None:
        assert "config.json" in refusal(tmp_path)

    def test_broken_config(self, folder: Path) -> None:
        (folder / "config.json").write_text("{", "utf-8")
        assert "config.json" in refusal(folder)

    def test_no_weights(self, folder: Path) -> None:
        (folder / WEIGHTS).rename(folder / "pytorch_model.bin")
        assert "safetensors" in refusal(folder)

    def test_truncated_data(self, folder: Path) -> None:
        raw = (folder / WEIGHTS).read_bytes()
        (folder / WEIGHTS).write_bytes(raw[:-100])
        sentence = refusal(folder)
        assert WEIGHTS in sentence
        assert str(len(raw)) in sentence

    @pytest.mark.parametrize("kept", [0, 4, 8, 100])
    def test_truncated_header(self, folder: Path, kept: int) -> None:
        (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:kept])
        assert WEIGHTS in refusal(folder)

    def test_a_header_that_claims_too_much(self, folder: Path) -> None:
        raw = (folder / WEIGHTS).read_bytes()
        (folder / WEIGHTS).write_bytes(struct.pack("<Q", 1 << 60) + raw[8:])
        assert "header" in refusal(folder)

    @pytest.mark.parametrize(
        "header",
        [
            "[]",
            "{",
            '{"a": 3}',
            '{"a": {"dtype": "F32", "shape": [2], "data_offsets": [8, 0]}}',
            '{"a": {"dtype": "F32", "shape": [1e999], "data_offsets": [0, 8]}}',
        ],
    )
    def test_a_damaged_header(self, folder: Path, header: str) -> None:
        raw = header.encode()
        (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(raw)) + raw)
        assert "header" in refusal(folder)

    def test_a_shape_that_does_not_fit_its_bytes(self, folder: Path) -> None:
        header = {GATE: {"dtype": "F32", "shape": [4], "data_offsets": [0, 8]}}
        raw = json.dumps(header).encode()
        (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(raw)) + raw + bytes(8))
        sentence = refusal(folder)
        assert "16" in sentence
        assert GATE in sentence

    def test_tensors_that_share_bytes(self, folder: Path) -> None:
        """Of a few bytes any number of tensors could be made, each with memory of its own."""
        header = {
            f"model.{number}": {"dtype": "U8", "shape": [512], "data_offsets": [at, at + 512]}
            for number, at in enumerate((0, 512, 1023))
        }
        raw = json.dumps(header).encode()
        (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(raw)) + raw + bytes(2000))
        sentence = refusal(folder)
        for part in (WEIGHTS, "model.1", "model.2", "overlap"):
            assert part in sentence

    def test_a_few_bytes_that_claim_to_be_a_whole_model(self, folder: Path) -> None:
        """The sum of its tensors is larger than the file, each of them is not."""
        raw = (folder / WEIGHTS).read_bytes()
        length = int.from_bytes(raw[:8], "little")
        header = json.loads(raw[8 : 8 + length])
        header.pop("__metadata__", None)
        for entry in header.values():
            first, end = entry["data_offsets"]
            entry["data_offsets"] = [0, end - first]
        longest = max(entry["data_offsets"][1] for entry in header.values())
        packed = json.dumps(header).encode()
        (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(packed)) + packed + bytes(longest))
        assert "overlap" in refusal(folder)

    def test_tensors_of_no_bytes_overlap_nothing(self, folder: Path, load: Load) -> None:
        rewrite(folder, lambda tensors: tensors.update({"model.visual.none": torch.ones(0, 4)}))
        assert load(folder).config.linear_layers == 3

    def test_a_folder_in_place_of_the_file(self, folder: Path) -> None:
        (folder / WEIGHTS).unlink()
        (folder / WEIGHTS).mkdir()
        assert WEIGHTS in refusal(folder)

    def test_a_pickle_is_not_read(self, folder: Path) -> None:
        torch.save({"a": torch.ones(2)}, folder / WEIGHTS)
        assert WEIGHTS in refusal(folder)

    def test_a_missing_tensor(self, folder: Path) -> None:
        rewrite(folder, lambda tensors: tensors.pop(GATE))
        sentence = refusal(folder)
        assert GATE in sentence
        assert "[96, 64]" in sentence

    def test_no_text_model(self, folder: Path) -> None:
        rewrite(folder, lambda tensors: tensors.pop("model.embed_tokens.weight"))
        assert "model.embed_tokens.weight" in refusal(folder)

    def test_a_wrong_shape(self, folder: Path) -> None:
        rewrite(folder, lambda tensors: tensors.update({GATE: torch.ones(96, 32)}))
        sentence = refusal(folder)
        for part in (WEIGHTS, GATE, "[96, 32]", "[96, 64]"):
            assert part in sentence

    def test_an_unsupported_dtype(self, folder: Path) -> None:
        change = {GATE: torch.ones(96, 64, dtype=torch.int8)}
        rewrite(folder, lambda tensors: tensors.update(change))
        sentence = refusal(folder)
        assert "I8" in sentence
        assert GATE in sentence

    def test_a_tensor_too_many(self, folder: Path) -> None:
        name = "model.layers.0.self_attn.q_proj.bias"
        rewrite(folder, lambda tensors: tensors.update({name: torch.ones(4)}))
        assert name in refusal(folder)

    def test_a_missing_file(self, sharded: Path) -> None:
        gone = sorted(sharded.glob("*.safetensors"))[1]
        gone.unlink()
        assert gone.name in refusal(sharded)

    def test_an_index_that_leaves_the_folder(self, sharded: Path) -> None:
        index = json.loads((sharded / INDEX).read_text("utf-8"))
        index["weight_map"][GATE] = "../other.safetensors"
        (sharded / INDEX).write_text(json.dumps(index), "utf-8")
        assert "../other.safetensors" in refusal(sharded)

    @pytest.mark.parametrize("text", ["", "[]", '{"weight_map": 3}'])
    def test_a_broken_index(self, sharded: Path, text: str) -> None:
        (sharded / INDEX).write_text(text, "utf-8")
        assert INDEX in refusal(sharded)

    def test_an_index_that_names_an_absent_tensor(self, sharded: Path) -> None:
        index = json.loads((sharded / INDEX).read_text("utf-8"))
        index["weight_map"]["model.absent"] = index["weight_map"][GATE]
        (sharded / INDEX).write_text(json.dumps(index), "utf-8")
        assert "model.absent" in refusal(sharded)

    @pytest.mark.parametrize("name", ["config.json", WEIGHTS])
    def test_a_file_that_may_not_be_read(
        self, folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opens = Path.open

        def refuse(self: Path, *args: Any, **how: Any) -> object:
            if self.name == name:
                raise PermissionError(13, "Permission denied", str(self))
            return opens(self, *args, **how)

        monkeypatch.setattr(Path, "open", refuse)
        sentence = refusal(folder)
        assert name in sentence
        assert "Permission denied" in sentence

    def test_an_unknown_dtype_name(self, folder: Path) -> None:
        assert "int4" in refusal(folder, "int4")


class TestNoNumbers:
    """Rounding makes finite codes of anything, and what comes of them looks like an answer."""

    NAMES = (
        "model.embed_tokens.weight",
        GATE,
        "model.layers.3.self_attn.q_proj.weight",
        "model.layers.3.self_attn.k_norm.weight",
        "model.layers.1.input_layernorm.weight",
        "model.norm.weight",
    )

    @pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("weights", ["int8", "int4"])
    def test_one_is_refused_by_the_name_of_its_tensor(
        self, folder: Path, weights: WeightFormat, name: str, number: float
    ) -> None:
        rewrite(folder, lambda tensors: tensors[name].view(-1)[5:6].fill_(number))
        with pytest.raises(ModelError, match=f'^"{re.escape(name)}" in the .* number: .*again.$'):
            load_model(folder, LoadOptions(weights=weights), CPU, lambda *_: None)

    @pytest.mark.parametrize("name", [name for name in NAMES if "norm" in name])
    def test_one_in_a_norm_is_refused_in_the_stored_format(self, folder: Path, name: str) -> None:
        rewrite(folder, lambda tensors: tensors[name][5:6].fill_(float("nan")))
        assert name in refusal(folder)

    @pytest.mark.parametrize("fused", [True, False])
    def test_one_in_an_expert_is_refused(self, tmp_path: Path, fused: bool) -> None:
        config = BASE | MOE
        random_checkpoint(tmp_path, config, 1, torch.bfloat16, fused=fused)
        name = "model.layers.2.mlp.experts." + ("down_proj" if fused else "3.down_proj.weight")
        rewrite(tmp_path, lambda tensors: tensors[name].view(-1)[-9:-8].fill_(float("nan")))
        with pytest.raises(ModelError, match=re.escape(name)):
            load_model(tmp_path, LoadOptions(weights="int4"), CPU, lambda *_: None)
