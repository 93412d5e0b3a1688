"""`biplane bench decode`: decode speed, compared with the time it takes to read the weights.

Every decoded token must read every weight once. Other costs are measured separately: a model with
as many layers and hardly any weights shows the operator overhead, and copies of a state show the
cost of a fork and of a restore.
"""

from __future__ import annotations

import statistics
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from engine.api import Engine
from engine.bench.floors import Work, work_of
from engine.bench.machine import Effort, MachineRates, all_threads, faster, measure_machine, seconds
from engine.bench.peak_memory import forget_peak, peak_bytes
from engine.bench.peer_report import Peer, PeerAsk
from engine.bench.prefill import EngineMemory, engine_memory, measure_peers
from engine.bench.progress import Progress
from engine.bench.random_model import random_model
from engine.bench.timed import decode_rate, token_ids, warm_up
from engine.bench.turns import machine
from engine.config import EngineConfig
from engine.model.config import ModelConfig
from engine.model.random_checkpoint import QWEN35_0_8B
from engine.planes import LIVE_SLOT
from engine.run.core import Core
from engine.run.describe import pick_device

CONTEXTS = (500, 5000)
ANSWER_TOKENS = 32
# Enough states besides the live one that a copy reads its source from memory, not from a cache.
COPIED_STATES = 16
COPY_ROUNDS = 3
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
    """What to measure: tokens per second after each context, as medians of `repeats` answers."""

    contexts: tuple[int, ...] = CONTEXTS
    tokens: int = ANSWER_TOKENS
    repeats: int = 3


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
class StateCopies:
    """Copies of one state slot; rates count bytes read plus bytes written.

    Attributes:
        restore: checkpoint to live slot; fork: live slot to checkpoint.
        of_copy_rate: the slower rate of the two as a share of a large copy's.
    """

    slot_bytes: int
    restore_s: float
    restore_bytes_s: float
    fork_s: float
    fork_bytes_s: float
    of_copy_rate: float


@dataclass(frozen=True, slots=True)
class DecodeReport:
    """All results; `operator_share` is based on `tiny_step_s`."""

    machine: str
    model: str
    dtype: str
    weights: str
    rates: MachineRates
    work: Work
    rows: tuple[DecodeRow, ...]
    tiny_step_s: float
    copies: StateCopies
    memory: EngineMemory
    peers: tuple[Peer, ...]


def bench_decode(
    folder: Path,
    config: EngineConfig,
    progress: Progress,
    ask: DecodeAsk,
    *,
    effort: Effort | None = None,
    peers: bool = True,
    gguf: Path | None = None,
) -> DecodeReport:
    """Measure on any model folder. Raises ModelError, CacheError or PromptError."""
    progress("measuring how fast this machine reads, copies and multiplies")
    threads, device = all_threads(config.threads), pick_device(config.device)
    rates = measure_machine(device, threads, effort)
    forget_peak()
    with Engine.open(folder, config) as engine:
        loading, peaks = peak_bytes(), forget_peak()
        model, where = engine.model, machine(engine)
        work = engine.on_core(lambda core: work_of(core.model))
        sizes = engine.on_core(lambda core: core.model.config)
        warm_up(engine)
        speeds = []
        for context in ask.contexts:
            progress(f"decoding {ask.tokens} tokens after {context:,}, {ask.repeats} times")
            ids = token_ids(context, context, model.vocab_size)
            speeds.append(decode_rate(engine, ids, ask.tokens, ask.repeats))
        progress("forking and restoring a state")
        slot_bytes, restore_s, fork_s = engine.on_core(state_copies)
        memory = engine_memory(engine, loading, peaks)
    progress(f"decoding with {len(sizes.layer_types)} layers and hardly any weights")
    tiny = tiny_step_s(sizes, config, model.dtype, ask, threads)
    progress("measuring the machine's rates again")
    rates = faster(rates, measure_machine(device, threads, effort))
    rows = [
        decode_row(context, speed, work, rates.read_bytes_s, tiny)
        for context, speed in zip(ask.contexts, speeds, strict=True)
    ]
    return DecodeReport(
        machine=where,
        model=model.name,
        dtype=model.dtype,
        weights=config.weights,
        rates=rates,
        work=work,
        rows=tuple(rows),
        tiny_step_s=tiny,
        copies=copies_of(slot_bytes, restore_s, fork_s, rates.copy_bytes_s),
        memory=memory,
        peers=measure_peers(
            folder,
            model.dtype,
            gguf,
            PeerAsk(threads, contexts=ask.contexts, new=ask.tokens, repeats=ask.repeats),
            progress,
        )
        if peers
        else (),
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


def state_copies(core: Core) -> tuple[int, float, float]:
    """Bytes of a slot, and median seconds of a restore and of a fork.

    Measured on a separate state plane, so that no cached state is touched.
    """
    model = core.model
    states = model.make_state_plane(1 + COPIED_STATES)
    slots = range(1, 1 + COPIED_STATES)
    for slot in slots:
        # Pages that were never written would all be read from a single page of zeros.
        states.copy(LIVE_SLOT, slot)
    restores, forks = [], []
    for _ in range(COPY_ROUNDS):
        restores += [seconds(partial(states.copy, s, LIVE_SLOT), model.device) for s in slots]
        forks += [seconds(partial(states.copy, LIVE_SLOT, s), model.device) for s in slots]
    return states.slot_bytes, statistics.median(restores), statistics.median(forks)


def copies_of(slot_bytes: int, restore_s: float, fork_s: float, copy_bytes_s: float) -> StateCopies:
    """The copies' times compared with the machine's copy rate."""
    moved = 2 * slot_bytes
    return StateCopies(
        slot_bytes=slot_bytes,
        restore_s=restore_s,
        restore_bytes_s=moved / restore_s,
        fork_s=fork_s,
        fork_bytes_s=moved / fork_s,
        of_copy_rate=moved / max(restore_s, fork_s) / copy_bytes_s,
    )
