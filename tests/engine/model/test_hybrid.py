"""Forward in pieces: cuts, captures, replay, physical layouts and resumed states."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from engine.model.hybrid import HybridModel
from engine.model.layer import RunContext
from engine.planes import KVPlane, StatePlane
from kernels.kv_slots import crop
from tests.engine.model.conftest import AllLogits, Case, CaseNamed, Load, ModelFolder, Oracle

NAMES = ["base", "values_3x", "conv_3", "explicit_layers", "all_linear"]
BOUND = {torch.float32: 1e-4, torch.bfloat16: 0.1}
STRAIGHT = ((10, 400),)
SCATTERED = ((700, 33), (100, 64), (500, 5), (900, 60), (300, 150))


@pytest.fixture(params=[torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
def dtype(request: pytest.FixtureRequest) -> torch.dtype:
    found: torch.dtype = request.param
    return found


@pytest.fixture
def base(
    case_named: CaseNamed, model_folder: ModelFolder, load: Load, dtype: torch.dtype
) -> HybridModel:
    """The base model: grouped value heads, three linear layers and a full one."""
    model: HybridModel = load(model_folder(case_named("base"), dtype))
    return model


class Chat:
    """One sequence with planes of its own, poisoned where nothing was written."""

    def __init__(self, model: HybridModel, extents: Sequence[tuple[int, int]]) -> None:
        self.model, self.extents = model, extents
        self.kv: KVPlane = model.make_kv_plane(1000)
        self.states: StatePlane = model.make_state_plane(5)
        states = self.states
        for part in (*self.kv.parts, *states.delta, *states.conv):
            part.fill_(float("nan"))
        self.states.zero(0)

    def run(self, ids: Tensor, start: int, end: int, **options: Any) -> Tensor:
        how: dict[str, Any] = {"write_from": start, "logits": "all"} | options
        extents = crop(self.extents, 0, end)
        found = self.model.forward(ids[start:end], start, self.kv, extents, self.states, 0, **how)
        assert found is not None
        assert torch.isfinite(found).all()
        return found

    def run_cut(self, ids: Tensor, cuts: Sequence[int], **options: Any) -> Tensor:
        edges = [0, *cuts, len(ids)]
        pairs = itertools.pairwise(edges)
        return torch.cat([self.run(ids, a, b, **options) for a, b in pairs])


def assert_near(found: Tensor, expected: Tensor, dtype: torch.dtype) -> None:
    error = (found - expected).abs().max() / expected.abs().max()
    assert error < BOUND[dtype], f"off by {error:.1e}"


class TestSegments:
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize(
        "cuts",
        [(1,), (2,), (3,), (1, 2, 3, 4), (64, 128), (63, 65, 66, 130), (199,)],
        ids=lambda cuts: "cut" + "_".join(map(str, cuts)),
    )
    def test_cuts_change_nothing_but_rounding(
        self,
        name: str,
        cuts: tuple[int, ...],
        case_named: CaseNamed,
        model_folder: ModelFolder,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
    ) -> None:
        model = load(model_folder(case_named(name), torch.float32))
        expected = all_logits(model, ids)
        for extents in (STRAIGHT, SCATTERED):
            found = Chat(model, extents).run_cut(ids, cuts)
            assert_near(found, expected, torch.float32)

    def test_bfloat16_in_segments(
        self, base: HybridModel, all_logits: AllLogits, ids: Tensor, dtype: torch.dtype
    ) -> None:
        found = Chat(base, SCATTERED).run_cut(ids, (50, 51, 52, 128))
        assert_near(found, all_logits(base, ids), dtype)

    def test_equal_shapes_give_equal_bits(self, base: HybridModel, ids: Tensor) -> None:
        first, second = (Chat(base, STRAIGHT).run_cut(ids, (77, 78)) for _ in range(2))
        assert torch.equal(first, second)

    def test_last_logits_are_those_of_the_hidden_row(self, base: HybridModel, ids: Tensor) -> None:
        for end in (1, 2, 70):
            sequence = Chat(base, STRAIGHT)
            last = sequence.run(ids, 0, end, logits="last")
            assert last.dtype == torch.float32
            assert torch.equal(last, base.logits_from_hidden(sequence.states.hidden[0]))

    def test_none_gives_no_logits_and_the_same_state(self, base: HybridModel, ids: Tensor) -> None:
        one, other = Chat(base, STRAIGHT), Chat(base, STRAIGHT)
        one.run(ids, 0, 70, logits="last")
        extents = crop(STRAIGHT, 0, 70)
        found = base.forward(
            ids[:70], 0, other.kv, extents, other.states, 0, write_from=0, logits="none"
        )
        assert found is None
        assert torch.equal(one.states.hidden[0], other.states.hidden[0])
        assert torch.equal(one.states.delta[0], other.states.delta[0])


class TestCaptures:
    @pytest.mark.parametrize("place", [1, 2, 3, 64, 100, 128, 199, 200])
    def test_a_captured_state_resumes(
        self, base: HybridModel, all_logits: AllLogits, ids: Tensor, dtype: torch.dtype, place: int
    ) -> None:
        sequence = Chat(base, SCATTERED)
        whole = sequence.run(ids, 0, 200, scan_splits=[(place, 3)])
        assert_near(whole, all_logits(base, ids), dtype)
        if place == 200:
            row = base.logits_from_hidden(sequence.states.hidden[3])
            assert_near(row, whole[-1], dtype)
            return
        sequence.states.copy(3, 0)
        resumed = sequence.run(ids, place, 200)
        assert_near(resumed, whole[place:], dtype)

    def test_several_in_one_pass(self, base: HybridModel, ids: Tensor) -> None:
        sequence = Chat(base, STRAIGHT)
        sequence.run(ids, 0, 130, scan_splits=[(5, 1), (64, 2), (130, 3)])
        for place, slot in ((5, 1), (64, 2), (130, 3)):
            alone = Chat(base, STRAIGHT)
            alone.run(ids, 0, place)
            for pool in ("delta", "conv"):
                expected = getattr(alone.states, pool)[0].float()
                found = getattr(sequence.states, pool)[slot].float()
                error = (found - expected).abs().max() / expected.abs().max()
                assert error < BOUND[base.dtype]
        assert torch.equal(sequence.states.delta[3], sequence.states.delta[0])

    def test_in_a_pass_of_one_token(self, base: HybridModel, ids: Tensor) -> None:
        sequence = Chat(base, STRAIGHT)
        sequence.run_cut(ids[:40], (39,))
        sequence.run(ids, 40, 41, scan_splits=[(41, 2)])
        for pool in (sequence.states.delta, sequence.states.conv, sequence.states.hidden):
            assert torch.equal(pool[2], pool[0])

    def test_at_a_multiple_of_64_changes_no_bit(self, base: HybridModel, ids: Tensor) -> None:
        plain = Chat(base, STRAIGHT).run(ids, 0, 200)
        split = Chat(base, STRAIGHT).run(ids, 0, 200, scan_splits=[(64, 1), (128, 2)])
        assert torch.equal(plain, split)


class TestParts:
    """A long run goes through the layers in parts; nothing but rounding may tell."""

    @pytest.fixture
    def parted(self, base: HybridModel, monkeypatch: pytest.MonkeyPatch) -> HybridModel:
        monkeypatch.setattr(base, "_pass_tokens", 64)
        return base

    def test_logits_and_state(
        self, parted: HybridModel, ids: Tensor, monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype
    ) -> None:
        found = Chat(parted, SCATTERED)
        logits = found.run(ids, 0, 200)
        monkeypatch.undo()
        whole = Chat(parted, SCATTERED)
        assert_near(logits, whole.run(ids, 0, 200), dtype)
        for one, other in zip(found.states.parts(0), whole.states.parts(0), strict=True):
            assert_near(one.float(), other.float(), dtype)

    def test_the_parts_are_equal_and_whole_chunks(
        self, parted: HybridModel, ids: Tensor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen = []
        blocks = parted._blocks_of

        def watched(rows: Tensor, run: RunContext) -> Tensor:
            seen.append(len(rows))
            return blocks(rows, run)

        monkeypatch.setattr(parted, "_blocks_of", watched)
        monkeypatch.setattr(parted, "_pass_tokens", 192)
        Chat(parted, STRAIGHT).run(ids, 0, 200)
        assert seen == [128, 72]

    @pytest.mark.parametrize("place", [1, 64, 65, 127, 128, 200])
    def test_a_captured_state_resumes(
        self, parted: HybridModel, ids: Tensor, dtype: torch.dtype, place: int
    ) -> None:
        sequence = Chat(parted, SCATTERED)
        whole = sequence.run(ids, 0, 200, scan_splits=[(place, 3)])
        if place == 200:
            assert torch.equal(sequence.states.hidden[3], sequence.states.hidden[0])
            return
        sequence.states.copy(3, 0)
        assert_near(sequence.run(ids, place, 200), whole[place:], dtype)

    @pytest.mark.parametrize("write_from", [0, 30, 64, 100, 200])
    def test_what_lies_in_the_pool_is_read_and_not_written(
        self, parted: HybridModel, ids: Tensor, dtype: torch.dtype, write_from: int
    ) -> None:
        expected = Chat(parted, STRAIGHT).run(ids, 0, 200)
        sequence = Chat(parted, STRAIGHT)
        sequence.run(ids, 0, 200)
        rows = slice(STRAIGHT[0][0], STRAIGHT[0][0] + write_from)
        for part in sequence.kv.parts:
            # Too little to matter, enough that writing the rows again would show.
            part[:, rows] *= 1 + 2 * torch.finfo(dtype).eps
        kept = [part.clone() for part in sequence.kv.parts]
        sequence.states.zero(0)
        found = sequence.run(ids, 0, 200, write_from=write_from)
        assert_near(found, expected, dtype)
        for part, before in zip(sequence.kv.parts, kept, strict=True):
            assert torch.equal(part[:, rows], before[:, rows])


class TestExactResume:
    """Resume at a cut with the shapes of the cold run: every bit must be equal."""

    def cold(self, model: HybridModel, ids: Tensor) -> tuple[Chat, Tensor]:
        sequence = Chat(model, STRAIGHT)
        sequence.run(ids, 0, 96, gather=True, scan_splits=[(96, 2)])
        return sequence, sequence.run(ids, 96, 200, gather=True)

    def moved(self, model: HybridModel, cold: Chat) -> Chat:
        """The cold run's KV of [0, 96) and its state, at other physical places."""
        sequence = Chat(model, SCATTERED)
        at = STRAIGHT[0][0]
        for first, length in crop(SCATTERED, 0, 96):
            for mine, theirs in zip(sequence.kv.parts, cold.kv.parts, strict=True):
                mine[:, first : first + length] = theirs[:, at : at + length]
            at += length
        for pool in ("delta", "conv", "hidden"):
            getattr(sequence.states, pool)[4].copy_(getattr(cold.states, pool)[2])
        sequence.states.copy(4, 0)
        return sequence

    def test_is_bit_equal(self, base: HybridModel, ids: Tensor) -> None:
        cold, expected = self.cold(base, ids)
        resumed = self.moved(base, cold)
        assert torch.equal(resumed.run(ids, 96, 200, gather=True), expected)
        assert torch.equal(resumed.states.delta[0], cold.states.delta[0])

    def test_decoding_on_is_bit_equal(self, base: HybridModel, ids: Tensor) -> None:
        cold, _ = self.cold(base, ids)
        resumed = self.moved(base, cold)
        resumed.run(ids, 96, 200, gather=True)
        more = torch.cat((ids, ids[:5]))
        for at in range(200, 205):
            pair = [s.run(more, at, at + 1, gather=True) for s in (cold, resumed)]
            assert torch.equal(*pair)

    def test_partial_replay_reads_the_pool(self, base: HybridModel, ids: Tensor) -> None:
        cold, expected = self.cold(base, ids)
        resumed = self.moved(base, cold)
        kept = crop(STRAIGHT, 96, 150)[0]
        target = crop(SCATTERED, 96, 150)
        at = kept[0]
        for first, length in target:
            for mine, theirs in zip(resumed.kv.parts, cold.kv.parts, strict=True):
                mine[:, first : first + length] = theirs[:, at : at + length]
            at += length
        before = resumed.kv.k[0][:, target[0][0]].clone()
        found = resumed.run(ids, 96, 200, write_from=150, gather=True)
        assert torch.equal(found, expected)
        assert torch.equal(resumed.kv.k[0][:, target[0][0]], before)

    def test_whole_replay_writes_nothing(self, base: HybridModel, ids: Tensor) -> None:
        cold, expected = self.cold(base, ids)
        cold.states.copy(2, 0)
        before = [part.clone() for part in cold.kv.parts]
        found = cold.run(ids, 96, 200, write_from=200, gather=True)
        assert torch.equal(found, expected)
        for now, then in zip(cold.kv.parts, before, strict=True):
            assert torch.equal(now.isnan(), then.isnan())
            assert torch.equal(now.nan_to_num(), then.nan_to_num())

    @pytest.mark.parametrize("fault", ["zero", "conv", "other position"])
    def test_a_wrong_state_differs(self, base: HybridModel, ids: Tensor, fault: str) -> None:
        cold, expected = self.cold(base, ids)
        resumed = self.moved(base, cold)
        if fault == "zero":
            resumed.states.zero(0)
        elif fault == "conv":
            resumed.states.conv[0].zero_()
        else:
            other = Chat(base, STRAIGHT)
            other.run(ids, 0, 95)
            for pool in ("delta", "conv"):
                getattr(resumed.states, pool)[0].copy_(getattr(other.states, pool)[0])
        found = resumed.run(ids, 96, 200, gather=True)
        assert not torch.equal(found, expected)
        assert (found - expected).abs().max() > 1e-3 * expected.abs().max()


class TestSizes:
    def test_planes_take_what_was_announced(
        self, case: Case, model_folder: ModelFolder, load: Load
    ) -> None:
        model = load(model_folder(case, torch.bfloat16))
        kv, states = model.make_kv_plane(7), model.make_state_plane(3)
        assert kv.slots == 7
        assert states.slots == 3
        assert kv.slot_bytes == model.kv_slot_bytes()
        assert states.slot_bytes == model.state_slot_bytes()
        assert kv.nbytes == 7 * kv.slot_bytes
        assert states.nbytes == 3 * states.slot_bytes
        assert states.delta[0].dtype == torch.float32
        assert states.conv[0].dtype == states.hidden[0].dtype == model.dtype

    @pytest.mark.slow
    def test_parameters_are_counted_once(
        self, case: Case, model_folder: ModelFolder, load: Load, oracle: Oracle
    ) -> None:
        model = load(model_folder(case, torch.float32))
        network = oracle(model_folder(case, torch.float32), case.config(), torch.float32)
        assert model.parameters == sum(p.numel() for p in network.parameters())


class TestContracts:
    def test_a_wrong_call_is_refused(self, base: HybridModel, ids: Tensor) -> None:
        kv, states = base.make_kv_plane(50), base.make_state_plane(2)

        def run(
            start: int = 0, extents: Sequence[tuple[int, int]] = ((0, 20),), **options: Any
        ) -> None:
            base.forward(ids[:20], start, kv, extents, states, 0, **({"write_from": 0} | options))

        for wrong in (
            {"extents": ((0, 19),)},
            {"write_from": 21},
            {"scan_splits": [(21, 1)]},
            {"scan_splits": [(0, 1)]},
            {"scan_splits": [(5, 0)]},
            {"scan_splits": [(9, 1), (5, 1)]},
        ):
            with pytest.raises(AssertionError):
                run(**wrong)
