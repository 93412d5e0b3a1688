"""In exact mode every resumed run has the bits of a cold one, whatever the model and its format."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from engine import Engine, EngineConfig
from engine.bench.random_model import random_model
from engine.config import WeightFormat
from kernels.native.compile import levels
from kernels.native.library import SWITCH, TORCH, native_version
from tests.engine.run.conftest import TINY

VOCAB = TINY["vocab_size"]
FORMATS: tuple[tuple[str, WeightFormat], ...] = (
    ("float32", "stored"),
    ("bfloat16", "stored"),
    ("float32", "int8"),
    ("bfloat16", "int4"),
)
NAMES = [f"{dtype}-{weights}" for dtype, weights in FORMATS]
# Experts, and how many of them run for a token: with few of either, rounding seldom shows.
MIXTURES = ((7, 1), (32, 2), (64, 4))
PROMPTS = 8
# The exit status where the processor cannot run the kernels asked for.
CANNOT = 77


def dense(seed: int) -> dict[str, Any]:
    """The configuration of a dense model of a random shape."""
    draw = random.Random(seed)
    key_heads, kv_heads = draw.choice((1, 2, 3)), draw.choice((1, 2))
    return TINY | {
        "hidden_size": draw.choice((64, 96, 160, 256)),
        "intermediate_size": draw.choice((96, 160, 352)),
        "num_hidden_layers": draw.choice((3, 4, 5)),
        "full_attention_interval": draw.choice((2, 3)),
        "num_attention_heads": kv_heads * draw.choice((1, 2, 3)),
        "num_key_value_heads": kv_heads,
        "head_dim": draw.choice((16, 32, 64)),
        "linear_num_key_heads": key_heads,
        "linear_num_value_heads": key_heads * draw.choice((1, 2)),
        "linear_key_head_dim": draw.choice((8, 16, 32)),
        "linear_value_head_dim": draw.choice((16, 32, 40)),
        "linear_conv_kernel_dim": draw.choice((3, 4)),
        "tie_word_embeddings": draw.choice((True, False)),
    }


def mixture(experts: int, per_token: int) -> dict[str, Any]:
    return TINY | {
        "model_type": "qwen3_5_moe_text",
        "num_hidden_layers": 4,
        "num_experts": experts,
        "num_experts_per_tok": per_token,
        "moe_intermediate_size": 32,
        "shared_expert_intermediate_size": 64,
    }


def parting(seed: int) -> list[tuple[int, ...]]:
    """Random prompts, each beginning like an earlier one up to anywhere."""
    draw = random.Random(seed)
    made = [tuple(draw.randrange(9, VOCAB) for _ in range(900))]
    for _ in range(PROMPTS):
        earlier = draw.choice(made)
        kept = earlier[: draw.randrange(len(earlier) // 2, len(earlier) + 1)]
        more = draw.choice((1, 20, 300))
        made.append((*kept, *(draw.randrange(9, VOCAB) for _ in range(more))))
    return made


def check(folder: Path, weights: WeightFormat, seed: int, threads: int = 1) -> None:
    """Run prompts that begin alike, each with the cache and without."""
    config = EngineConfig(
        mode="exact", weights=weights, interval=256, cache_bytes=64 << 20, threads=threads
    )
    reused = 0
    with Engine.open(folder, config) as engine:
        for prompt in parting(seed):
            warm, cold = engine.logits(prompt), engine.logits(prompt, reuse=False)
            assert torch.equal(warm.logits, cold.logits), f"{len(prompt)} tokens, {warm.plan}"
            reused += warm.reused
        engine.check_invariants()
    assert reused >= 512, "hardly anything was resumed"


def check_all(folder: Path) -> None:
    """Two dense models and a mixture in every format, if this process has the kernels asked for."""
    if os.environ[SWITCH] not in native_version().split():
        sys.exit(CANNOT)
    for seed, config in enumerate((dense(1), dense(2), mixture(32, 2))):
        for dtype, weights in FORMATS:
            made = random_model(
                folder / f"{seed}-{dtype}-{weights}", config, seed=seed, dtype=dtype
            )
            check(made, weights, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "weights"), FORMATS, ids=NAMES)
@pytest.mark.parametrize("shape", MIXTURES, ids=[f"{one}_by_{top}" for one, top in MIXTURES])
def test_in_a_mixture(
    shape: tuple[int, int], dtype: str, weights: WeightFormat, tmp_path: Path
) -> None:
    """What a prompt shares with another was computed beside other tokens, for other experts."""
    check(random_model(tmp_path / "model", mixture(*shape), seed=7, dtype=dtype), weights, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "weights"), FORMATS, ids=NAMES)
@pytest.mark.parametrize("seed", [3, 4, 5])
def test_in_a_dense_model_of_any_shape(
    seed: int, dtype: str, weights: WeightFormat, tmp_path: Path
) -> None:
    made = random_model(tmp_path / "model", dense(seed), seed=seed, dtype=dtype)
    check(made, weights, seed, threads=2)


@pytest.mark.slow
@pytest.mark.parametrize("kernels", [*levels(), TORCH])
def test_on_every_processor(kernels: str, tmp_path: Path) -> None:
    """Each in a process of its own, which is held to them."""
    program = (
        "import sys, pathlib; from tests.engine.run.test_bit_equal import check_all; "
        "check_all(pathlib.Path(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        env=os.environ | {SWITCH: kernels},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    if done.returncode == CANNOT:
        pytest.skip("this processor cannot run them")
    assert not done.returncode, done.stderr
