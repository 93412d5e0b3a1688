"""Routed experts within a budget: which are resident changes memory and time, never a bit."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from engine.config import WeightFormat
from engine.errors import ModelError
from engine.model.expert_pool import Expert, ExpertPool
from engine.model.hybrid import HybridModel
from engine.model.loader import LoadOptions, load_model
from engine.model.tensor_store import TensorStore
from kernels.matmul import DenseMatrix
from tests.engine.model.conftest import AllLogits, CaseNamed, Load, ModelFolder

CPU = torch.device("cpu")
FORMATS = ("stored", "int8", "int4")


def expert(size: int) -> Expert:
    """An expert of 2 * size bytes."""
    matrix = DenseMatrix(torch.zeros(size, 1, dtype=torch.int8))
    return Expert(matrix, matrix)


class Reads:
    """Gives experts of 100 bytes and notes which were read."""

    def __init__(self, pool: ExpertPool) -> None:
        self.pool, self.seen = pool, list[int]()

    def take(self, *numbers: int) -> list[int]:
        """The numbers that had to be read."""
        self.seen = []
        for number in numbers:
            self.pool.take(0, number, partial(self._read, number))
        return self.seen

    def _read(self, number: int) -> Expert:
        self.seen.append(number)
        return expert(50)


class TestPool:
    def test_the_least_recently_used_goes_first(self) -> None:
        reads = Reads(ExpertPool(300, 9))
        assert reads.take(1, 2, 3) == [1, 2, 3]
        assert reads.take(1) == []
        assert reads.take(4) == [4]
        # 2 went for 4: it was used before 3, and 1 was used again.
        assert reads.take(1, 3, 4) == []
        assert reads.take(2) == [2]
        assert reads.take(1) == [1]

    def test_the_budget_is_never_passed(self) -> None:
        pool = ExpertPool(350, 100)
        reads = Reads(pool)
        for number in range(20):
            reads.take(number)
            assert pool.used <= 350
            assert pool.used == 100 * pool.resident
        assert pool.resident == 3

    def test_one_expert_is_always_kept(self) -> None:
        pool = ExpertPool(1, 100)
        reads = Reads(pool)
        assert reads.take(1, 1, 2, 2, 1) == [1, 2, 1]
        assert (pool.resident, pool.used) == (1, 100)

    def test_an_expert_larger_than_the_others(self) -> None:
        pool = ExpertPool(350, 100)
        Reads(pool).take(1, 2, 3)
        pool.take(0, 4, lambda: expert(120))
        assert (pool.resident, pool.used) == (2, 340)

    def test_without_a_budget_nothing_goes(self) -> None:
        pool = ExpertPool(0, 100)
        reads = Reads(pool)
        reads.take(*range(50))
        assert reads.take(*range(50)) == []
        assert (pool.resident, pool.used) == (50, 5000)

    def test_hits_and_misses(self) -> None:
        pool = ExpertPool(200, 100)
        Reads(pool).take(1, 2, 1, 3, 2)
        assert (pool.hits, pool.misses) == (1, 4)

    def test_layers_have_experts_of_their_own(self) -> None:
        pool = ExpertPool(0, 100)
        first = pool.take(0, 1, lambda: expert(1))
        assert pool.take(1, 1, lambda: expert(1)) is not first
        assert pool.take(0, 1, lambda: expert(1)) is first

    def test_a_read_that_fails_changes_nothing(self) -> None:
        pool = ExpertPool(200, 100)
        Reads(pool).take(1, 2)

        def fail() -> Expert:
            raise ModelError("It ends too early.")

        with pytest.raises(ModelError):
            pool.take(0, 3, fail)
        assert (pool.resident, pool.used) == (2, 200)
        assert Reads(pool).take(1, 2, 3) == [3]


@pytest.fixture(params=["moe", "moe_one_by_one", "next_fused", "next_mixed_layers"])
def folder(
    request: pytest.FixtureRequest, case_named: CaseNamed, model_folder: ModelFolder
) -> Path:
    found: Path = model_folder(case_named(request.param), torch.bfloat16)
    return found


@pytest.fixture
def whole(case_named: CaseNamed, model_folder: ModelFolder) -> Path:
    found: Path = model_folder(case_named("moe_one_by_one"), torch.bfloat16)
    return found


@pytest.fixture(params=FORMATS)
def weights(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def decoded(model: HybridModel, ids: Tensor) -> Tensor:
    """Logits of the tokens one at a time: the path of decode."""
    kv, states = model.make_kv_plane(len(ids)), model.make_state_plane(1)
    rows = []
    for at in range(len(ids)):
        run = model.forward(ids[at : at + 1], at, kv, [(0, at + 1)], states, 0, write_from=at)
        assert run is not None
        rows.append(run)
    return torch.stack(rows)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the tensors that were read from checkpoints."""
    names: list[str] = []
    plain = TensorStore.read

    def read(self: TensorStore, name: str, part: int | None = None) -> Tensor:
        names.append(name)
        return plain(self, name, part)

    monkeypatch.setattr(TensorStore, "read", read)
    return names


class TestModels:
    @pytest.mark.parametrize("kept", [0, 1, 3])
    @pytest.mark.parametrize("on_disk", [False, True], ids=["memory", "packed"])
    def test_a_budget_changes_no_bit(
        self,
        folder: Path,
        weights: str,
        kept: int,
        on_disk: bool,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
    ) -> None:
        packed = tmp_path if on_disk else None
        resident = load(folder, weights=weights)
        size = resident.experts.used // resident.experts.total
        # Without a file to read from, the first start packs; with one, the second reads.
        for _ in range(1 + on_disk):
            model = load(folder, weights=weights, packed=packed, expert_bytes=kept * size + 1)
            assert model.experts.resident == model.experts.misses == 0
            assert torch.equal(all_logits(model, ids), all_logits(resident, ids))
            assert torch.equal(decoded(model, ids[:9]), decoded(resident, ids[:9]))
            pool = model.experts
            assert pool.resident == max(kept, 1)
            assert pool.misses > pool.total
            assert pool.used == size * max(kept, 1)
        assert resident.experts.misses == 0
        assert resident.experts.resident == resident.experts.total

    def test_a_budget_for_all_reads_each_expert_once(
        self, whole: Path, weights: str, load: Load, all_logits: AllLogits, ids: Tensor
    ) -> None:
        resident = load(whole, weights=weights)
        model = load(whole, weights=weights, expert_bytes=resident.experts.used)
        for _ in range(2):
            assert torch.equal(all_logits(model, ids), all_logits(resident, ids))
        assert model.experts.misses == model.experts.resident <= model.experts.total
        assert model.experts.hits >= model.experts.misses

    def test_weight_bytes_follow_what_is_resident(
        self, whole: Path, load: Load, all_logits: AllLogits, ids: Tensor
    ) -> None:
        resident = load(whole)
        model = load(whole, expert_bytes=1)
        without = resident.weight_bytes - resident.experts.used
        assert model.weight_bytes == without
        all_logits(model, ids)
        assert model.weight_bytes == without + resident.experts.used // resident.experts.total


class TestPacked:
    """Experts that are not resident lie packed in files, from the first start on."""

    @pytest.mark.parametrize("kind", ["int8", "int4"])
    def test_no_expert_is_read_from_the_checkpoint_in_a_run(
        self,
        folder: Path,
        kind: str,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
        reads: list[str],
    ) -> None:
        expected = all_logits(load(folder, weights=kind), ids)
        for start in ("first", "second"):
            reads.clear()
            model = load(folder, weights=kind, packed=tmp_path, expert_bytes=1)
            packed = [name for name in reads if ".experts." in name]
            assert bool(packed) == (start == "first")
            reads.clear()
            assert torch.equal(all_logits(model, ids), expected)
            assert reads == []

    @pytest.mark.parametrize("kind", ["int8", "int4"])
    def test_files_are_those_of_a_start_without_a_budget(
        self, whole: Path, kind: str, load: Load, tmp_path: Path
    ) -> None:
        load(whole, weights=kind, packed=tmp_path / "all")
        load(whole, weights=kind, packed=tmp_path / "budget", expert_bytes=1)
        paths = sorted((tmp_path / "all").iterdir())
        assert len(paths) == 5
        for path in paths:
            one, other = load_file(path), load_file(tmp_path / "budget" / path.name)
            assert one.keys() == other.keys()
            assert all(torch.equal(one[name], other[name]) for name in one)

    @pytest.mark.parametrize("kind", ["int8", "int4"])
    def test_a_full_disk_packs_at_every_miss_and_holds_nothing(
        self,
        whole: Path,
        kind: str,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
        reads: list[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        expected = all_logits(load(whole, weights=kind), ids)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
        model = load(whole, weights=kind, packed=tmp_path, expert_bytes=1)
        assert len(model.notes) == 1
        for _ in range(2):
            before = model.experts.misses
            reads.clear()
            assert torch.equal(all_logits(model, ids), expected)
            # Three matrices of an expert. Fewer reads would mean that it was held back somewhere.
            assert len(reads) == 3 * (model.experts.misses - before) > 0

    @pytest.mark.parametrize("kind", ["int8", "int4"])
    def test_a_file_damaged_while_it_is_used(
        self,
        whole: Path,
        kind: str,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
        reads: list[str],
    ) -> None:
        expected = all_logits(load(whole, weights=kind), ids)
        model = load(whole, weights=kind, packed=tmp_path, expert_bytes=1)
        for path in tmp_path.glob("layer-*.safetensors"):
            raw = bytearray(path.read_bytes())
            for at in range(len(raw) // 2, len(raw), 999):
                raw[at] ^= 8
            path.write_bytes(bytes(raw))
        for _ in range(2):
            reads.clear()
            assert torch.equal(all_logits(model, ids), expected)
            # Again from the checkpoint: what no file keeps is not kept in memory either.
            assert reads


class TestAfterTheLoading:
    @pytest.mark.parametrize("kind", FORMATS)
    def test_nobody_is_told_of_experts_that_are_read(
        self, folder: Path, kind: WeightFormat, all_logits: AllLogits, ids: Tensor
    ) -> None:
        """The progress of a loading may end it by an exception, which must not end a request."""
        told: list[str] = []
        model = load_model(
            folder,
            LoadOptions(weights=kind, expert_bytes=1),
            CPU,
            lambda stage, *_: told.append(stage),
        )
        assert told
        told.clear()
        all_logits(model, ids)
        assert model.experts.misses > 0
        assert told == []

    def test_a_checkpoint_that_is_gone_is_a_sentence(
        self,
        case_named: CaseNamed,
        model_folder: ModelFolder,
        load: Load,
        all_logits: AllLogits,
        ids: Tensor,
        tmp_path: Path,
    ) -> None:
        source = model_folder(case_named("moe"), torch.bfloat16)
        shutil.copytree(source, tmp_path / "model")
        model = load(tmp_path / "model", expert_bytes=1)
        (tmp_path / "model" / "model.safetensors").write_bytes(b"")
        with pytest.raises(ModelError, match=r"model\.safetensors"):
            all_logits(model, ids)
