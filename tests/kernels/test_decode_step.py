"""Passes over few rows of a small model with the device's kernels, against the model's own."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor

from engine.config import WeightFormat
from engine.model import quant_maker
from engine.model.decode_graph import DecodeGraph
from engine.model.family import QWEN35_0_8B
from engine.model.few_rows import Stretch
from engine.model.hybrid import HybridModel
from engine.model.loader import LoadOptions, load_model
from engine.model.random_checkpoint import random_checkpoint
from kernels.attention import triton as attention
from kernels.kv_slots import crop
from kernels.matmul import DenseMatrix, Int4Weight, Int8Weight, Matrix
from kernels.matmul.choice import int4_on_device, int8_on_device
from kernels.matmul.triton import dense_few
from kernels.step_ops import device_ops
from tests.kernels.conftest import Compare

SHAPE = QWEN35_0_8B | {
    "vocab_size": 96,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "full_attention_interval": 2,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 6,
    "linear_key_head_dim": 16,
    "linear_value_head_dim": 16,
    "max_position_embeddings": 256,
    "eos_token_id": 2,
}
RUNS = ((40, 5), (7, 3), (100, 30))
SLOTS = [slot for first, length in RUNS for slot in range(first, first + length)]
PROMPT, STEPS = 6, 5
IDS = torch.randint(0, 96, (40,), generator=torch.Generator().manual_seed(1))

pytestmark = pytest.mark.skipif(
    torch.cuda.is_available(), reason="the kernels run in the interpreter only"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("models") / "tiny"
    random_checkpoint(made, SHAPE, 4, torch.float32)
    return made


@pytest.fixture(autouse=True)
def _few_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter runs programs one after another."""
    monkeypatch.setattr(attention, "PROGRAMS", 4)


class Run:
    """A sequence after the prompt, on planes of its own with NaN where nothing was written."""

    def __init__(self, model: HybridModel) -> None:
        self.model, self.position = model, PROMPT
        self.kv, self.states = model.make_kv_plane(140), model.make_state_plane(1)
        for part in self.kv.parts:
            part.fill_(float("nan"))
        extents = crop(RUNS, 0, PROMPT)
        model.forward(IDS[:PROMPT], 0, self.kv, extents, self.states, 0, write_from=0)

    def plain(self) -> Tensor:
        """A step of the model's own forward."""
        at = self.position
        self.position += 1
        extents = tuple((slot, 1) for slot in SLOTS[: at + 1])
        ids = IDS[at : at + 1]
        found = self.model.forward(ids, at, self.kv, extents, self.states, 0, write_from=at)
        assert found is not None
        return found

    def leaves(self, other: Run, assert_close: Compare) -> None:
        """Compare all that both leave behind."""
        for one, two in zip(self.states.parts(0), other.states.parts(0), strict=True):
            assert_close(one, two, torch.float32)
        written = SLOTS[: self.position]
        for one, two in zip(self.kv.parts, other.kv.parts, strict=True):
            assert_close(one[:, written], two[:, written], torch.float32)


class TestGraph:
    def test_leaves_what_forward_leaves(self, folder: Path, assert_close: Compare) -> None:
        model = load_model(folder, LoadOptions(), torch.device("cpu"), lambda *_: None)
        fixed, plain = Run(model), Run(model)
        graph = DecodeGraph(model, fixed.kv, fixed.states, ops=device_ops())
        graph.follow(RUNS)
        for position in range(PROMPT, PROMPT + STEPS):
            found, _ = graph.run([int(IDS[position])], position, [SLOTS[position]])
            assert_close(found[0], plain.plain(), torch.float32)
        fixed.position = plain.position
        fixed.leaves(plain, assert_close)


def with_device_kernels(
    folder: Path, weights: WeightFormat, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> HybridModel:
    """The model as on a device: its matrices in the stored layout, multiplied by Triton."""

    def int8(weight: Int8Weight, device: torch.device) -> Matrix:
        return int8_on_device(weight, device)

    def int4(weight: Int4Weight, device: torch.device) -> Matrix:
        return int4_on_device(weight, device)

    monkeypatch.setattr(quant_maker, "int8_matrix", int8)
    monkeypatch.setattr(quant_maker, "int4_matrix", int4)
    monkeypatch.setattr(DenseMatrix, "few", lambda self, x: dense_few(x, self._weight))
    options = LoadOptions(str(dtype).removeprefix("torch."), weights)
    model = load_model(folder, options, torch.device("cpu"), lambda *_: None)
    model.step_ops = device_ops()
    return model


@pytest.mark.parametrize("weights", ["stored", "int8", "int4"])
class TestRows:
    @pytest.mark.slow
    def test_each_has_the_bits_of_a_step_and_any_number_stays(
        self,
        folder: Path,
        weights: WeightFormat,
        dtype: torch.dtype,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        model = with_device_kernels(folder, weights, dtype, monkeypatch)
        stepped, drafted = Run(model), Run(model)
        kept = model.make_kept_rows()
        for rows, stay in ((2, 1), (4, 4), (4, 2)):
            at = drafted.position
            expected = []
            for position in range(at, at + stay):
                one = Stretch((int(IDS[position]),), position, crop(RUNS, 0, position + 1), 0)
                expected.append(model.apart([one], stepped.kv, stepped.states)[0][0])
            tokens = [*IDS[at : at + stay].tolist(), *[7] * (rows - stay)]
            draft = Stretch(tuple(tokens), at, crop(RUNS, 0, at + rows), 0, kept)
            before = [part.clone() for part in drafted.states.parts(0)]
            logits, hidden = model.apart([draft], drafted.kv, drafted.states)
            assert all(map(torch.equal, before, drafted.states.parts(0))), "a draft was kept"
            assert torch.equal(logits[:stay], torch.stack(expected)), (rows, stay)
            assert kept is not None
            model.keep(stay, hidden, drafted.states, 0, kept)
            assert all(map(torch.equal, stepped.states.parts(0), drafted.states.parts(0)))
            drafted.position += stay

    def test_a_graph_and_other_sequences_beside_it_change_no_bit(
        self,
        folder: Path,
        weights: WeightFormat,
        dtype: torch.dtype,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        model = with_device_kernels(folder, weights, dtype, monkeypatch)
        run, other = Run(model), model.make_state_plane(3)
        for slot in range(3):
            for part, of in zip(other.parts(slot), run.states.parts(0), strict=True):
                part.copy_(of)
        tokens = tuple(IDS[PROMPT : PROMPT + 3].tolist())
        kept = model.make_kept_rows()
        extents = crop(RUNS, 0, PROMPT + 3)
        # The others share the prompt and write to slots of their own.
        beside = [(*crop(RUNS, 0, PROMPT), (slot, 1)) for slot in (60, 61)]
        three = [
            Stretch(tokens, PROMPT, extents, 0, kept),
            Stretch((9,), PROMPT, beside[0], 1),
            Stretch((11,), PROMPT, beside[1], 2),
        ]
        together, _ = model.apart(three, run.kv, other)
        graph = DecodeGraph(model, run.kv, run.states)
        graph.follow(RUNS)
        alone, _ = graph.run(tokens, PROMPT, SLOTS[PROMPT : PROMPT + 3])
        assert torch.equal(together[:3], alone)
        gone_on = [part.clone() for part in other.parts(1)]
        graph.follow((*beside[0], (70, 9)))
        single, _ = graph.run((9,), PROMPT, [60])
        assert torch.equal(together[3:4], single)
        assert all(map(torch.equal, gone_on, run.states.parts(0)))
