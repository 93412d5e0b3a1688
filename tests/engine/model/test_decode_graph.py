"""The decode step on fixed buffers against the model's own forward; its recording on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from engine.model.decode_graph import DecodeGraph
from engine.model.hybrid import HybridModel
from engine.model.loader import LoadOptions, load_model
from engine.planes import KVPlane, StatePlane
from kernels.kv_slots import crop
from kernels.step_ops import TORCH
from tests.engine.model.conftest import CaseNamed, Load, ModelFolder

gpu = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]
NAMES = ["base", "values_1x_untied", "values_3x", "conv_3", "explicit_layers", "full_rotary"]
BOUND = {torch.float32: 1e-5, torch.bfloat16: 0.1}
PROMPT, STEPS = 20, 30
Extents = Sequence[tuple[int, int]]
STRAIGHT: Extents = ((3, 200),)
SCATTERED: Extents = ((70, 13), (10, 6), (200, 40), (150, 30))


class Side:
    """One sequence on planes of its own, by the model's forward or by the graph's step."""

    def __init__(self, model: HybridModel, extents: Extents, slots: int = 300) -> None:
        self.model, self.extents = model, extents
        self.kv: KVPlane = model.make_kv_plane(slots)
        self.states: StatePlane = model.make_state_plane(2)
        for part in self.kv.parts:
            part.fill_(float("nan"))

    def prefill(self, ids: Tensor) -> None:
        extents = crop(self.extents, 0, len(ids))
        self.model.forward(ids, 0, self.kv, extents, self.states, 0, write_from=0)

    def step(self, token: int, position: int) -> Tensor:
        found = self.model.forward(
            torch.tensor([token], device=self.model.device),
            position,
            self.kv,
            crop(self.extents, 0, position + 1),
            self.states,
            0,
            write_from=position,
        )
        assert found is not None
        return found

    def slot(self, position: int) -> int:
        return crop(self.extents, position, position + 1)[0][0]

    def written(self, tokens: int) -> list[Tensor]:
        slots = [self.slot(position) for position in range(tokens)]
        return [part[:, slots] for part in self.kv.parts]


def pair(model: HybridModel, extents: Sequence[tuple[int, int]], ids: Tensor) -> tuple[Side, Side]:
    """Two sides after the same prompt."""
    sides = Side(model, extents), Side(model, extents)
    for side in sides:
        side.prefill(ids[:PROMPT].to(model.device))
    return sides


def run(graph: DecodeGraph, token: int, position: int, slot: int) -> Tensor:
    """One row: its logits."""
    return graph.run([token], position, [slot])[0][0]


def near(found: Tensor, expected: Tensor, dtype: torch.dtype) -> None:
    assert torch.isfinite(found).all()
    error = (found.float() - expected.float()).abs().max() / expected.float().abs().max()
    assert error <= BOUND[dtype], f"off by {error:.1e}"


def follow_along(
    plain: Side, fixed: Side, graph: DecodeGraph, ids: Tensor, dtype: torch.dtype
) -> None:
    """Decode the same tokens on both sides and compare all that they leave behind."""
    for position in range(PROMPT, PROMPT + STEPS):
        token = int(ids[position])
        expected = plain.step(token, position)
        near(run(graph, token, position, fixed.slot(position)), expected, dtype)
    for one, other in zip(fixed.states.parts(0), plain.states.parts(0), strict=True):
        near(one, other, dtype)
    total = PROMPT + STEPS
    for one, other in zip(fixed.written(total), plain.written(total), strict=True):
        near(one, other, dtype)


@pytest.fixture
def model(case_named: CaseNamed, model_folder: ModelFolder, load: Load) -> HybridModel:
    found: HybridModel = load(model_folder(case_named("base"), torch.float32))
    return found


class TestStep:
    @pytest.mark.parametrize("extents", [STRAIGHT, SCATTERED], ids=["straight", "scattered"])
    @pytest.mark.parametrize("name", NAMES)
    def test_leaves_what_forward_leaves(
        self,
        name: str,
        extents: Extents,
        case_named: CaseNamed,
        model_folder: ModelFolder,
        load: Load,
        ids: Tensor,
    ) -> None:
        model = load(model_folder(case_named(name), torch.float32))
        plain, fixed = pair(model, extents, ids)
        graph = DecodeGraph(model, fixed.kv, fixed.states)
        graph.follow(crop(extents, 0, PROMPT))
        follow_along(plain, fixed, graph, ids, torch.float32)
        assert graph.recorded == 1

    def test_in_bfloat16(
        self, case_named: CaseNamed, model_folder: ModelFolder, load: Load, ids: Tensor
    ) -> None:
        model = load(model_folder(case_named("base"), torch.bfloat16))
        plain, fixed = pair(model, SCATTERED, ids)
        graph = DecodeGraph(model, fixed.kv, fixed.states)
        graph.follow(SCATTERED)
        follow_along(plain, fixed, graph, ids, torch.bfloat16)

    def test_touches_no_other_slot(self, model: HybridModel, ids: Tensor) -> None:
        _, fixed = pair(model, SCATTERED, ids)
        before = [part.clone() for part in fixed.kv.parts]
        spare = [part.clone() for part in fixed.states.parts(1)]
        graph = DecodeGraph(model, fixed.kv, fixed.states)
        graph.follow(crop(SCATTERED, 0, PROMPT))
        run(graph, 7, PROMPT, 299)
        others = [slot for slot in range(300) if slot != 299]
        for now, was in zip(fixed.kv.parts, before, strict=True):
            assert torch.equal(now[:, others].nan_to_num(), was[:, others].nan_to_num())
            assert not torch.equal(now[:, 299].nan_to_num(), was[:, 299].nan_to_num())
        for now, was in zip(fixed.states.parts(1), spare, strict=True):
            assert torch.equal(now.float().nan_to_num(), was.float().nan_to_num())

    def test_from_the_first_token_on(self, model: HybridModel, ids: Tensor) -> None:
        plain, fixed = Side(model, STRAIGHT), Side(model, STRAIGHT)
        graph = DecodeGraph(model, fixed.kv, fixed.states)
        for position in range(4):
            token = int(ids[position])
            expected = plain.step(token, position)
            near(run(graph, token, position, fixed.slot(position)), expected, torch.float32)

    def test_a_wrong_position_or_slot_would_show(self, model: HybridModel, ids: Tensor) -> None:
        expected = pair(model, SCATTERED, ids)[0].step(9, PROMPT)
        for position, extents in ((PROMPT + 1, SCATTERED), (PROMPT, STRAIGHT)):
            _, fixed = pair(model, SCATTERED, ids)
            for part in fixed.kv.parts:
                part.nan_to_num_(nan=1.0)
            graph = DecodeGraph(model, fixed.kv, fixed.states)
            graph.follow(crop(extents, 0, position))
            found = run(graph, 9, position, fixed.slot(PROMPT))
            with pytest.raises(AssertionError, match="off by"):
                near(found, expected, torch.float32)


class TestDrafts:
    @pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
    @pytest.mark.parametrize("name", NAMES)
    def test_any_number_of_rows_stays(
        self,
        name: str,
        dtype: torch.dtype,
        case_named: CaseNamed,
        model_folder: ModelFolder,
        load: Load,
        ids: Tensor,
    ) -> None:
        """Each row is a step, and the state goes on to any of them.

        Here with PyTorch's operations, whose last bit depends on where a row lies in its vectors.
        """
        model = load(model_folder(case_named(name), dtype))
        plain, drafted = pair(model, SCATTERED, ids)
        graphs = [DecodeGraph(model, side.kv, side.states) for side in (plain, drafted)]
        for graph in graphs:
            graph.follow(SCATTERED)
        at, live = PROMPT, drafted.states.parts(0)
        for rows, stay in ((2, 1), (2, 2), (5, 3), (16, 1), (9, 9), (16, 16)):
            slots = [plain.slot(position) for position in range(at, at + rows)]
            tokens = [*ids[at : at + stay].tolist(), *[7] * (rows - stay)]
            expected = [
                run(graphs[0], token, at + row, slots[row]).clone()
                for row, token in enumerate(tokens[:stay])
            ]
            before = [part.clone() for part in live]
            logits, hidden = graphs[1].run(tokens, at, slots)
            assert all(map(torch.equal, before, live)), "a draft wrote to the state"
            near(logits[:stay], torch.stack(expected), dtype)
            model.keep(stay, hidden, drafted.states, 0, graphs[1].kept)
            for one, other in zip(live, plain.states.parts(0), strict=True):
                near(one, other, dtype)
            at += stay
        if dtype == torch.float32:
            model.keep(stay - 1, hidden, drafted.states, 0, graphs[1].kept)
            with pytest.raises(AssertionError, match="off by"):
                near(live[2], plain.states.parts(0)[2], dtype)

    def test_more_rows_than_are_few_are_refused(self, model: HybridModel) -> None:
        side = Side(model, STRAIGHT)
        graph = DecodeGraph(model, side.kv, side.states)
        with pytest.raises(AssertionError, match="few rows"):
            graph.run([1] * 17, 0, range(17))
        with pytest.raises(AssertionError, match="position"):
            graph.run([1, 2], 299, [5, 6])


class Copies(TorchDispatchMode):
    """Counts what is written into one tensor."""

    def __init__(self, target: Tensor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.target, self.count = target.untyped_storage().data_ptr(), 0

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        if func is torch.ops.aten.copy_.default:
            self.count += args[0].untyped_storage().data_ptr() == self.target
        return func(*args, **(kwargs or {}))


class TestSlots:
    def test_known_slots_are_not_copied_again(self, model: HybridModel) -> None:
        side = Side(model, SCATTERED)
        graph = DecodeGraph(model, side.kv, side.states)
        with Copies(graph._buffers.slots) as seen:
            graph.follow(SCATTERED)
            graph.follow(SCATTERED)
            assert seen.count == 1
            graph.follow(STRAIGHT)
            assert seen.count == 2

    def test_a_run_that_leaves_the_table_makes_it_stale(
        self, model: HybridModel, ids: Tensor
    ) -> None:
        """A sequence goes back and on elsewhere; the next has the first one's slots again."""
        plain, fixed = pair(model, STRAIGHT, ids)
        graph = DecodeGraph(model, fixed.kv, fixed.states)
        graph.follow(STRAIGHT)
        saved = [part.clone() for part in fixed.states.parts(0)]
        run(graph, 3, 10, 280)
        for part, was in zip(fixed.states.parts(0), saved, strict=True):
            part.copy_(was)
        graph.follow(STRAIGHT)
        follow_along(plain, fixed, graph, ids, torch.float32)

    def test_slots_ahead_of_the_context_do_not_matter(self, model: HybridModel) -> None:
        side = Side(model, ((0, 2100),), slots=2200)
        graph = DecodeGraph(model, side.kv, side.states)
        graph.follow(side.extents)
        assert len(graph._buffers.slots) == model.config.context == 2048

    def test_a_position_or_slot_beyond_the_planes_is_refused(self, model: HybridModel) -> None:
        side = Side(model, STRAIGHT)
        graph = DecodeGraph(model, side.kv, side.states)
        with pytest.raises(AssertionError, match="position"):
            run(graph, 1, 300, 5)
        with pytest.raises(AssertionError, match="slot"):
            run(graph, 1, 0, 300)


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=gpu)])
class TestMovedPlanes:
    @pytest.mark.parametrize("slots", [260, 500], ids=["smaller", "larger"])
    def test_a_resize_between_tokens_changes_nothing(
        self, device: str, slots: int, case_named: CaseNamed, model_folder: ModelFolder, ids: Tensor
    ) -> None:
        folder = model_folder(case_named("base"), torch.float32)
        model = load_model(folder, LoadOptions(), torch.device(device), lambda *_: None)
        plain, fixed = pair(model, SCATTERED, ids)
        graph = DecodeGraph(model, fixed.kv, fixed.states)
        for position in range(PROMPT, PROMPT + 10):
            if position == PROMPT + 5:
                fixed.kv.resize(slots)
                fixed.states.resize(6)
            graph.follow(SCATTERED)
            token = int(ids[position])
            expected = plain.step(token, position)
            near(run(graph, token, position, fixed.slot(position)), expected, torch.float32)
        assert graph.recorded == 2


class TestHost:
    def test_the_step_reads_no_tensor_on_the_host(
        self, case_named: CaseNamed, model_folder: ModelFolder
    ) -> None:
        """Tensors without contents: whatever asked one for its value would fail."""
        folder = model_folder(case_named("base"), torch.float32)
        model = load_model(folder, LoadOptions(), torch.device("meta"), lambda *_: None)
        side = Side(model, SCATTERED)
        logits = run(DecodeGraph(model, side.kv, side.states), 1, 0, 5)
        assert logits.device.type == "meta"

    @pytest.mark.parametrize(
        "read", [Tensor.item, Tensor.tolist, bool, Tensor.nonzero], ids=lambda read: read.__name__
    )
    def test_a_read_on_the_host_would_show(self, read: Callable[[Tensor], object]) -> None:
        with pytest.raises((RuntimeError, NotImplementedError)):
            read(torch.ones(1, device="meta") + 1)

    def test_a_token_is_one_copy_to_the_device(self, model: HybridModel) -> None:
        side = Side(model, STRAIGHT)
        graph = DecodeGraph(model, side.kv, side.states)
        with Copies(graph._inputs) as seen:
            graph._feed(([1, 4], range(2, 4), [3, 9]))
        assert seen.count == 1
        assert graph._inputs[:, :2].tolist() == [[1, 4], [2, 3], [3, 9]]


class TestSupport:
    def test_dense_models_are(self, model: HybridModel) -> None:
        assert DecodeGraph.supports(model)

    @pytest.mark.parametrize("name", ["moe", "next", "next_mixed_layers"])
    def test_mixtures_are_not(
        self, name: str, case_named: CaseNamed, model_folder: ModelFolder, load: Load
    ) -> None:
        model = load(model_folder(case_named(name), torch.float32))
        assert not DecodeGraph.supports(model)
        side = Side(model, STRAIGHT)
        with pytest.raises(AssertionError, match="needs the host"):
            DecodeGraph(model, side.kv, side.states)

    @pytest.mark.parametrize("weights", ["int8", "int4"])
    def test_matrices_packed_for_a_cpu_are_not(
        self, weights: str, case_named: CaseNamed, model_folder: ModelFolder, load: Load
    ) -> None:
        folder = model_folder(case_named("base"), torch.bfloat16)
        assert not DecodeGraph.supports(load(folder, weights=weights))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
class TestRecording:
    @pytest.fixture(params=["stored", "int8", "int4"])
    def model(
        self, request: pytest.FixtureRequest, case_named: CaseNamed, model_folder: ModelFolder
    ) -> HybridModel:
        folder = model_folder(case_named("base"), torch.bfloat16)
        options = LoadOptions(weights=request.param)
        return load_model(folder, options, torch.device("cuda"), lambda *_: None)

    def test_a_replay_gives_the_bits_of_the_eager_step(
        self, model: HybridModel, ids: Tensor
    ) -> None:
        eager, recorded = pair(model, SCATTERED, ids)
        one = DecodeGraph(model, eager.kv, eager.states, eager=True)
        other = DecodeGraph(model, recorded.kv, recorded.states)
        for graph in (one, other):
            graph.follow(SCATTERED)
        for position in range(PROMPT, PROMPT + STEPS):
            token, slot = int(ids[position]), eager.slot(position)
            assert torch.equal(run(one, token, position, slot), run(other, token, position, slot))
        at = PROMPT + STEPS
        for rows in (2, 7, 16):
            tokens = ids[at : at + rows].tolist()
            slots = [eager.slot(position) for position in range(at, at + rows)]
            found = [graph.run(tokens, at, slots) for graph in (one, other)]
            assert all(map(torch.equal, *found))
            for side, graph, (_, hidden) in zip(
                (eager, recorded), (one, other), found, strict=True
            ):
                model.keep(rows - 1, hidden, side.states, 0, graph.kept)
            at += rows - 1
        for first, second in zip(eager.states.parts(0), recorded.states.parts(0), strict=True):
            assert torch.equal(first, second)
        for first, second in zip(eager.kv.parts, recorded.kv.parts, strict=True):
            assert torch.equal(first.nan_to_num(), second.nan_to_num())

    def test_triton_and_torch_agree(self, model: HybridModel, ids: Tensor) -> None:
        plain, fixed = pair(model, SCATTERED, ids)
        one = DecodeGraph(model, plain.kv, plain.states, ops=TORCH, eager=True)
        other = DecodeGraph(model, fixed.kv, fixed.states)
        for graph in (one, other):
            graph.follow(SCATTERED)
        for position in range(PROMPT, PROMPT + STEPS):
            token, slot = int(ids[position]), fixed.slot(position)
            near(run(other, token, position, slot), run(one, token, position, slot), torch.bfloat16)

    def test_neither_step_nor_replay_waits(self, model: HybridModel, ids: Tensor) -> None:
        _, side = pair(model, SCATTERED, ids)
        for eager in (True, False):
            graph = DecodeGraph(model, side.kv, side.states, eager=eager)
            graph.follow(SCATTERED)
            run(graph, int(ids[PROMPT]), PROMPT, side.slot(PROMPT))
            torch.cuda.set_sync_debug_mode("error")
            try:
                run(graph, int(ids[PROMPT + 1]), PROMPT + 1, side.slot(PROMPT + 1))
            finally:
                torch.cuda.set_sync_debug_mode("default")
