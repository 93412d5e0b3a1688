"""Models from GGUF files against the same checkpoints as safetensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from torch import Tensor

from engine.errors import ModelError
from engine.model.config import read_config
from engine.model.inspect import inspect_model
from engine.model.needs import needs_of_begun, needs_of_folder
from engine.model.random_checkpoint import random_checkpoint
from tests.engine.model.conftest import (
    BASE,
    CASES,
    AllLogits,
    Case,
    CaseNamed,
    Load,
    ModelFolder,
    Oracle,
    OracleLogits,
)
from tests.gguf_files import (
    converted,
    floats,
    metadata,
    quantised,
    rounded_checkpoint,
    write,
    write_checkpoint,
)
from tests.kernels.blocks.stored import NAMES

# llama.cpp has no layers without experts in its mixtures, and none whose shares are not scaled.
CASES_OF_GGUF = [
    case for case in CASES if case.name not in ("next_mixed_layers", "next_1x_shares_as_they_are")
]


class TestLayout:
    @pytest.mark.parametrize("case", CASES_OF_GGUF, ids=lambda case: case.name)
    def test_the_same_bits_as_from_safetensors(
        self,
        case: Case,
        model_folder: ModelFolder,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
    ) -> None:
        folder, path = model_folder(case), tmp_path / "model.gguf"
        write_checkpoint(folder, path)
        found = all_logits(load(path), ids)
        assert torch.equal(found, all_logits(load(folder), ids))

    @pytest.mark.parametrize("name", ["base", "nested_untied", "moe", "next"])
    def test_bfloat16_stays_bfloat16(
        self,
        name: str,
        case_named: CaseNamed,
        model_folder: ModelFolder,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
    ) -> None:
        folder, path = model_folder(case_named(name), torch.bfloat16), tmp_path / "model.gguf"
        write_checkpoint(folder, path, floats(Kind.BF16))
        model = load(path)
        assert model.dtype == torch.bfloat16
        assert torch.equal(all_logits(model, ids), all_logits(load(folder), ids))


@pytest.fixture
def base(case_named: CaseNamed, model_folder: ModelFolder) -> tuple[Path, dict[str, Any]]:
    """A checkpoint with fewer key heads than value heads, and its configuration."""
    case = case_named("base")
    return model_folder(case), case.config()


class TestPublishedLayouts:
    """Other names and other ways to put the same tensors together."""

    def same(
        self,
        name: str,
        change: Callable[[dict[str, Tensor]], None],
        case_named: CaseNamed,
        model_folder: ModelFolder,
        load: Load,
        all_logits: AllLogits,
        tmp_path: Path,
        **how: Any,
    ) -> tuple[str, ...]:
        """The notes of a file whose tensors were changed, after comparing its logits."""
        case, path = case_named(name), tmp_path / "model.gguf"
        folder = model_folder(case)
        tensors = converted(folder, case.config())
        change(tensors)
        write(path, tensors, metadata(case.config()), **how)
        first = path if path.exists() else min(tmp_path.glob("*.gguf"))
        ids = torch.randint(0, 320, (70,), generator=torch.Generator().manual_seed(5))
        model = load(first)
        assert torch.equal(all_logits(model, ids), all_logits(load(folder), ids))
        return model.notes

    @pytest.fixture
    def alike(
        self,
        case_named: CaseNamed,
        model_folder: ModelFolder,
        load: Load,
        all_logits: AllLogits,
        tmp_path: Path,
    ) -> Callable[..., tuple[str, ...]]:
        return lambda name, change, **how: self.same(
            name, change, case_named, model_folder, load, all_logits, tmp_path, **how
        )

    def test_fused_attention(self, alike: Callable[..., tuple[str, ...]]) -> None:
        def fuse(tensors: dict[str, Tensor]) -> None:
            for lead in [name[:-13] for name in tensors if name.endswith("attn_q.weight")]:
                parts = [tensors.pop(f"{lead}attn_{part}.weight") for part in "qkv"]
                tensors[f"{lead}attn_qkv.weight"] = torch.cat(parts)

        alike("base", fuse)

    def test_experts_with_gate_and_up_in_one(self, alike: Callable[..., tuple[str, ...]]) -> None:
        def fuse(tensors: dict[str, Tensor]) -> None:
            for lead in [name[:-20] for name in tensors if name.endswith("ffn_gate_exps.weight")]:
                parts = [tensors.pop(f"{lead}ffn_{part}_exps.weight") for part in ("gate", "up")]
                tensors[f"{lead}ffn_gate_up_exps.weight"] = torch.cat(parts, 1)

        alike("moe", fuse)

    def test_the_first_files_of_qwen3_next(self, alike: Callable[..., tuple[str, ...]]) -> None:
        """There a linear layer's projections are one tensor, grouped by key head."""

        def group(tensors: dict[str, Tensor]) -> None:
            for lead in [name[:-15] for name in tensors if name.endswith("attn_gate.weight")]:
                lead = lead.removesuffix("a")
                mixed = tensors.pop(f"{lead}attn_qkv.weight")
                z = tensors.pop(f"{lead}attn_gate.weight")
                q, k, v = mixed.split([32, 32, len(mixed) - 64])
                parts = [part.view(2, -1, part.shape[1]) for part in (q, k, v, z)]
                tensors[f"{lead}ssm_in.weight"] = torch.cat(parts, 1).flatten(0, 1)

        alike("next", group)

    def test_other_names(self, alike: Callable[..., tuple[str, ...]]) -> None:
        def rename(tensors: dict[str, Tensor]) -> None:
            for name in list(tensors):
                if name.endswith("post_attention_norm.weight"):
                    tensors[name.replace("post_attention", "ffn")] = tensors.pop(name)
                if name.endswith("ssm_dt.bias"):
                    tensors[name.removesuffix(".bias")] = tensors.pop(name)

        alike("base", rename)

    def test_what_is_not_text_is_named_and_left(
        self, alike: Callable[..., tuple[str, ...]]
    ) -> None:
        def add(tensors: dict[str, Tensor]) -> None:
            tensors["blk.4.nextn.eh_proj.weight"] = torch.ones(64, 128)
            tensors["blk.4.attn_q.weight"] = torch.ones(64, 64)
            tensors["v.blk.0.attn_q.weight"] = torch.ones(8, 8)
            tensors["something.else"] = torch.ones(8)

        notes = alike("base", add)
        assert [note.partition(" (")[0] for note in notes] == [
            'Skipped 1 tensors of "something.else"',
            "Skipped 2 tensors of multi-token prediction",
            "Skipped 1 tensors of the vision model",
        ]

    def test_parts(self, alike: Callable[..., tuple[str, ...]]) -> None:
        alike("base", lambda tensors: None, split_max_tensors=9)

    def test_layers_of_prediction_are_not_counted(
        self, base: tuple[Path, dict[str, Any]], tmp_path: Path
    ) -> None:
        folder, config = base
        facts = metadata(config) | {"qwen35.block_count": 5, "qwen35.nextn_predict_layers": 1}
        write(tmp_path / "m.gguf", converted(folder, config), facts)
        assert len(read_config(tmp_path / "m.gguf").layer_types) == 4


# Widths of whole blocks of every type.
WIDE: dict[str, Any] = BASE | {
    "hidden_size": 256,
    "intermediate_size": 256,
    "num_hidden_layers": 2,
    "full_attention_interval": 2,
    "head_dim": 64,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "tie_word_embeddings": False,
}


def divergence(expected: Tensor, found: Tensor) -> float:
    """The mean KL divergence of two models' predictions."""
    ours, theirs = found.log_softmax(-1), expected.log_softmax(-1)
    return float((theirs.exp() * (theirs - ours)).sum(-1).mean())


class TestQuantised:
    @pytest.mark.parametrize("name", ["base", "values_3x", "moe", "next"])
    @pytest.mark.parametrize(
        "kinds", [(Kind.Q8_0,), (Kind.Q4_0, Kind.Q5_1, Kind.Q8_0, Kind.Q4_1, Kind.Q5_0)]
    )
    def test_logits_on_the_dequantised_weights(
        self,
        name: str,
        kinds: tuple[Kind, ...],
        case_named: CaseNamed,
        model_folder: ModelFolder,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        case, path = case_named(name), tmp_path / "model.gguf"
        folder = model_folder(case)
        config = case.config()
        exact = write(path, converted(folder, config), metadata(config), quantised(*kinds))
        rounded_checkpoint(folder, exact, tmp_path / "rounded")
        expected = all_logits(load(tmp_path / "rounded", "float32"), ids)
        fast = all_logits(load(path, "float32"), ids)
        # The kernels in C round activations to 8 bits; products in float32 show the weights.
        monkeypatch.setattr("kernels.blocks.matrix.library", lambda: None)
        found = all_logits(load(path, "float32"), ids)
        assert float((found - expected).abs().max() / expected.abs().max()) < 1e-5
        # Of a random network this rounding is heard; weights in disorder would cost several nats.
        assert divergence(expected, fast) < 0.15

    @pytest.mark.parametrize("name", NAMES)
    def test_every_type_against_transformers(
        self,
        name: str,
        load: Load,
        oracle: Oracle,
        oracle_logits: OracleLogits,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """With heads half as wide as the blocks of most types, whose order the file changes."""
        folder, path = tmp_path / "published", tmp_path / "model.gguf"
        random_checkpoint(folder, WIDE, 3, torch.float32)
        kinds = quantised(Kind[name])
        exact = write(path, converted(folder, WIDE), metadata(WIDE), kinds)
        assert load(path).block_types == name
        rounded_checkpoint(folder, exact, tmp_path / "rounded")
        expected = oracle_logits(oracle(tmp_path / "rounded", WIDE, torch.float32), ids)
        fast = all_logits(load(path, "float32"), ids)
        assert float((fast - expected).abs().max() / expected.abs().max()) < 0.1
        monkeypatch.setattr("kernels.blocks.matrix.library", lambda: None)
        found = all_logits(load(path, "float32"), ids)
        assert float((found - expected).abs().max() / expected.abs().max()) < 1e-4

    def test_fewer_bits_are_not_made_of_few(
        self, base: tuple[Path, dict[str, Any]], load: Load, tmp_path: Path
    ) -> None:
        folder, config = base
        path = tmp_path / "model.gguf"
        write(path, converted(folder, config), metadata(config), quantised(Kind.Q8_0))
        model = load(path, weights="int4")
        assert model.weights == "stored"
        assert model.dtype == torch.bfloat16
        (note,) = model.notes
        assert note.startswith("The weights stay as the file has them (Q8_0)")


class TestRefused:
    """One sentence that names the file and the key or the tensor."""

    @pytest.fixture
    def refusal(
        self, base: tuple[Path, dict[str, Any]], load: Load, tmp_path: Path
    ) -> Callable[..., str]:
        folder, config = base

        def refuse(
            facts: dict[str, Any] | None = None, tensors: dict[str, Tensor | None] | None = None
        ) -> str:
            path = tmp_path / "model.gguf"
            kept = {**metadata(config), **(facts or {})}
            changed = {**converted(folder, config), **(tensors or {})}
            write(
                path,
                {name: tensor for name, tensor in changed.items() if tensor is not None},
                {key: value for key, value in kept.items() if value is not None},
            )
            with pytest.raises(ModelError) as refused:
                load(path)
            said = str(refused.value)
            assert said.endswith(".")
            assert "model" in said
            return said

        return refuse

    @pytest.mark.parametrize(
        "key",
        [
            *("block_count", "context_length", "embedding_length", "feed_forward_length"),
            *("attention.head_count", "attention.head_count_kv", "attention.key_length"),
            *("attention.layer_norm_rms_epsilon", "rope.freq_base", "rope.dimension_count"),
            *("ssm.conv_kernel", "ssm.state_size", "ssm.group_count", "ssm.time_step_rank"),
            "ssm.inner_size",
        ],
    )
    def test_a_size_that_is_missing_or_no_number(
        self, refusal: Callable[..., str], key: str
    ) -> None:
        assert f'has no "qwen35.{key}"' in refusal({f"qwen35.{key}": None})
        for value in (0, "x", True):
            assert f'"qwen35.{key}" is' in refusal({f"qwen35.{key}": value})

    @pytest.mark.parametrize(
        ("facts", "said"),
        [
            ({"general.architecture": "llama"}, 'The architecture "llama"'),
            ({"general.architecture": "clip"}, "sees images (mmproj)"),
            ({"general.type": "mmproj"}, "sees images (mmproj)"),
            ({"general.type": "adapter"}, 'no model of its own ("adapter")'),
            ({"qwen35.ssm.inner_size": 65}, "multiple of ssm.time_step_rank"),
            ({"qwen35.ssm.group_count": 3}, "multiple of ssm.group_count"),
            ({"qwen35.attention.value_length": 64}, "equal to attention.key_length"),
            ({"qwen35.attention.head_count": 5}, "multiple of attention.head_count_kv"),
            ({"qwen35.attention.head_count_kv": [2, 1]}, "same for every layer"),
            ({"qwen35.rope.dimension_count": 7}, "even and at most"),
            ({"qwen35.rope.scaling.type": "yarn"}, "rope.scaling.type"),
            ({"qwen35.attention.recurrent_layers": [True]}, "a list of 4 layers"),
            ({"qwen35.nextn_predict_layers": 4}, "a number of layers"),
            ({"qwen35.context_length": 2**31}, "a positive integer"),
        ],
    )
    def test_sizes_that_do_not_agree(
        self, refusal: Callable[..., str], facts: dict[str, Any], said: str
    ) -> None:
        assert said in refusal(facts)

    @pytest.mark.parametrize(
        ("name", "tensor", "said"),
        [
            ("token_embd.weight", None, 'has no "token_embd.weight"'),
            ("blk.1.ssm_out.weight", None, 'has no tensor for "layers.1.linear_attn.out_proj'),
            ("blk.3.attn_k.weight", torch.ones(64, 32), "has shape [64, 32]"),
            ("blk.0.attn_q_norm.bias", torch.ones(4), '"blk.0.attn_q_norm.bias" is not part'),
            ("blk.0.ssm_a", torch.tensor([1.0, 2.0, 3.0, torch.nan]), "not a number"),
        ],
    )
    def test_tensors(
        self, refusal: Callable[..., str], name: str, tensor: Tensor | None, said: str
    ) -> None:
        assert said in refusal({}, {name: tensor})

    def test_types_that_cannot_be_computed_with(
        self, base: tuple[Path, dict[str, Any]], load: Load, tmp_path: Path
    ) -> None:
        folder, config = base
        path = tmp_path / "model.gguf"
        tensors = converted(folder, config) | {"output.weight": torch.ones(320, 64)}

        def choose(name: str, tensor: Tensor) -> Kind:
            return Kind.MXFP4 if name == "output.weight" else Kind.F32

        write(path, tensors, metadata(config), choose)
        with pytest.raises(ModelError, match=r'"output\.weight" is stored as MXFP4'):
            load(path)


class TestInspect:
    def test_a_file_is_described_from_its_header(
        self, base: tuple[Path, dict[str, Any]], load: Load, tmp_path: Path
    ) -> None:
        folder, config = base
        path = tmp_path / "Tiny-Q8_0.gguf"
        tensors = converted(folder, config) | {"v.x": torch.ones(8, 8)}
        write(path, tensors, metadata(config), quantised(Kind.Q8_0, Kind.Q8_0, Kind.Q4_0))
        report = inspect_model(path)
        assert report.complete, (report.missing, report.wrong)
        assert (report.name, report.model_type, report.family) == ("Tiny-Q8_0", "qwen35", "qwen3_5")
        assert report.stored == "Q8_0, Q4_0"
        assert [size.name for size in report.formats] == ["Q8_0"]
        assert report.disk_bytes == path.stat().st_size
        assert [(group.purpose, group.tensors) for group in report.unused] == [("vision", 1)]
        plain = inspect_model(folder)
        assert report.parameters == plain.parameters
        assert report.formats[0].weight_bytes < plain.formats[0].weight_bytes // 3
        (needs,) = needs_of_folder(path).formats
        assert needs.weight_bytes == report.formats[0].weight_bytes

    def test_unquantised_it_may_be_kept_in_fewer_bits(
        self, base: tuple[Path, dict[str, Any]], tmp_path: Path
    ) -> None:
        write_checkpoint(base[0], tmp_path / "m.gguf")
        report = inspect_model(tmp_path / "m.gguf")
        assert [size.name for size in report.formats] == ["float32", "bfloat16", "int8", "int4"]
        assert report.formats[0].weight_bytes == inspect_model(base[0]).formats[0].weight_bytes

    def test_what_is_missing(self, base: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
        tensors = converted(*base)
        del tensors["blk.2.ffn_up.weight"]
        write(tmp_path / "m.gguf", tensors, metadata(base[1]))
        report = inspect_model(tmp_path / "m.gguf")
        assert report.missing == ("layers.2.mlp.up_proj.weight",)

    def test_the_first_bytes_are_enough(
        self, base: tuple[Path, dict[str, Any]], tmp_path: Path
    ) -> None:
        """Of a file on the hub little is fetched to tell whether it fits."""
        path = tmp_path / "m.gguf"
        facts = metadata(base[1])
        facts |= {"tokenizer.ggml.tokens": [f"token {at}" for at in range(320)]}
        write(path, converted(*base), facts)
        head = path.read_bytes()[:2000]
        found, whole = needs_of_begun(Path("m.gguf"), head, 12_345), needs_of_folder(path)
        assert (found.parameters, found.context) == (whole.parameters, whole.context)
        assert found.formats[0].weight_bytes == 12_345
        assert found.token_flops == whole.token_flops
        with pytest.raises(ModelError, match="must state every size"):
            needs_of_begun(Path("m.gguf"), head[:300], 12_345)
