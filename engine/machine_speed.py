"""The results of `biplane bench quick` for this machine, and the file that stores them."""

from __future__ import annotations

import dataclasses
import json
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.private_files import read_object, write_whole

# A larger file is not ours.
MOST_BYTES = 1 << 16
VERSION = 1
Limit = Literal["", "memory", "disk", "time"]
Count = Annotated[int, Meta(ge=0)]
Rate = Annotated[float, Meta(gt=0, le=sys.float_info.max)]


@dataclass(frozen=True, slots=True)
class FormatSpeed:
    """One weight format on the generated model; floors as in the other benchmarks.

    Attributes:
        weight_bytes: read per decoded token.
        prefill_tok_s: of a prompt; decode_tok_s: of an answer after a context.
    """

    weights: str
    weight_bytes: Annotated[int, Meta(gt=0)]
    prefill_tok_s: Rate
    prefill_floor_tok_s: Rate
    decode_tok_s: Rate
    decode_floor_tok_s: Rate


@dataclass(frozen=True, slots=True)
class MachineSpeed:
    """The machine's rates, and a generated model's speed in each format.

    Attributes:
        date: of the measurement, "2026-11-22".
        machine: processor, threads and torch's version; kernels: what ran the model.
        busy_percent: share of processor time that other programs used just before.
        free_bytes: free memory.
        parameters, layers: of the generated model.
        limited_by: why it is smaller than Qwen3.5-0.8B; "" if it is not.
        read_bytes_s, copy_bytes_s: of memory; a copy counts both bytes read and bytes written.
        bfloat16_flop_s, float32_flop_s, int8_flop_s: products, two operations per multiply-add;
            None without exact 8-bit products.
        prompt, context: tokens of the prefilled prompt, and before the answer.
        seconds: duration of the measurement.
        token_flops: of one token in all matrices of the generated model's layers; 0 in older files
            without it.
    """

    date: str
    machine: str
    device: str
    kernels: str
    busy_percent: Count
    free_bytes: Count
    parameters: Count
    layers: Count
    limited_by: Limit
    read_bytes_s: Rate
    copy_bytes_s: Rate
    bfloat16_flop_s: Rate
    float32_flop_s: Rate
    int8_flop_s: Rate | None
    prompt: Count
    context: Count
    seconds: Rate
    formats: Annotated[tuple[FormatSpeed, ...], Meta(min_length=1)]
    token_flops: Count = 0


def processor() -> tuple[str, frozenset[str]]:
    """Its name, and its instruction sets as named in /proc/cpuinfo; none if unknown."""
    found: dict[str, str] = {}
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = line.partition(":")
        found.setdefault(key.strip(), value.strip())
    name = found.get("model name") or platform.processor() or platform.machine()
    return name, frozenset(found.get("flags", "").split())


def keep(speed: MachineSpeed, file: Path) -> None:
    """Write it, replacing an earlier one. Raises OSError."""
    write_whole(file, json.dumps({"version": VERSION} | dataclasses.asdict(speed), indent=2))


def kept(file: Path) -> MachineSpeed | None:
    """The stored result; None if there is none, or none that can be trusted."""
    raw = read_object(file, MOST_BYTES)
    if raw.get("version") != VERSION:
        return None
    try:
        return msgspec.convert(raw, MachineSpeed)
    except msgspec.ValidationError:
        return None
