"""What the processor is assumed to be fast at, and that the slow path gives the same model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from kernels import cpu
from kernels.matmul.matrix import WIDE_OUTPUTS, DenseMatrix
from kernels.native.library import SWITCH, TORCH
from tests.kernels.conftest import LEVELS, Draw

ALL = {"avx512_bf16": True, "amx_bf16": True, "avx512_vnni": True}


Answers = Callable[..., tuple[bool, bool]]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Answers]:
    """Set what torch reports and what oneDNN is limited to, and read both answers."""

    def answers(
        able: dict[str, bool], most: str = "", switch: str = "ONEDNN_MAX_CPU_ISA"
    ) -> tuple[bool, bool]:
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: able)
        for name in ("ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"):
            monkeypatch.delenv(name, raising=False)
        if most:
            monkeypatch.setenv(switch, most)
        for function in (cpu.fast_bfloat16, cpu.fast_int8):
            function.cache_clear()
        return cpu.fast_bfloat16(), cpu.fast_int8()

    yield answers
    monkeypatch.undo()
    for function in (cpu.fast_bfloat16, cpu.fast_int8):
        function.cache_clear()


class TestFeatures:
    def test_of_the_processor(self, seen: Answers) -> None:
        assert seen(ALL) == (True, True)
        assert seen({"avx512_vnni": True}) == (False, True)
        assert seen({"amx_bf16": True}) == (True, False)
        assert seen({"avx2": True}) == (False, False)
        assert seen({}) == (False, False)

    def test_a_pytorch_that_does_not_say(
        self, seen: Answers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen(ALL)
        monkeypatch.delattr(torch.cpu, "get_capabilities")
        for function in (cpu.fast_bfloat16, cpu.fast_int8):
            function.cache_clear()
        assert cpu.features() == "fp32+fp32"

    @pytest.mark.parametrize(
        ("most", "expected"),
        [
            ("AVX2", (False, False)),
            ("avx512_core", (False, False)),
            ("AVX512_CORE_VNNI", (False, True)),
            ("AVX512_CORE_BF16", (True, True)),
            ("AVX512_CORE_AMX", (True, True)),
            ("DEFAULT", (True, True)),
        ],
    )
    def test_limited_to_older_instructions(
        self, seen: Answers, most: str, expected: tuple[bool, bool]
    ) -> None:
        assert seen(ALL, most) == expected
        assert seen(ALL, most, "DNNL_MAX_CPU_ISA") == expected


class TestSlowBfloat16:
    """Products computed in float32."""

    @pytest.mark.parametrize("outputs", [100, WIDE_OUTPUTS + 5])
    def test_only_the_result_is_rounded(
        self, monkeypatch: pytest.MonkeyPatch, draw: Draw, outputs: int
    ) -> None:
        x, weight = draw(5, 64).bfloat16(), draw(outputs, 64).bfloat16()
        monkeypatch.setattr("kernels.matmul.matrix.fast_bfloat16", lambda: False)
        found = DenseMatrix(weight).project(x)
        expected = (x.double() @ weight.double().T).bfloat16()
        assert found.dtype == torch.bfloat16
        torch.testing.assert_close(found, expected, rtol=2**-7, atol=1e-6)

    def test_other_dtypes_are_multiplied_as_they_are(
        self, monkeypatch: pytest.MonkeyPatch, draw: Draw
    ) -> None:
        x, weight = draw(5, 64), draw(100, 64)
        monkeypatch.setattr("kernels.matmul.matrix.fast_bfloat16", lambda: False)
        assert torch.equal(DenseMatrix(weight).project(x), x @ weight.T)


HELD = """
import json, sys
from engine import Engine, EngineConfig
with Engine.open(sys.argv[1], EngineConfig(weights=sys.argv[2], cache_bytes=64 << 20)) as engine:
    ids = tuple((7 * i) % 500 for i in range(150))
    row = engine.logits(ids, reuse=False).logits.tolist()
    print(json.dumps([engine.on_core(lambda core: core.model.numerics), row]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("kernels", ["C", "PyTorch"])
@pytest.mark.parametrize("weights", ["stored", "int8", "int4"])
def test_a_model_on_an_older_processor_gives_nearly_the_same(
    tmp_path: Path, weights: str, kernels: str
) -> None:
    """All held to AVX2 in a process of its own; the whole model, one pass of 150 tokens."""
    if kernels == "C" and (LEVELS[:1] != ["avx2"] or len(LEVELS) == 1):
        pytest.skip("the kernels in C cannot be held to AVX2 here")
    from engine.bench.decode import TINY
    from engine.bench.random_model import random_model
    from engine.model.family import QWEN35_0_8B

    shape = QWEN35_0_8B | TINY
    shape |= {
        "num_hidden_layers": 4,
        "layer_types": ["linear_attention"] * 3 + ["full_attention"],
    }
    folder = random_model(tmp_path / "model", shape, dtype="bfloat16")
    found = {}
    for most in ("", "AVX2"):
        held = os.environ | ({"ONEDNN_MAX_CPU_ISA": most} if most else {})
        if kernels == "PyTorch":
            held[SWITCH] = TORCH
        elif most:
            held[SWITCH] = LEVELS[0]
        done = subprocess.run(
            [sys.executable, "-c", HELD, str(folder), weights],
            env=held,
            capture_output=True,
            text=True,
            timeout=240,
            check=True,
        )
        found[most] = json.loads(done.stdout)
    assert found["AVX2"][0].count("fp32") == 2
    rows = [torch.tensor(row) for _, row in found.values()]
    error = (rows[0] - rows[1]).abs().max() / rows[0].abs().max()
    assert error < 0.1
    if kernels == "C" or cpu.features() != "fp32+fp32":
        assert found[""][0] != found["AVX2"][0], "their caches would be mixed"
    if cpu.fast_bfloat16():
        # Without it, both may sum the same numbers in the same order.
        assert not torch.equal(*rows), "the switch changed nothing"
