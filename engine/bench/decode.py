"""`biplane bench decode`: decode speed, compared with the time it takes to read the weights.

Every decoded token must read every weight once. Other costs are measured separately: a model with
as many layers and hardly any weights shows the operator overhead, and copies of a state show the
cost of a fork and of a restore.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.api import Engine
from engine.bench.by_turns import Turns, by_turns, paired
from engine.bench.floors import Work, work_of
from engine.bench.machine import Effort, MachineRates, all_threads, between_rates
from engine.bench.peak_memory import forget_peak, peak_bytes
from engine.bench.peer_report import Peer, PeerAsk
from engine.bench.prefill import EngineMemory, engine_memory, measure_peers
from engine.bench.progress import Progress
from engine.bench.random_model import random_model
from engine.bench.rows import RowsRow, rows_after
from engine.bench.second_start import Start, second_start
from engine.bench.state_copies import StateCopies, copies_of, state_copies
from engine.bench.timed import decode_rate, token_ids, warm_up
from engine.bench.turns import machine
from engine.config import EngineConfig, WeightFormat
from engine.events import ModelInfo
from engine.model.config import ModelConfig
from engine.model.random_checkpoint import QWEN35_0_8B

CONTEXTS = (500, 5000, 32_000)
ANSWER_TOKENS = 32
# Everything but the layers: small enough that a step moves almost no memory.
TINY: dict[str, Any] = {
    "vocab_size": 512,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 32,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 2,
    "linear_key_head_dim": 32,
    "linear_value_head_dim": 32,
    "max_position_embeddings": 4096,
    "eos_token_id": 2,
}
# Enough experts for any model's number of experts per token.
TINY_EXPERTS: dict[str, Any] = {
    "model_type": "qwen3_5_moe_text",
    "num_experts": 64,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 32,
}
TINY_CACHE = 64 << 20


@dataclass(frozen=True, slots=True)
class DecodeAsk:
    """What to measure: tokens per second after each context, as medians of `repeats` answers.

    Attributes:
        turns: answers by turns with llama.cpp, see `by_turns`; 0 for none.
    """

    contexts: tuple[int, ...] = CONTEXTS
    tokens: int = ANSWER_TOKENS
    repeats: int = 3
    turns: int = 0


@dataclass(frozen=True, slots=True)
class DecodeRow:
    """One context.

    Attributes:
        floor_tok_s: if each token only reads the weights once, at the measured rate.
        ratio: tok_s / floor_tok_s.
        floor_all_tok_s: if it also reads and writes the states, and reads the context's keys and
            values.
        operator_share: upper bound on the share of a step that is not memory traffic: the time of
            a step of a model with as many layers and tiny sizes, divided by this one's.
    """

    context: int
    tok_s: float
    step_s: float
    floor_tok_s: float
    ratio: float
    floor_all_tok_s: float
    operator_share: float


@dataclass(frozen=True, slots=True)
class FormatDecode:
    """The results of one format of the weights.

    Attributes:
        passes: a few rows at once, compared with one.
        tiny_step_s: see `tiny_step_s`; `operator_share` is based on it.
        start: of a process that is not the first to use the model.
    """

    weights: str
    kernels: str
    work: Work
    rows: tuple[DecodeRow, ...]
    passes: tuple[RowsRow, ...]
    tiny_step_s: float
    copies: StateCopies
    memory: EngineMemory
    start: Start


@dataclass(frozen=True, slots=True)
class DecodeReport:
    """All results; the other engines ran on the same threads, after ours or by turns with it."""

    machine: str
    model: str
    dtype: str
    rates: MachineRates
    formats: tuple[FormatDecode, ...]
    peers: tuple[Peer, ...]
    turns: tuple[Turns, ...]


@dataclass(frozen=True, slots=True)
class _Measured:
    """One format before it is compared with the machine's rates; `copies`: see `state_copies`."""

    info: ModelInfo
    machine: str
    work: Work
    speeds: tuple[float, ...]
    passes: tuple[RowsRow, ...]
    copies: tuple[int, float, float]
    memory: EngineMemory
    start: Start
    tiny_s: float


def bench_decode(
    folder: Path,
    config: EngineConfig,
    formats: Sequence[WeightFormat],
    progress: Progress,
    ask: DecodeAsk,
    *,
    effort: Effort | None = None,
    peers: bool = True,
    ggufs: Sequence[Path] = (),
) -> DecodeReport:
    """Measure on any model folder, in each of `formats`.

    ggufs: files for llama.cpp. Raises ModelError, CacheError or PromptError, and BiplaneError where
    turns are asked for and the files are not one for each format.
    """
    pairs = paired(formats, ggufs) if ask.turns else ()

    def run() -> list[_Measured]:
        each = (replace(config, weights=weights) for weights in formats)
        return [_measured(folder, one, progress, ask) for one in each]

    found, rates = between_rates(run, config, effort, progress)
    info = found[0].info
    asked = PeerAsk(
        all_threads(config.threads), contexts=ask.contexts, new=ask.tokens, repeats=ask.repeats
    )
    return DecodeReport(
        machine=found[0].machine,
        model=info.name,
        dtype=info.dtype,
        rates=rates,
        formats=tuple(
            _of_format(weights, each, rates, ask)
            for weights, each in zip(formats, found, strict=True)
        ),
        peers=measure_peers(folder, info.dtype, ggufs, asked, progress) if peers else (),
        turns=by_turns(folder, config, pairs, progress, asked, ask.turns),
    )


def _measured(folder: Path, config: EngineConfig, progress: Progress, ask: DecodeAsk) -> _Measured:
    forget_peak()
    weights = config.weights
    with Engine.open(folder, config) as engine:
        loading, peaks = peak_bytes(), forget_peak()
        info, where = engine.model, machine(engine)
        work = engine.on_core(lambda core: work_of(core.model))
        sizes = engine.on_core(lambda core: core.model.config)
        warm_up(engine)
        speeds = []
        for context in ask.contexts:
            progress(
                f"{weights}: decoding {ask.tokens} tokens after {context:,}, {ask.repeats} times"
            )
            ids = token_ids(context, context, info.vocab_size)
            speeds.append(decode_rate(engine, ids, ask.tokens, ask.repeats))
        progress(f"{weights}: running a few rows at once")
        engine.drop_cache()
        passes = engine.on_core(lambda core: rows_after(core, min(ask.contexts)))
        progress(f"{weights}: forking and restoring a state")
        copies = engine.on_core(state_copies)
        memory = engine_memory(engine, loading, peaks)
    progress(f"{weights}: starting again")
    start = second_start(folder, config, ask.repeats)
    progress(f"{weights}: decoding with {len(sizes.layer_types)} layers and hardly any weights")
    tiny = tiny_step_s(sizes, config, info.dtype, ask, all_threads(config.threads))
    return _Measured(info, where, work, tuple(speeds), passes, copies, memory, start, tiny)


def _of_format(weights: str, found: _Measured, rates: MachineRates, ask: DecodeAsk) -> FormatDecode:
    return FormatDecode(
        weights=weights,
        kernels=found.info.kernels,
        work=found.work,
        rows=tuple(
            decode_row(context, speed, found.work, rates.read_bytes_s, found.tiny_s)
            for context, speed in zip(ask.contexts, found.speeds, strict=True)
        ),
        passes=found.passes,
        tiny_step_s=found.tiny_s,
        copies=copies_of(*found.copies, rates.copy_bytes_s),
        memory=found.memory,
        start=found.start,
    )


def decode_row(
    context: int, tok_s: float, work: Work, read_bytes_s: float, tiny_s: float
) -> DecodeRow:
    """A measured speed compared with its floors."""
    floor = 1 / work.decode_s(read_bytes_s)
    return DecodeRow(
        context=context,
        tok_s=tok_s,
        step_s=1 / tok_s,
        floor_tok_s=floor,
        ratio=tok_s / floor,
        floor_all_tok_s=1 / work.decode_all_s(context, read_bytes_s),
        operator_share=tiny_s * tok_s,
    )


def tiny_step_s(
    sizes: ModelConfig, config: EngineConfig, dtype: str, ask: DecodeAsk, threads: int
) -> float:
    """Seconds per decoded token when there is almost nothing to read.

    Weights stay as stored: quantising so few bytes would not lower an operator's own cost. The
    cost of sampling from a large vocabulary is not included.
    """
    shape = QWEN35_0_8B | TINY
    shape |= {"num_hidden_layers": len(sizes.layer_types), "layer_types": list(sizes.layer_types)}
    if sizes.experts is not None:
        shape |= TINY_EXPERTS | {"num_experts_per_tok": sizes.experts.per_token}
    plain = EngineConfig(device=config.device, dtype=dtype, cache_bytes=TINY_CACHE, threads=threads)
    with tempfile.TemporaryDirectory() as folder:
        model = random_model(Path(folder) / "tiny", shape, dtype=dtype)
        with Engine.open(model, plain) as engine:
            warm_up(engine)
            ids = token_ids(1, 64, int(shape["vocab_size"]))
            return 1 / decode_rate(engine, ids, ask.tokens, ask.repeats)
