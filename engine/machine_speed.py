"""What `biplane bench quick` found out about this machine, and the file in which it is kept."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from engine.private_files import make_folder, open_private

# A larger file is not ours.
MOST_BYTES = 1 << 16
VERSION = 1
Limit = Literal["", "memory", "disk", "time"]
LIMITS = ("", "memory", "disk", "time")


@dataclass(frozen=True, slots=True)
class FormatSpeed:
    """One format of the weights on the generated model; floors as in the other benchmarks.

    Attributes:
        weight_bytes: read for each decoded token.
        prefill_tok_s: of a prompt; decode_tok_s: of an answer after a context.
    """

    weights: str
    weight_bytes: int
    prefill_tok_s: float
    prefill_floor_tok_s: float
    decode_tok_s: float
    decode_floor_tok_s: float


@dataclass(frozen=True, slots=True)
class MachineSpeed:
    """The machine's rates, and a generated model's speed in each format.

    Attributes:
        date: of the measurement, "2026-11-22".
        machine: processor, threads and torch's version; kernels: what ran the model.
        busy_percent: of the processors' time that other programs took just before.
        free_bytes: memory that was free.
        parameters, layers: of the generated model.
        limited_by: why it is smaller than Qwen3.5-0.8B; "" if it is not.
        read_bytes_s, copy_bytes_s: of memory; a copy counts what is read and what is written.
        bfloat16_flop_s, float32_flop_s, int8_flop_s: products, two operations per multiply-add;
            None without exact 8-bit products.
        prompt, context: tokens of the prompt that was read, and before the answer.
        seconds: that the measurement took.
        token_flops: of one token in all matrices of the generated model's layers; 0 in files from
            before this was kept.
    """

    date: str
    machine: str
    device: str
    kernels: str
    busy_percent: int
    free_bytes: int
    parameters: int
    layers: int
    limited_by: Limit
    read_bytes_s: float
    copy_bytes_s: float
    bfloat16_flop_s: float
    float32_flop_s: float
    int8_flop_s: float | None
    prompt: int
    context: int
    seconds: float
    formats: tuple[FormatSpeed, ...]
    token_flops: int = 0


def keep(speed: MachineSpeed, file: Path) -> None:
    """Write it in place of an earlier one. Raises OSError."""
    make_folder(file.parent)
    fresh = file.with_suffix(f".{os.getpid()}")
    text = json.dumps({"version": VERSION} | dataclasses.asdict(speed), indent=2)
    with os.fdopen(open_private(fresh), "w", encoding="utf-8") as out:
        out.write(text)
    fresh.replace(file)


def kept(file: Path) -> MachineSpeed | None:
    """What was kept; None if there is nothing, or nothing that can be trusted."""
    try:
        with file.open("rb") as source:
            data = source.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            return None
        values = json.loads(data)
        if values.pop("version") != VERSION:
            return None
        formats = tuple(_record(FormatSpeed, each) for each in values["formats"])
        if not formats or not all(each.weight_bytes for each in formats):
            return None
        found: MachineSpeed = _record(MachineSpeed, values | {"formats": formats})
        return found
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _record(kind: type[Any], values: dict[str, Any]) -> Any:
    """A record of `kind`. Raises ValueError or TypeError if a value cannot be one of its field."""
    made = kind(**values)
    for field in dataclasses.fields(kind):
        if not _GOOD[str(field.type)](getattr(made, field.name)):
            raise ValueError(field.name)
    return made


def _amount(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value > 0


_GOOD: dict[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str),
    "Limit": lambda value: value in LIMITS,
    "int": lambda value: type(value) is int and value >= 0,
    "float": _amount,
    "float | None": lambda value: value is None or _amount(value),
    "tuple[FormatSpeed, ...]": lambda value: isinstance(value, tuple),
}
