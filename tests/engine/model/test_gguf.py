"""Models from GGUF files against the same checkpoints as safetensors."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from torch import Tensor

from tests.engine.model.conftest import CASES, AllLogits, Case, CaseNamed, Load, ModelFolder
from tests.gguf_files import (
    floats,
    write_checkpoint,
)

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
