"""Drafted rows: each has the bits of a step, and any number of them may stay."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from torch import Tensor

from engine.model.few_rows import Stretch
from engine.model.hybrid import HybridModel
from engine.model.random_checkpoint import random_checkpoint
from kernels.kv_slots import coalesce, crop
from kernels.native.library import library
from kernels.step_ops import TORCH
from tests.engine.model.conftest import Case, CaseNamed, Load, ModelFolder
from tests.engine.model.test_gguf import WIDE
from tests.gguf_files import converted, metadata, quantised, write

SCATTERED = ((700, 33), (100, 9), (500, 200))
# Heads of these are no multiple of 16, so their layers do not run whole.
UNABLE = ("wide_values",)

pytestmark = pytest.mark.skipif(library() is None, reason="the kernels in C are not compiled")


class Run:
    """A sequence with planes of its own, poisoned where nothing was written."""

    def __init__(self, model: HybridModel) -> None:
        self.model = model
        self.kv, self.states = model.make_kv_plane(1000), model.make_state_plane(1)
        for part in self.kv.parts:
            part.fill_(float("nan"))
        self.position = 0

    def step(self, tokens: Tensor) -> Tensor:
        end = self.position + len(tokens)
        extents = crop(SCATTERED, 0, end)
        found = self.model.forward(
            tokens, self.position, self.kv, extents, self.states, 0, write_from=self.position
        )
        assert found is not None
        self.position = end
        return found

    def state(self) -> list[Tensor]:
        return [part.clone() for part in self.states.parts(0)]


def check(model: HybridModel, ids: Tensor, prompt: int) -> None:
    """Drafts of all lengths after a prompt, of which all numbers of rows stay."""
    kept = model.make_kept_rows()
    assert kept is not None
    plain, drafted = Run(model), Run(model)
    first = (plain.step(ids[:prompt]), drafted.step(ids[:prompt]))
    assert torch.equal(*first)
    wrong = (ids + 1) % 300
    for rows, stay in ((2, 1), (2, 2), (3, 1), (1, 1), (5, 3), (9, 8), (9, 9), (16, 1), (16, 16)):
        at = drafted.position
        expected = [plain.step(ids[at + i : at + i + 1]) for i in range(stay)]
        if rows == 1:
            assert torch.equal(drafted.step(ids[at : at + 1]), expected[0])
            continue
        tokens = torch.cat((ids[at : at + stay], wrong[at + stay : at + rows]))
        extents = crop(SCATTERED, 0, at + rows)
        before = drafted.state()
        stretch = Stretch(tuple(tokens.tolist()), at, coalesce(extents), 0, kept)
        logits, hidden = model.apart([stretch], drafted.kv, drafted.states)
        assert all(map(torch.equal, before, drafted.state())), "a draft wrote to the state"
        assert torch.equal(logits[:stay], torch.stack(expected)), (rows, stay)
        model.keep(stay, hidden, drafted.states, 0, kept)
        drafted.position += stay
        assert all(map(torch.equal, plain.state(), drafted.state())), (rows, stay)


def near(found: Tensor, expected: Tensor, dtype: torch.dtype) -> None:
    """PyTorch's operations round by where a row lies in their vectors."""
    bound = 1e-5 if dtype == torch.float32 else 0.1
    assert (found - expected).abs().max() <= bound * expected.abs().max()


def steps(model: HybridModel, run: Run, ids: Tensor, count: int) -> list[Tensor]:
    """The logits of rows that run one by one as on a device."""
    found = []
    for _ in range(count):
        at = run.position
        one = Stretch((int(ids[at]),), at, coalesce(crop(SCATTERED, 0, at + 1)), 0)
        found.append(model.apart([one], run.kv, run.states)[0][0])
        run.position += 1
    return found


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
def test_every_family_as_on_a_device(
    case: Case, dtype: torch.dtype, model_folder: ModelFolder, load: Load, ids: Tensor
) -> None:
    """With a device's operations in PyTorch, also of mixtures and of layers of any width."""
    model = load(model_folder(case, dtype))
    plain, drafted = Run(model), Run(model)
    for run in (plain, drafted):
        run.step(ids[:20])
    expected = plain.step(ids[20:21])
    model.step_ops = TORCH
    kept = model.make_kept_rows()
    assert kept is not None
    first = steps(model, drafted, ids, 1)[0]
    near(first, expected, dtype)
    stepped = Run(model)
    stepped.step(ids[:20])
    assert torch.equal(steps(model, stepped, ids, 1)[0], first)
    for rows, stay in ((3, 1), (5, 5), (16, 2)):
        at = drafted.position
        alone = steps(model, stepped, ids, stay)
        tokens = (*ids[at : at + stay].tolist(), *[7] * (rows - stay))
        stretch = Stretch(tokens, at, coalesce(crop(SCATTERED, 0, at + rows)), 0, kept)
        logits, hidden = model.apart([stretch], drafted.kv, drafted.states)
        near(logits[:stay], torch.stack(alone), dtype)
        model.keep(stay, hidden, drafted.states, 0, kept)
        drafted.position += stay
        for one, other in zip(drafted.state(), stepped.state(), strict=True):
            near(one, other, dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
def test_every_family(
    case: Case, dtype: torch.dtype, model_folder: ModelFolder, load: Load, ids: Tensor
) -> None:
    model = load(model_folder(case, dtype))
    if case.name in UNABLE:
        assert model.make_kept_rows() is None
        return
    check(model, ids, 20)


@pytest.mark.parametrize("prompt", range(1, 7))
@pytest.mark.parametrize("weights", ["stored", "int8", "int4"])
@pytest.mark.parametrize("name", ["base", "moe"])
def test_short_prompts_in_every_format(
    name: str,
    weights: str,
    prompt: int,
    case_named: CaseNamed,
    model_folder: ModelFolder,
    load: Load,
    ids: Tensor,
) -> None:
    check(load(model_folder(case_named(name), torch.bfloat16), weights=weights), ids, prompt)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("name", ["Q8_0", "Q4_0", "Q5_1", "Q4_K", "Q6_K", "IQ4_NL"])
def test_blocks_of_a_gguf_file(
    name: str, dtype: str, load: Load, ids: Tensor, tmp_path: Path
) -> None:
    random_checkpoint(tmp_path, WIDE, 7, torch.float32)
    path = tmp_path / "model.gguf"
    write(path, converted(tmp_path, WIDE), metadata(WIDE), quantised(Kind[name]))
    model = load(path, dtype)
    assert model.block_types == name
    check(model, ids, 3)
