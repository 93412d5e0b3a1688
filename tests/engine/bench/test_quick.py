"""The quick measurement: the model is as large as there is room and time for."""

from __future__ import annotations

import dataclasses
import itertools
import json
from dataclasses import replace

import pytest

from engine import EngineConfig, ModelError
from engine.bench.machine import Effort
from engine.bench.quick import (
    CACHE_BYTES,
    SHAPES,
    Pace,
    Room,
    bench_quick,
    choose_shape,
    expected_s,
    work_of_shape,
)
from engine.machine_speed import MachineSpeed
from kernels.native.library import in_use
from tests.engine.bench.conftest import TINY
from tests.engine.bench.test_speed import positive

MUCH = Room(memory=64 << 30, disk=64 << 30, seconds=60.0)
FAST = Pace(write_s=1e-9, prefill_s=1e-13, decode_s=1e-11)


def chosen(room: Room) -> tuple[int, str]:
    """The place of the chosen shape, and what limits it."""
    shape, limit = choose_shape(room, FAST)
    return next(n for n, one in enumerate(SHAPES) if one is shape), limit


class TestShape:
    def test_with_room_and_time_it_is_the_whole_one(self) -> None:
        assert chosen(MUCH) == (0, "")
        assert work_of_shape(SHAPES[0]).parameters == 752_393_024

    def test_each_is_smaller_than_the_one_before(self) -> None:
        works = [work_of_shape(shape) for shape in SHAPES]
        for larger, smaller in itertools.pairwise(works):
            assert smaller.parameters < larger.parameters
            assert smaller.token_flops < larger.token_flops
        # All cores run a model of 50 million parameters; one runs a smaller one.
        assert works[-1].parameters > 50_000_000

    @pytest.mark.parametrize("of", ["memory", "disk"])
    @pytest.mark.parametrize("index", range(1, len(SHAPES)))
    def test_little_memory_or_disk_makes_it_smaller(self, of: str, index: int) -> None:
        stored = work_of_shape(SHAPES[index]).stored_bytes
        need = 3 * stored + CACHE_BYTES if of == "memory" else 2 * stored
        assert chosen(replace(MUCH, **{of: need})) == (index, of)
        if index < len(SHAPES) - 1:
            assert chosen(replace(MUCH, **{of: need - 1})) == (index + 1, of)

    def test_a_slow_machine_makes_it_smaller_but_runs_the_smallest_anyway(self) -> None:
        for index, shape in enumerate(SHAPES):
            needed = expected_s(work_of_shape(shape), FAST)
            assert chosen(replace(MUCH, seconds=needed)) == (index, "time" if index else "")
        assert chosen(replace(MUCH, seconds=0.0)) == (len(SHAPES) - 1, "time")

    def test_slower_steps_prompts_and_files_each_count(self) -> None:
        work = work_of_shape(SHAPES[1])
        usual = expected_s(work, FAST)
        for field in dataclasses.fields(Pace):
            slower = replace(FAST, **{field.name: 10 * getattr(FAST, field.name)})
            assert expected_s(work, slower) > usual

    def test_without_room_for_the_smallest_it_says_what_is_needed(self) -> None:
        with pytest.raises(ModelError, match="MiB of memory and"):
            choose_shape(replace(MUCH, memory=1 << 20), FAST)


@pytest.fixture(scope="module")
def speed() -> MachineSpeed:
    little = Effort(read_bytes=1 << 20, rows=(16,), repeats=1)
    shapes = (TINY | {"num_hidden_layers": 4}, TINY)
    progress: list[str] = []
    config = EngineConfig(threads=1)
    found = bench_quick(config, progress.append, effort=little, shapes=shapes)
    assert [line.split(":")[0] for line in progress[-4:-1]] == ["stored", "int8", "int4"]
    return found


class TestMeasuring:
    @pytest.mark.slow
    def test_every_format_is_measured_and_every_figure_is_positive(
        self, speed: MachineSpeed
    ) -> None:
        assert [row.weights for row in speed.formats] == ["stored", "int8", "int4"]
        values = dataclasses.asdict(speed)
        values.pop("busy_percent")
        assert positive(json.loads(json.dumps(values)))

    def test_it_says_what_ran(self, speed: MachineSpeed) -> None:
        assert (speed.layers, speed.limited_by, speed.device) == (4, "", "cpu")
        assert speed.kernels == in_use()
        assert "1 threads" in speed.machine

    def test_fewer_bits_read_fewer_bytes_and_may_decode_faster(self, speed: MachineSpeed) -> None:
        stored, int8, int4 = speed.formats
        assert stored.weight_bytes > int8.weight_bytes > int4.weight_bytes
        assert stored.decode_floor_tok_s < int8.decode_floor_tok_s < int4.decode_floor_tok_s
        for row in speed.formats:
            expected = speed.read_bytes_s / row.weight_bytes
            assert row.decode_floor_tok_s == pytest.approx(expected)

    def test_without_room_nothing_is_generated(self, monkeypatch: pytest.MonkeyPatch) -> None:
        little = Effort(read_bytes=1 << 20, rows=(16,), repeats=1)
        monkeypatch.setattr("engine.bench.quick.memories", lambda: (_Memory(),))
        with pytest.raises(ModelError, match="no room"):
            bench_quick(EngineConfig(threads=1), print, effort=little, shapes=(TINY,))


class _Memory:
    free_bytes = 1 << 20
