"""`biplane bench quick`: this machine in under two minutes, on a model generated for it.

A tiny model is tried first; its times determine how large the measured one may be, so that the
measurement ends in time on any machine.
"""

from __future__ import annotations

import datetime
import shutil
import tempfile
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from engine.api import Engine
from engine.bench.floors import Work, work_of
from engine.bench.formats import FORMATS
from engine.bench.harness import Progress, median, seconds
from engine.bench.machine import Effort, MachineRates, between_rates, gemm_rate, machine_line
from engine.bench.random_model import random_model
from engine.bench.timed import answer, answer_rate, exactly, first_logits, token_ids
from engine.config import EngineConfig, WeightFormat
from engine.errors import ModelError
from engine.events import ModelInfo
from engine.machine_speed import FormatSpeed, Limit, MachineSpeed
from engine.model.config import parse_config
from engine.model.family import QWEN35_0_8B
from engine.model.fit import memories
from engine.model.loader import parameter_count
from engine.model.needs import token_flops

# Time limit of the measurement, with some room below two minutes; and maximum repeats per figure.
BUDGET_S, MOST_REPEATS = 85.0, 5
LEAST_READ, MOST_READ = 64 << 20, 1 << 30
# Duration for measuring the processor use of other programs.
LOOK_S = 0.5
# As in config.json.
Shape = dict[str, Any]

PROMPT, CONTEXT, ANSWER_TOKENS, WARM_TOKENS = 512, 500, 16, 4
FORMATS_RUN = 3
# Both planes; enough for the contexts above.
CACHE_BYTES = 256 << 20
# The generated file, buffers for writing it, and the weights in another format, all in bfloat16s.
MEMORY_SHARE, DISK_SHARE = 3, 2
# Largest first. The last one is tried on every machine: just large enough for all cores.
SHAPES: tuple[Shape, ...] = (
    QWEN35_0_8B,
    QWEN35_0_8B | {"num_hidden_layers": 12, "vocab_size": 131_072, "eos_token_id": 2},
    QWEN35_0_8B | {"num_hidden_layers": 4, "vocab_size": 65_536, "eos_token_id": 2},
    QWEN35_0_8B
    | {
        "num_hidden_layers": 4,
        "vocab_size": 65_536,
        "hidden_size": 512,
        "intermediate_size": 1536,
        "eos_token_id": 2,
    },
)


@dataclass(frozen=True, slots=True)
class Room:
    """Available resources: free memory and disk in bytes, and seconds."""

    memory: int
    disk: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that a small model took: writing a byte of it, prefill per operation of a token's
    products, and decode per byte of its weights.
    """

    write_s: float
    prefill_s: float
    decode_s: float


@dataclass(frozen=True, slots=True)
class ShapeWork:
    """parameters; stored_bytes: of them in bfloat16; token_flops: as in `floors.Work`."""

    parameters: int
    stored_bytes: int
    token_flops: int


def work_of_shape(shape: Shape) -> ShapeWork:
    config = parse_config(shape)
    parameters = parameter_count(config)
    return ShapeWork(parameters, 2 * parameters, token_flops(config))


def choose_shape(room: Room, pace: Pace, shapes: tuple[Shape, ...] = SHAPES) -> tuple[Shape, Limit]:
    """The first of `shapes` that fits, and what the previous one lacked.

    The last one may take longer than the time available. Raises ModelError if there is no memory or
    disk space even for it.
    """
    limit: Limit = ""
    for shape in shapes:
        work = work_of_shape(shape)
        memory, disk = (
            MEMORY_SHARE * work.stored_bytes + CACHE_BYTES,
            DISK_SHARE * work.stored_bytes,
        )
        if memory > room.memory:
            limit = "memory"
        elif disk > room.disk:
            limit = "disk"
        elif shape is not shapes[-1] and expected_s(work, pace) > room.seconds:
            limit = "time"
        else:
            return shape, limit
    raise ModelError(
        f"There is no room to measure: {memory >> 20:,} MiB of memory and {disk >> 20:,} MiB on "
        "the disk for temporary files are needed."
    )


def expected_s(work: ShapeWork, pace: Pace) -> float:
    """Seconds of generating a model, and of measuring each figure once in every format."""
    tokens, steps = PROMPT + CONTEXT, ANSWER_TOKENS + WARM_TOKENS
    each = tokens * work.token_flops * pace.prefill_s + steps * work.stored_bytes * pace.decode_s
    # Reading the weights and writing those of another format takes no longer than generating them.
    return (1 + FORMATS_RUN) * work.stored_bytes * pace.write_s + FORMATS_RUN * each


def bench_quick(
    config: EngineConfig,
    progress: Progress,
    *,
    effort: Effort | None = None,
    shapes: tuple[Shape, ...] = SHAPES,
) -> MachineSpeed:
    """Measure rates, then a generated model in every format. Raises ModelError."""
    began = time.perf_counter()
    busy = round(psutil.cpu_percent(LOOK_S))
    free = min(memory.free_bytes for memory in memories())
    effort = effort or Effort(min(max(free // 8, LEAST_READ), MOST_READ), (PROMPT,), 3)

    def run() -> tuple[list[_Measured], ShapeWork, Limit]:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            disk = shutil.disk_usage(folder).free
            progress("trying a tiny model")
            pace = _pace(config, folder, shapes[-1])
            left = BUDGET_S - (time.perf_counter() - began)
            shape, limit = choose_shape(Room(free, disk, left), pace, shapes)
            work = work_of_shape(shape)
            progress(f"generating a model of {work.parameters / 1e6:,.0f} million parameters")
            model = random_model(folder / "generated", shape, dtype="bfloat16")
            own = replace(config, cache_bytes=CACHE_BYTES, cache_dir=folder / "cache")
            found = []
            for number, weights in enumerate(FORMATS):
                left = max(BUDGET_S - (time.perf_counter() - began), 0) / (len(FORMATS) - number)
                found.append(_measured(model, replace(own, weights=weights), left, progress))
        return found, work, limit

    (found, work, limit), rates = between_rates(run, config, effort, progress)
    info, where = found[0].info, found[0].machine
    return MachineSpeed(
        date=datetime.date.today().isoformat(),
        machine=where,
        device=info.device,
        kernels=info.kernels,
        busy_percent=busy,
        free_bytes=free,
        parameters=info.parameters,
        layers=info.layers,
        limited_by=limit,
        read_bytes_s=rates.read_bytes_s,
        copy_bytes_s=rates.copy_bytes_s,
        bfloat16_flop_s=max(rate.flop_s for rate in rates.bfloat16),
        float32_flop_s=max(rate.flop_s for rate in rates.float32),
        int8_flop_s=None if rates.int8 is None else max(rate.flop_s for rate in rates.int8),
        prompt=PROMPT,
        context=CONTEXT,
        seconds=time.perf_counter() - began,
        formats=tuple(_speed(each, rates) for each in found),
        token_flops=work.token_flops,
    )


@dataclass(frozen=True, slots=True)
class _Measured:
    weights: WeightFormat
    info: ModelInfo
    machine: str
    work: Work
    prefill_s: float
    decode_tok_s: float


def _measured(model: Path, config: EngineConfig, allowed_s: float, progress: Progress) -> _Measured:
    """One format; more repeats while less than `allowed_s` seconds have gone by."""
    progress(f"{config.weights}: loading, reading a prompt and answering")
    began = time.perf_counter()
    with Engine.open(model, replace(config, drafts="off")) as engine:
        work = engine.on_core(lambda core: work_of(core.model))
        prompt = token_ids(1, PROMPT, engine.model.vocab_size)
        context = token_ids(2, CONTEXT, engine.model.vocab_size)
        # The first calls pay for memory and kernels, so they are not counted.
        engine.logits(context)
        answer(engine, context, exactly(WARM_TOKENS))
        speed = median(
            partial(answer_rate, engine, context, ANSWER_TOKENS),
            MOST_REPEATS,
            began + allowed_s / 2,
        )
        taken = median(
            lambda: first_logits(engine, prompt, reuse=False)[0], MOST_REPEATS, began + allowed_s
        )
        where = machine_line(engine)
        return _Measured(config.weights, engine.model, where, work, taken, speed)


def _pace(config: EngineConfig, folder: Path, smallest: Shape) -> Pace:
    """The times of the smallest shape; they grow no faster than its work."""
    model = folder / "tried"
    written_s = seconds(lambda: random_model(model, smallest, dtype="bfloat16"))
    own = replace(config, weights="stored", cache_bytes=CACHE_BYTES)
    found = _measured(model, own, 0.0, lambda _: None)
    work = work_of_shape(smallest)
    return Pace(
        write_s=written_s / work.stored_bytes,
        prefill_s=found.prefill_s / (PROMPT * work.token_flops),
        decode_s=1 / found.decode_tok_s / work.stored_bytes,
    )


def _speed(found: _Measured, rates: MachineRates) -> FormatSpeed:
    work, flop_s = found.work, gemm_rate(rates, found.info.dtype, found.weights)
    return FormatSpeed(
        weights=found.weights,
        weight_bytes=work.weight_bytes,
        prefill_tok_s=PROMPT / found.prefill_s,
        prefill_floor_tok_s=PROMPT / work.prefill_s(PROMPT, flop_s),
        decode_tok_s=found.decode_tok_s,
        decode_floor_tok_s=1 / work.decode_s(rates.read_bytes_s),
    )
