"""Models of the family's sizes on a GPU: prefill, decode, restores and turns, against the floors.

Weights are random and generated on the device. A shape that does not fit or a missing library is
not an error: the report gives it as the reason.
"""

from __future__ import annotations

import gc
import importlib.metadata
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from engine import events
from engine.bench.comparison import gpu_peer
from engine.bench.floors import Work, work_of
from engine.bench.gpu_rates import GpuEffort, GpuRates, measure_gpu, per_call
from engine.bench.harness import Progress, median
from engine.bench.machine import device_seconds
from engine.bench.peer_report import GpuPeer, GpuPeerAsk
from engine.bench.random_model import TEMPLATE, words_tokenizer
from engine.bench.timed import token_ids
from engine.commands import Submit
from engine.config import EngineConfig, Sampling, WeightFormat
from engine.errors import BiplaneError
from engine.message import PromptOptions
from engine.model.config import ModelConfig, parse_config
from engine.model.decode_graph import DecodeGraph
from engine.model.family import PUBLISHED
from engine.model.few_rows import Stretch
from engine.model.hybrid import HybridModel
from engine.model.loader import LoadOptions, assemble, body_shapes
from engine.model.random_checkpoint import random_tensor
from engine.model.safetensors_file import TensorEntry
from engine.model.tensor_store import HEAD, TensorStore, text_prefix
from engine.planes import LIVE_SLOT
from engine.run.core import Core
from engine.text.text_model import TextModel

FORMATS: tuple[WeightFormat, ...] = ("stored", "int4")
PACKAGES = ("torch", "triton", "flash-linear-attention", "transformers")
ANSWER, FOLLOWING = 64, 73
INTERVAL = 1024
# Checkpoints besides those at the interval: ends, branches and decoded ones.
SPARE_STATES = 8
SLACK_TOKENS = 1024
# Of the family's published text models.
SHAPES: Mapping[str, dict[str, Any]] = {
    size: PUBLISHED[f"Qwen3.5-{size}"] for size in ("0.8B", "4B", "9B", "27B")
}


class RandomStore(TensorStore):
    """Random tensors instead of files, generated on the device when they are read.

    The same name gives the same tensor on every read.
    """

    def __init__(self, config: ModelConfig, device: torch.device, dtype: torch.dtype) -> None:
        self.prefix = text_prefix(config)
        self.fused_experts = False
        self._device, self._dtype = device, dtype
        self._shapes = {self.prefix + name: s for name, s in body_shapes(config).items()}
        if not config.tied:
            self._shapes[HEAD] = (config.vocab_size, config.hidden_size)
        self._order = {name: at for at, name in enumerate(self._shapes)}

    def entry(self, name: str) -> TensorEntry:
        """See TensorStore."""
        shape = self._shapes[name]
        size = torch.Size(shape).numel() * self._dtype.itemsize
        return TensorEntry("BF16" if self._dtype == torch.bfloat16 else "F32", shape, 0, size)

    def read(self, name: str, part: int | None = None) -> Tensor:
        """See TensorStore; `part` is not supported."""
        assert part is None, "a random store has no routed experts"
        draw = torch.Generator(self._device).manual_seed(self._order[name])
        with torch.device(self._device):
            tensor = random_tensor(name, self._shapes[name], draw)
        wide = name.endswith(("A_log", "linear_attn.norm.weight"))
        return tensor if wide else tensor.to(self._dtype)

    def text_bytes(self, *, draft_head: bool = False) -> int:
        """See TensorStore."""
        return sum(self.entry(name).nbytes for name in self._shapes)

    def skipped(self, *, draft_head: bool = False) -> tuple[str, ...]:
        """See TensorStore."""
        return ()


def random_on_device(
    values: Mapping[str, Any], weights: WeightFormat, device: torch.device, dtype: torch.dtype
) -> HybridModel:
    """A dense model of the shape `values` (as in config.json), in device memory only."""
    config = parse_config(values)
    store = RandomStore(config, device, dtype)
    return assemble(config, store, LoadOptions(weights=weights), dtype, device, lambda *_: None)


def text_only(folder: Path, values: Mapping[str, Any]) -> TextModel:
    """The text side of a random model: a tokenizer of a few MB in `folder`, and no weights."""
    (folder / "config.json").write_text(json.dumps(dict(values)))
    words_tokenizer(int(values["vocab_size"])).save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": "<|im_end|>"}))
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    return TextModel(folder)


@dataclass(frozen=True, slots=True)
class GpuTurns:
    """A cold prompt, its answer, and the next message after both.

    Attributes:
        first_s, second_s: seconds to the first token of each turn.
        reused: tokens of the second prompt that did not run again; `prompt` is its length.
        decode_tok_s: of the whole engine, not of the model alone.
    """

    context: int
    first_s: float
    second_s: float
    prompt: int
    reused: int
    decode_tok_s: float | None


def turns_config(model: HybridModel, contexts: tuple[int, ...]) -> EngineConfig:
    """A cache that holds the longest chat with all its checkpoints, without lower tiers."""
    tokens = max(contexts) + ANSWER + FOLLOWING + SLACK_TOKENS
    kv = tokens * model.kv_slot_bytes()
    states = (tokens // INTERVAL + SPARE_STATES) * model.state_slot_bytes()
    return EngineConfig(
        device=model.device.type,
        interval=INTERVAL,
        cache_bytes=kv + states,
        state_share=states / (kv + states),
        rebalance=False,
        context=tokens,
    )


def measure_turns(core: Core, context: int) -> GpuTurns:
    """Run both turns on an empty cache, after a warm-up with a prompt of the same length."""
    vocab = core.model.config.vocab_size
    # The first prompt of a given length compiles and tunes the kernels.
    core.logits(token_ids(7, context, vocab), False, PromptOptions())
    core.drop_cache()
    prompt = token_ids(8, context, vocab)
    first = _turn(core, prompt)
    prompt += first.token_ids + token_ids(9, FOLLOWING, vocab)
    second = _turn(core, prompt)
    return GpuTurns(
        context=context,
        first_s=first.report.first_token_s or 0.0,
        second_s=second.report.first_token_s or 0.0,
        prompt=len(prompt),
        reused=second.report.plan.reused,
        decode_tok_s=first.report.decode_tok_s,
    )


def _turn(core: Core, prompt: tuple[int, ...]) -> events.RequestFinished:
    sampling = Sampling(temperature=0.0, max_tokens=ANSWER, ignore_end=True)
    ended: list[events.RequestFinished] = []

    def emit(event: events.Event) -> None:
        if isinstance(event, events.RequestFinished):
            ended.append(event)

    core.run(Submit(1, prompt, sampling), emit, lambda: False)
    return ended[0]


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

    shapes: tuple[str, ...]
    contexts: tuple[int, ...]
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
    seeds = count()

    def once() -> float:
        ids = token_ids(next(seeds), ask.tokens, core.model.config.vocab_size)
        return device_seconds(lambda: core.logits(ids, False, PromptOptions()), core.model.device)

    once()
    taken = median(once, ask.repeats)
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
            return int(graph.run((token,), position, (position,))[0].argmax())
        one = Stretch((token,), position, ((0, position + 1),), LIVE_SLOT)
        return int(model.apart([one], kv, states)[0].argmax())

    def steps(token: int) -> None:
        for position in range(context + 1, total):
            token = step(token, position)

    second = step(int(logits.argmax()), context)
    taken = device_seconds(partial(steps, second), device)
    return _speed(ask.new, taken, ask.new * work.decode_s(rates.read_bytes_s))


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
