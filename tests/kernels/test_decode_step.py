"""A whole decode step of a small model with the device's kernels, against the model's own."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from engine.model.decode_graph import DecodeGraph
from engine.model.family import QWEN35_0_8B
from engine.model.loader import LoadOptions, load_model
from engine.model.random_checkpoint import random_checkpoint
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
PROMPT, STEPS = 6, 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("models") / "tiny"
    random_checkpoint(made, SHAPE, 4, torch.float32)
    return made


@pytest.mark.skipif(torch.cuda.is_available(), reason="the kernels run in the interpreter only")
class TestInterpreted:
    def test_leaves_what_forward_leaves(self, folder: Path, assert_close: Compare) -> None:
        model = load_model(folder, LoadOptions(), torch.device("cpu"), lambda *_: None)
        ids = torch.randint(0, 96, (PROMPT + STEPS,), generator=torch.Generator().manual_seed(1))
        slots = [slot for first, length in RUNS for slot in range(first, first + length)]
        planes = [(model.make_kv_plane(140), model.make_state_plane(1)) for _ in range(2)]
        for kv, states in planes:
            for part in kv.parts:
                part.fill_(float("nan"))
            extents: tuple[tuple[int, int], ...] = ((40, 5), (7, 1))
            model.forward(ids[:PROMPT], 0, kv, extents, states, 0, write_from=0)
        (kv, states), (plain_kv, plain_states) = planes
        graph = DecodeGraph(model, kv, states, ops=device_ops())
        graph.follow(RUNS)
        for position in range(PROMPT, PROMPT + STEPS):
            found = graph.run(int(ids[position]), position, slots[position])
            extents = tuple((slot, 1) for slot in slots[: position + 1])
            expected = model.forward(
                ids[position : position + 1],
                position,
                plain_kv,
                extents,
                plain_states,
                0,
                write_from=position,
            )
            assert expected is not None
            assert_close(found, expected, torch.float32)
        for one, other in zip(states.parts(0), plain_states.parts(0), strict=True):
            assert_close(one, other, torch.float32)
        written = slots[: PROMPT + STEPS]
        for one, other in zip(kv.parts, plain_kv.parts, strict=True):
            assert_close(one[:, written], other[:, written], torch.float32)
