"""`biplane bench prefill`: prefill speed, and its share of what the machine allows.

Prompts of several lengths without the cache; then one more turn of a long cached chat. Layers are
timed in a separate run, since timing slows them down.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from torch import Tensor

from engine.api import Engine
from engine.bench.comparison import all_peers
from engine.bench.floors import Work, work_of
from engine.bench.harness import Progress, median
from engine.bench.machine import (
    Effort,
    MachineRates,
    Measured,
    all_threads,
    between_rates,
    device_seconds,
    gemm_rate,
    machine_line,
)
from engine.bench.peer_report import Peer, PeerAsk
from engine.bench.timed import first_logits, forget_peak, peak_bytes, token_ids, warm_up
from engine.config import EngineConfig, WeightFormat
from engine.message import PromptOptions
from engine.model.config import FULL
from engine.model.hybrid import HybridModel
from engine.model.layer import Layer, RunContext
from engine.reuse import ReusePlan
from engine.run.core import Core

NEW_TOKENS = 73
Result = TypeVar("Result")
Timing = Callable[[Tensor, RunContext], Result]
KINDS = ("linear", "attention", "mlp")


@dataclass(frozen=True, slots=True)
class LayerTimes:
    """Milliseconds of prefill per token.

    Attributes:
        linear, attention: the linear layers and the full-attention layers, projections included.
        mlp: the feed-forward layers.
        rest: norms and residuals between them, embedding, head, and the engine around the model.
    """

    linear_ms: float
    attention_ms: float
    mlp_ms: float
    rest_ms: float


@dataclass(slots=True)
class Stopwatch:
    """Seconds by kind of layer."""

    taken: dict[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 0.0))

    def timed(self, kind: str, call: Callable[[Tensor, RunContext], Result]) -> Timing[Result]:
        """The call, its time added to a kind."""

        def run(x: Tensor, context: RunContext) -> Result:
            out: list[Result] = []
            self.taken[kind] += device_seconds(lambda: out.append(call(x, context)), x.device)
            return out[0]

        return run


class Timed:
    """A wrapper that adds the time of a layer's calls to a stopwatch."""

    def __init__(self, layer: Layer, kind: str, watch: Stopwatch) -> None:
        self._layer, self._kind, self._watch = layer, kind, watch

    def forward(self, x: Tensor, run: RunContext) -> Tensor:
        return self._watch.timed(self._kind, self._layer.forward)(x, run)

    def step(self, x: Tensor, run: RunContext) -> Tensor:
        return self._watch.timed(self._kind, self._layer.step)(x, run)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layer, name)


@contextmanager
def timed_layers(model: HybridModel) -> Iterator[Stopwatch]:
    """Wrap every layer of `model` until the end of the block."""
    watch = Stopwatch()
    plain = [
        (block, block.mixer, block._whole_mixer, block.mlp, block._whole_mlp)
        for block in model.blocks
    ]
    try:
        for (block, mixer, whole_mixer, mlp, whole_mlp), layer in zip(
            plain, model.config.layer_types, strict=True
        ):
            kind = "attention" if layer == FULL else "linear"
            block.mixer = Timed(mixer, kind, watch)  # type: ignore[assignment]
            block._whole_mixer = whole_mixer and watch.timed(kind, whole_mixer)
            block.mlp = Timed(mlp, "mlp", watch)  # type: ignore[assignment]
            block._whole_mlp = whole_mlp and watch.timed("mlp", whole_mlp)
        yield watch
    finally:
        for block, mixer, whole_mixer, mlp, whole_mlp in plain:
            block.mixer, block._whole_mixer = mixer, whole_mixer
            block.mlp, block._whole_mlp = mlp, whole_mlp


def prefill_times(core: Core, ids: tuple[int, ...]) -> LayerTimes:
    """Run a prompt without the cache and time every layer."""
    with timed_layers(core.model) as watch:
        whole = device_seconds(lambda: core.logits(ids, False, PromptOptions()), core.model.device)
    each = {kind: 1e3 * taken / len(ids) for kind, taken in watch.taken.items()}
    rest = 1e3 * whole / len(ids) - sum(each.values())
    return LayerTimes(each["linear"], each["attention"], each["mlp"], rest)


@dataclass(frozen=True, slots=True)
class PrefillAsk:
    """What to measure: prompt lengths, as medians of `repeats` runs, and one warm turn."""

    lengths: tuple[int, ...]
    repeats: int
    warm_context: int
    new_tokens: int = NEW_TOKENS


@dataclass(frozen=True, slots=True)
class PrefillRow:
    """One length.

    Attributes:
        seconds: median time until the last token's logits.
        floor_s: time of its matrix products at the measured rate.
        ratio: floor_s / seconds, the share of the floor's speed that was reached.
    """

    tokens: int
    seconds: float
    tok_s: float
    floor_s: float
    floor_tok_s: float
    ratio: float
    layers: LayerTimes


@dataclass(frozen=True, slots=True)
class WarmTurn:
    """New tokens after a cached context.

    Attributes:
        context: tokens before them; reused, replayed, computed: of the whole prompt.
        first_token_s: median time until the logits that the first token is sampled from.
        floor_s: time of the new tokens' products, plus one step that reads all weights.
    """

    context: int
    new: int
    reused: int
    replayed: int
    computed: int
    first_token_s: float
    floor_s: float
    ratio: float


@dataclass(frozen=True, slots=True)
class EngineMemory:
    """Resident bytes of the process, and the bytes that the engine accounts for.

    Attributes:
        loading_rss, running_rss: peak while the model was loading, and from then on.
        peaks_start_over: False if the system only knows the peak over the process's whole life,
            which both figures then give.
    """

    loading_rss: int
    running_rss: int
    peaks_start_over: bool
    weights: int
    kv_plane: int
    state_plane: int


@dataclass(frozen=True, slots=True)
class FormatPrefill:
    """The results of one format of the weights; its floors are based on `gemm_flop_s`."""

    weights: str
    kernels: str
    gemm_flop_s: float
    work: Work
    rows: tuple[PrefillRow, ...]
    warm_turn: WarmTurn
    memory: EngineMemory


@dataclass(frozen=True, slots=True)
class PrefillReport:
    """All results; the other engines ran on the same threads, after ours."""

    machine: str
    model: str
    dtype: str
    rates: MachineRates
    formats: tuple[FormatPrefill, ...]
    peers: tuple[Peer, ...]


def bench_prefill(
    folder: Path,
    config: EngineConfig,
    formats: Sequence[WeightFormat],
    progress: Progress,
    ask: PrefillAsk,
    *,
    effort: Effort | None = None,
    peers: bool = True,
    ggufs: Sequence[Path] = (),
) -> PrefillReport:
    """Measure on any model folder, in each of `formats`.

    ggufs: files for llama.cpp. Raises ModelError, CacheError or PromptError.
    """
    found, rates = between_rates(
        lambda: [_measured(folder, replace(config, weights=one), progress, ask) for one in formats],
        config,
        effort,
        progress,
    )
    info = found[0].info
    asked = PeerAsk(all_threads(config.threads), prompts=ask.lengths, repeats=ask.repeats)
    return PrefillReport(
        machine=found[0].machine,
        model=info.name,
        dtype=info.dtype,
        rates=rates,
        formats=tuple(each.compared(rates) for each in found),
        peers=measure_peers(folder, info.dtype, ggufs, asked, progress) if peers else (),
    )


def _measured(
    folder: Path, config: EngineConfig, progress: Progress, ask: PrefillAsk
) -> Measured[FormatPrefill]:
    forget_peak()
    with Engine.open(folder, config) as engine:
        loading, peaks = peak_bytes(), forget_peak()
        work = engine.on_core(lambda core: work_of(core.model))
        warm_up(engine)
        timed = []
        for tokens in ask.lengths:
            progress(
                f"{config.weights}: running a prompt of {tokens:,} tokens, {ask.repeats} times"
            )
            timed.append(timed_prompt(engine, tokens, ask.repeats))
        progress(
            f"{config.weights}: running {ask.new_tokens} new tokens after {ask.warm_context:,} in "
            "the cache"
        )
        turn_s, plan = timed_turn(engine, ask)
        info, where = engine.model, machine_line(engine)
        memory = engine_memory(engine, loading, peaks)

    def compared(rates: MachineRates) -> FormatPrefill:
        flop_s = gemm_rate(rates, info.dtype, config.weights)
        floor_s = work.prefill_s(ask.new_tokens, flop_s) + work.decode_s(rates.read_bytes_s)
        return FormatPrefill(
            weights=config.weights,
            kernels=info.kernels,
            gemm_flop_s=flop_s,
            work=work,
            rows=tuple(
                prefill_row(tokens, taken, work.prefill_s(tokens, flop_s), layers)
                for tokens, (taken, layers) in zip(ask.lengths, timed, strict=True)
            ),
            warm_turn=WarmTurn(
                context=ask.warm_context,
                new=ask.new_tokens,
                reused=plan.reused,
                replayed=plan.replayed,
                computed=plan.computed,
                first_token_s=turn_s,
                floor_s=floor_s,
                ratio=floor_s / turn_s,
            ),
            memory=memory,
        )

    return Measured(info, where, compared)


def timed_prompt(engine: Engine, tokens: int, repeats: int) -> tuple[float, LayerTimes]:
    """Median seconds of a prompt of `tokens` tokens, and its layers' times in one more run."""
    ids = token_ids(tokens, tokens, engine.model.vocab_size)
    taken = median(lambda: first_logits(engine, ids, reuse=False)[0], repeats)
    return taken, engine.on_core(lambda core: prefill_times(core, ids))


def timed_turn(engine: Engine, ask: PrefillAsk) -> tuple[float, ReusePlan]:
    """Put a context into the cache, then time prompts that continue it, each differently."""
    vocab = engine.model.vocab_size
    context = token_ids(1, ask.warm_context, vocab)
    engine.logits(context)
    runs = [
        first_logits(engine, context + token_ids(2 + n, ask.new_tokens, vocab), reuse=True)
        for n in range(ask.repeats)
    ]
    return statistics.median(run[0] for run in runs), runs[-1][1]


def prefill_row(tokens: int, taken: float, floor: float, layers: LayerTimes) -> PrefillRow:
    """A measured time compared with its floor, both in seconds."""
    return PrefillRow(
        tokens=tokens,
        seconds=taken,
        tok_s=tokens / taken,
        floor_s=floor,
        floor_tok_s=tokens / floor,
        ratio=floor / taken,
        layers=layers,
    )


def engine_memory(engine: Engine, loading: int, peaks_start_over: bool) -> EngineMemory:
    held = engine.snapshot().memory
    return EngineMemory(
        loading_rss=loading,
        running_rss=peak_bytes(),
        peaks_start_over=peaks_start_over,
        weights=held.weights,
        kv_plane=held.kv_plane,
        state_plane=held.state_plane,
    )


def measure_peers(
    folder: Path, dtype: str, ggufs: Sequence[Path], ask: PeerAsk, progress: Progress
) -> tuple[Peer, ...]:
    progress("measuring transformers and llama.cpp, if they are installed")
    return all_peers(folder, dtype, ggufs, ask)
