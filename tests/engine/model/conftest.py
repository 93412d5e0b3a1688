"""Small random models, and transformers' own classes as the oracle."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

# With triton and without a driver, transformers would route to kernels that cannot run on a CPU.
if not torch.cuda.is_available():
    sys.modules["fla"] = None  # type: ignore[assignment]

from engine.model.hybrid import HybridModel
from engine.model.loader import LoadOptions, load_model
from engine.model.random_checkpoint import random_checkpoint

CPU = torch.device("cpu")
LINEAR, FULL = "linear_attention", "full_attention"
BASE: dict[str, Any] = {
    "model_type": "qwen3_5_text",
    "hidden_act": "silu",
    "vocab_size": 320,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 4,
    "full_attention_interval": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 16,
    "linear_value_head_dim": 16,
    "linear_conv_kernel_dim": 4,
    "rms_norm_eps": 1e-6,
    "rope_parameters": {
        "rope_type": "default",
        "rope_theta": 10_000.0,
        "partial_rotary_factor": 0.25,
    },
    "max_position_embeddings": 2048,
    "tie_word_embeddings": True,
    "eos_token_id": 5,
}


@dataclass(frozen=True, slots=True)
class Case:
    """One random configuration: fields that differ from the base, files, nesting, experts."""

    name: str
    changes: dict[str, Any]
    files: int = 1
    nested: bool = False
    fused: bool | None = None

    def config(self) -> dict[str, Any]:
        text = {**BASE, **self.changes}
        if not self.nested:
            return text
        tied = text.pop("tie_word_embeddings")
        outer = text["model_type"].removesuffix("_text")
        return {"model_type": outer, "text_config": text, "tie_word_embeddings": tied}


def rotary(share: float, theta: float) -> dict[str, Any]:
    return {"rope_type": "default", "rope_theta": theta, "partial_rotary_factor": share}


MOE: dict[str, Any] = {
    "model_type": "qwen3_5_moe_text",
    "num_experts": 8,
    "num_experts_per_tok": 3,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 64,
}
NEXT: dict[str, Any] = {
    **MOE,
    "model_type": "qwen3_next",
    "norm_topk_prob": True,
    "decoder_sparse_step": 1,
    "mlp_only_layers": [],
}

CASES = (
    Case("base", {}),
    Case("values_1x_untied", {"linear_num_value_heads": 2, "tie_word_embeddings": False}),
    Case("values_3x", {"linear_num_value_heads": 6}, files=2),
    Case("three_key_heads", {"linear_num_key_heads": 3, "linear_num_value_heads": 6}),
    Case("six_layers", {"num_hidden_layers": 6}, files=3),
    Case("five_layers_untied", {"num_hidden_layers": 5, "tie_word_embeddings": False}, files=3),
    Case("conv_3", {"linear_conv_kernel_dim": 3}),
    Case(
        "explicit_layers",
        {"num_hidden_layers": 5, "layer_types": [FULL, LINEAR, FULL, FULL, LINEAR]},
    ),
    Case("all_linear", {"num_hidden_layers": 3, "layer_types": [LINEAR] * 3}),
    Case("odd_heads", {"num_attention_heads": 9, "num_key_value_heads": 3, "head_dim": 16}),
    Case("one_kv_head", {"num_attention_heads": 5, "num_key_value_heads": 1}),
    Case("wide_values", {"linear_key_head_dim": 8, "linear_value_head_dim": 40}),
    Case("nested", {"linear_num_value_heads": 6}, nested=True),
    Case("nested_untied", {"tie_word_embeddings": False, "num_hidden_layers": 7}, 2, True),
    Case("full_rotary", {"rope_parameters": rotary(1.0, 1e7)}),
    Case("moe", MOE),
    Case("moe_one_by_one", {**MOE, "num_experts": 5}, files=3, fused=False),
    Case("moe_nested_untied", {**MOE, "tie_word_embeddings": False}, 2, True),
    Case("next", NEXT),
    Case("next_fused", {**NEXT, "num_experts_per_tok": 2}, fused=True),
    Case("next_untied_3x", {**NEXT, "tie_word_embeddings": False, "linear_num_value_heads": 6}, 3),
    Case(
        "next_1x_shares_as_they_are", {**NEXT, "linear_num_value_heads": 2, "norm_topk_prob": False}
    ),
    Case(
        "next_mixed_layers",
        {**NEXT, "num_hidden_layers": 6, "decoder_sparse_step": 2, "mlp_only_layers": [3]},
    ),
    Case("large_eps", {"rms_norm_eps": 1e-2, "rope_parameters": rotary(0.5, 500.0)}),
)


class ModelFolder(Protocol):
    """Gives the folder of a case's random checkpoint."""

    def __call__(self, case: Case, dtype: torch.dtype = torch.float32) -> Path: ...


CaseNamed = Callable[[str], Case]
Load = Callable[..., HybridModel]
NetworkOf = Callable[[dict[str, Any]], Any]
Oracle = Callable[[Path, dict[str, Any], torch.dtype], Any]
OracleLogits = Callable[[Any, Tensor], Tensor]
AllLogits = Callable[[HybridModel, Tensor], Tensor]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> ModelFolder:
    """The folder of a case's random checkpoint, written once per session."""
    made: dict[tuple[str, torch.dtype], Path] = {}

    def folder(case: Case, dtype: torch.dtype = torch.float32) -> Path:
        key = (case.name, dtype)
        if key not in made:
            made[key] = tmp_path_factory.mktemp(case.name)
            random_checkpoint(made[key], case.config(), 11, dtype, case.files, fused=case.fused)
        return made[key]

    return folder


@pytest.fixture(scope="session")
def case_named() -> CaseNamed:
    by_name = {case.name: case for case in CASES}
    return lambda name: by_name[name]


@pytest.fixture(scope="session")
def load() -> Load:
    """load(folder, dtype="auto"); the other options by name."""
    return lambda folder, dtype="auto", **how: load_model(
        folder, LoadOptions(dtype, **how), CPU, lambda *_: None
    )


@pytest.fixture(scope="session", name="network_of")
def _network_of() -> NetworkOf:
    """transformers' own text model of a configuration, weights random."""
    return network_of


def network_of(text: dict[str, Any]) -> Any:
    import transformers as tf

    classes = {
        "qwen3_5_text": (tf.Qwen3_5ForCausalLM, tf.Qwen3_5TextConfig),
        "qwen3_5_moe_text": (tf.Qwen3_5MoeForCausalLM, tf.Qwen3_5MoeTextConfig),
        "qwen3_next": (tf.Qwen3NextForCausalLM, tf.Qwen3NextConfig),
    }
    network, config = classes[text["model_type"]]
    return network(config(**text)).eval()


def fuse_experts(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Experts stored one by one, as the one tensor per layer that transformers computes with."""
    fused = {n: t for n, t in tensors.items() if ".experts." not in n or "_proj.weight" not in n}
    leads = {n.split("experts.")[0] + "experts." for n in tensors if n not in fused}
    for lead in leads:
        count = len([n for n in tensors if n.startswith(lead) and n.endswith("down_proj.weight")])

        def all_of(part: str, lead: str = lead, count: int = count) -> Tensor:
            return torch.stack([tensors[f"{lead}{i}.{part}_proj.weight"] for i in range(count)])

        fused[f"{lead}gate_up_proj"] = torch.cat((all_of("gate"), all_of("up")), 1)
        fused[f"{lead}down_proj"] = all_of("down")
    return fused


@pytest.fixture(scope="session")
def oracle() -> Oracle:
    """transformers' own class on the same files."""

    def build(folder: Path, config: dict[str, Any], dtype: torch.dtype) -> Any:
        text = dict(config.get("text_config", config))
        text["tie_word_embeddings"] = (config | text)["tie_word_embeddings"]
        network = network_of(text)
        stored: dict[str, Tensor] = {}
        for file in sorted(folder.glob("*.safetensors")):
            stored.update(load_file(file))
        named = {name.replace("model.language_model.", "model."): t for name, t in stored.items()}
        missing, unexpected = network.load_state_dict(fuse_experts(named), strict=False)
        assert not unexpected
        assert set(missing) <= {"lm_head.weight"}
        return network.to(dtype)

    return build


@pytest.fixture(scope="session")
def oracle_logits() -> OracleLogits:
    """Float32 logits [tokens, vocab] of the oracle over a whole sequence."""

    def run(network: Any, ids: Tensor) -> Tensor:
        with torch.inference_mode():
            logits: Tensor = network(ids[None], use_cache=False).logits[0]
        return logits.float()

    return run


@pytest.fixture(scope="session")
def all_logits() -> AllLogits:
    """Our logits [tokens, vocab] over a whole sequence in one pass."""

    def run(model: HybridModel, ids: Tensor) -> Tensor:
        kv, states = model.make_kv_plane(len(ids)), model.make_state_plane(1)
        extents = [(0, len(ids))]
        found = model.forward(ids, 0, kv, extents, states, 0, write_from=0, logits="all")
        assert found is not None
        return found

    return run


@pytest.fixture
def ids() -> Tensor:
    """A fixed random sequence of 200 tokens."""
    return torch.randint(0, 320, (200,), generator=torch.Generator().manual_seed(3))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = {mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")}
    if "case" in metafunc.fixturenames and "case" not in chosen:
        metafunc.parametrize("case", CASES, ids=[case.name for case in CASES])
