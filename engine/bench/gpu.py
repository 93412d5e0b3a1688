"""Models of the family's sizes on a GPU: prefill, decode, restores and turns, against the floors.

Weights are random and generated on the device. A shape that does not fit or a library that is
missing is no error: the report gives it as the reason.
"""

from __future__ import annotations

import gc
import importlib.metadata
import statistics
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import torch

from engine.bench.comparison import gpu_peer
from engine.bench.floors import Work, work_of
from engine.bench.gpu_rates import GpuEffort, GpuRates, measure_gpu, per_call
from engine.bench.gpu_shapes import SHAPES, random_on_device, text_only
from engine.bench.gpu_turns import GpuTurns, measure_turns, turns_config
from engine.bench.machine import seconds, settle
from engine.bench.peer_report import GpuPeer, GpuPeerAsk
from engine.bench.progress import Progress
from engine.bench.timed import token_ids
from engine.config import WeightFormat
from engine.errors import BiplaneError
from engine.message import PromptOptions
from engine.model.decode_graph import DecodeGraph
from engine.model.hybrid import HybridModel
from engine.planes import LIVE_SLOT
from engine.run.core import Core

FORMATS: tuple[WeightFormat, ...] = ("stored", "int4")
PACKAGES = ("torch", "triton", "flash-linear-attention", "transformers")


@dataclass(frozen=True, slots=True)
class GpuAsk:
    """What to measure.

    Attributes:
        shapes: names in SHAPES.
        contexts: tokens before the first answer; decode is timed after the first context only.
        tokens: of the prompt whose prefill is timed.
        new: tokens to decode.
        repeats: of each measurement; medians are reported.
    """

    shapes: tuple[str, ...] = tuple(SHAPES)
    contexts: tuple[int, ...] = (4800, 65536)
    tokens: int = 2048
    new: int = 128
    repeats: int = 5
    effort: GpuEffort = field(default_factory=GpuEffort)


@dataclass(frozen=True, slots=True)
class GpuSpeed:
    """A rate in tokens per second, what the machine allows, and the share of that reached."""

    tok_s: float
    floor_tok_s: float
    ratio: float


@dataclass(frozen=True, slots=True)
class GpuRun:
    """One shape in one format.

    Attributes:
        weights: "stored" (bfloat16) or "int4".
        reason: why it was not measured, or only in part; "" if nothing is missing.
        weight_bytes, checkpoint_bytes: on the device.
        prefill: of a cold prompt, compared with the time of its matrix products alone.
        decode: with a DecodeGraph, reading a greedy token after each step, compared with one read
            of the weights; `eager`: the same without the graph.
        restore_s: to copy a checkpoint into the live slot.
        turns: the same chat at each context.
        peak_bytes: peak device memory.
    """

    shape: str
    weights: str
    reason: str
    weight_bytes: int = 0
    checkpoint_bytes: int = 0
    prefill: GpuSpeed | None = None
    decode: GpuSpeed | None = None
    eager: GpuSpeed | None = None
    restore_s: float | None = None
    turns: tuple[GpuTurns, ...] = ()
    peak_bytes: int = 0


@dataclass(frozen=True, slots=True)
class GpuReport:
    """All results, with the device and the versions they were measured with."""

    device: str
    versions: Mapping[str, str | None]
    rates: GpuRates
    runs: tuple[GpuRun, ...]
    peers: Mapping[str, GpuPeer]


def bench_gpu(device: torch.device, ask: GpuAsk, progress: Progress) -> GpuReport:
    """Measure on `device`; takes minutes per shape."""
    progress("measuring memory and matrix products")
    rates = measure_gpu(device, ask.effort)
    runs: list[GpuRun] = []
    peers: dict[str, GpuPeer] = {}
    for name in ask.shapes:
        for weights in FORMATS:
            progress(f"{name} with {'bfloat16' if weights == 'stored' else weights} weights")
            runs.append(bench_shape(name, SHAPES[name], weights, device, ask, rates, progress))
            _free_memory(device)
        progress(f"{name} with transformers")
        wanted = GpuPeerAsk(ask.tokens, ask.contexts[0], ask.new, ask.repeats)
        peers[name] = gpu_peer(SHAPES[name], device, torch.bfloat16, wanted)
        _free_memory(device)
    return GpuReport(_name(device), _versions(), rates, tuple(runs), peers)


def bench_shape(
    name: str,
    values: Mapping[str, Any],
    weights: WeightFormat,
    device: torch.device,
    ask: GpuAsk,
    rates: GpuRates,
    progress: Progress,
) -> GpuRun:
    """Measure one shape; a failure becomes its reason and leaves the earlier figures in place."""
    found: dict[str, Any] = {}
    try:
        _measure(values, weights, device, ask, rates, progress, found)
    except (RuntimeError, ImportError, BiplaneError) as error:
        # One line: CUDA's messages are many lines long.
        found["reason"] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    if device.type == "cuda":
        found["peak_bytes"] = torch.cuda.max_memory_allocated(device)
    return GpuRun(**({"shape": name, "weights": weights, "reason": ""} | found))


def _measure(
    values: Mapping[str, Any],
    weights: WeightFormat,
    device: torch.device,
    ask: GpuAsk,
    rates: GpuRates,
    progress: Progress,
    found: dict[str, Any],
) -> None:
    """Fill `found` with the fields of a GpuRun, in the order in which they are measured."""
    model = random_on_device(values, weights, device, torch.bfloat16)
    work = work_of(model)
    found |= {
        "weight_bytes": model.weight_bytes,
        "checkpoint_bytes": model.state_slot_bytes(),
        "restore_s": _restore_s(model, ask),
    }
    for kind, recorded in (("eager", False), ("decode", True)):
        if not recorded or DecodeGraph.supports(model):
            progress(f"decode, {'recorded' if recorded else 'eager'}")
            found[kind] = _decode(model, work, rates, ask, recorded=recorded)
    with tempfile.TemporaryDirectory() as folder:
        text = text_only(Path(folder), values)
        core = Core(Path(folder), turns_config(model, ask.contexts), model, text)
        try:
            progress(f"prefill of {ask.tokens:,} tokens")
            found["prefill"] = _prefill(core, work, rates, ask)
            found["turns"] = ()
            for context in ask.contexts:
                progress(f"two turns after {context:,} tokens")
                found["turns"] += (measure_turns(core, context),)
        finally:
            core.close()


def _restore_s(model: HybridModel, ask: GpuAsk) -> float:
    states = model.make_state_plane(2)
    return per_call(partial(states.copy, 1, LIVE_SLOT), model.device, ask.effort)


def _prefill(core: Core, work: Work, rates: GpuRates, ask: GpuAsk) -> GpuSpeed:
    """A cold prompt, cut where the engine cuts it."""
    device = core.model.device

    def once(seed: int) -> float:
        ids = token_ids(seed, ask.tokens, core.model.config.vocab_size)
        return seconds(lambda: core.logits(ids, False, PromptOptions()), device)

    once(0)
    taken = statistics.median(once(1 + n) for n in range(ask.repeats))
    return _speed(ask.tokens, taken, work.prefill_s(ask.tokens, rates.gemm_flop_s))


def _decode(
    model: HybridModel, work: Work, rates: GpuRates, ask: GpuAsk, *, recorded: bool
) -> GpuSpeed:
    """Greedy tokens after the first context; each is read on the host, as a chat has to."""
    context, device = ask.contexts[0], model.device
    total = context + ask.new + 1
    kv, states = model.make_kv_plane(total), model.make_state_plane(1)
    ids = torch.tensor(token_ids(3, context, model.config.vocab_size), device=device)
    logits = model.forward(ids, 0, kv, ((0, context),), states, LIVE_SLOT, write_from=0)
    assert logits is not None
    graph = DecodeGraph(model, kv, states) if recorded else None
    if graph is not None:
        graph.follow(((0, total),))

    def step(token: int, position: int) -> int:
        if graph is not None:
            return int(graph.run(token, position, position).argmax())
        given = torch.tensor([token], device=device)
        extents = ((0, position + 1),)
        out = model.forward(given, position, kv, extents, states, LIVE_SLOT, write_from=position)
        assert out is not None
        return int(out.argmax())

    token = step(int(logits.argmax()), context)
    settle(device)
    began = time.perf_counter()
    for position in range(context + 1, total):
        token = step(token, position)
    return _speed(ask.new, time.perf_counter() - began, ask.new * work.decode_s(rates.read_bytes_s))


def _speed(tokens: int, taken: float, floor: float) -> GpuSpeed:
    return GpuSpeed(tokens / taken, tokens / floor, floor / taken)


def _free_memory(device: torch.device) -> None:
    """Free the memory before the next shape."""
    gc.collect()
    if device.type == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(device)


def _name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else str(device)


def _versions() -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = None
    return found
