"""How large a model `biplane bench quick` generates: what memory, disk and time allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.errors import ModelError
from engine.machine_speed import Limit
from engine.model.config import parse_config
from engine.model.loader import parameter_count
from engine.model.needs import token_flops
from engine.model.random_checkpoint import QWEN35_0_8B

# As in config.json.
Shape = dict[str, Any]

PROMPT, CONTEXT, ANSWER_TOKENS, WARM_TOKENS = 512, 500, 16, 4
FORMATS_RUN = 3
# Both planes; enough for the contexts above.
CACHE_BYTES = 256 << 20
# The generated file, what writing it takes, and the weights in another format, all in bfloat16s.
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
    """What may be used: free memory and disk in bytes, and seconds."""

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
    """The first of `shapes` that fits, and what the one before it lacked.

    The last one may take longer than there is time. Raises ModelError if there is no memory or
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
