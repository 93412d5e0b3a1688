"""`biplane bench decode`: decode speed, compared with the time it takes to read the weights.

Every decoded token must read every weight once. Other costs are measured separately: a model with
as many layers and hardly any weights shows the operator overhead, and copies of a state show the
cost of a fork and of a restore.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from engine.api import Engine
from engine.bench.by_turns import Turns, by_turns, paired
from engine.bench.floors import Work, work_of
from engine.bench.harness import Progress, rounds, run_process
from engine.bench.machine import (
    Effort,
    MachineRates,
    Measured,
    all_threads,
    between_rates,
    device_seconds,
    machine_line,
)
from engine.bench.peer_report import Peer, PeerAsk
from engine.bench.prefill import EngineMemory, engine_memory, measure_peers
from engine.bench.random_model import random_model
from engine.bench.timed import decode_rate, forget_peak, peak_bytes, token_ids, warm_up
from engine.config import EngineConfig, WeightFormat
from engine.errors import ModelError
from engine.model.config import ModelConfig
from engine.model.family import QWEN35_0_8B
from engine.model.hybrid import Logits
from engine.planes import LIVE_SLOT
from engine.run.core import Core

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
ROWS = (1, 2, 4, 8)
ROUNDS = 9
PROBE = "engine.bench.start_probe"
# Enough states besides the live one that a copy reads its source from memory, not from a cache.
COPIED_STATES = 16
COPY_ROUNDS = 3


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
    copies = [(slot, LIVE_SLOT) for slot in slots] + [(LIVE_SLOT, slot) for slot in slots]
    calls = [partial(device_seconds, partial(states.copy, *each), model.device) for each in copies]
    taken = rounds(calls, COPY_ROUNDS)
    restores, forks = (chain(*part) for part in (taken[:COPIED_STATES], taken[COPIED_STATES:]))
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


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds from the start of the process, one after the other.

    Attributes:
        import_s: until the engine's modules, torch included, are imported.
        open_s: from then until the model is open.
        first_token_s: from then until the first token of an answer to a short prompt.
        whole_s: all three.
    """

    import_s: float
    open_s: float
    first_token_s: float
    whole_s: float


def second_start(folder: Path, config: EngineConfig, repeats: int) -> Start:
    """The median start on a model that `config` was used on before. Raises ModelError."""
    starts = [one_start(folder, config) for _ in range(repeats)]
    return sorted(starts, key=lambda start: start.whole_s)[len(starts) // 2]


def one_start(folder: Path, config: EngineConfig) -> Start:
    """Start one process and wait until it has ended. Raises ModelError."""
    fields = {
        "device": config.device,
        "dtype": config.dtype,
        "weights": config.weights,
        "threads": config.threads,
        "cache_bytes": config.cache_bytes,
        "cache_dir": config.cache_dir and str(config.cache_dir),
    }
    command = [sys.executable, "-m", PROBE, str(folder), "--config", json.dumps(fields)]
    began = time.time()
    done = run_process(command)
    if done.code:
        raise ModelError(f"A start of the engine failed: {done.last_error or 'no error output'}")
    times = json.loads(done.output.splitlines()[-1])
    imported, opened, answered = times["imported"], times["opened"], times["answered"]
    return Start(imported - began, opened - imported, answered - opened, answered - began)


@dataclass(frozen=True, slots=True)
class RowsRow:
    """A pass of `rows` tokens after a context, logits of all of them included.

    Attributes:
        seconds: median of the passes.
        of_one: seconds / those of a pass with a single row.
    """

    context: int
    rows: int
    seconds: float
    of_one: float


def rows_after(core: Core, context: int) -> tuple[RowsRow, ...]:
    """Measure on private planes, so that no cached state is touched.

    All row counts in each round, so that a slow moment of the machine affects them alike.
    """
    model = core.model
    ids = torch.tensor(token_ids(context, context + max(ROWS), model.config.vocab_size))
    kv, states = model.make_kv_plane(len(ids)), model.make_state_plane(1)

    def run(first: int, last: int, logits: Logits) -> Tensor | None:
        return model.forward(
            ids[first:last], first, kv, [(0, last)], states, 0, write_from=first, logits=logits
        )

    run(0, context, "none")
    calls = {n: partial(run, context, context + n, "last" if n == 1 else "all") for n in ROWS}
    for call in calls.values():
        call()
    timed = [partial(device_seconds, call, model.device) for call in calls.values()]
    medians = dict(zip(ROWS, map(statistics.median, rounds(timed, ROUNDS)), strict=True))
    return tuple(RowsRow(context, n, took, took / medians[1]) for n, took in medians.items())


@dataclass(frozen=True, slots=True)
class DecodeAsk:
    """What to measure: tokens per second after each context, as medians of `repeats` answers.

    Attributes:
        turns: answers in alternation with llama.cpp, see `by_turns`; 0 for none.
    """

    contexts: tuple[int, ...]
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
    """All results; the other engines ran on the same threads, after ours or alternating with it."""

    machine: str
    model: str
    dtype: str
    rates: MachineRates
    formats: tuple[FormatDecode, ...]
    peers: tuple[Peer, ...]
    turns: tuple[Turns, ...]


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

    ggufs: files for llama.cpp. Raises ModelError, CacheError or PromptError, and BiplaneError if
    turns are requested and there is not one file per format.
    """
    pairs = paired(formats, ggufs) if ask.turns else ()
    found, rates = between_rates(
        lambda: [_measured(folder, replace(config, weights=one), progress, ask) for one in formats],
        config,
        effort,
        progress,
    )
    info = found[0].info
    asked = PeerAsk(
        all_threads(config.threads), contexts=ask.contexts, new=ask.tokens, repeats=ask.repeats
    )
    return DecodeReport(
        machine=found[0].machine,
        model=info.name,
        dtype=info.dtype,
        rates=rates,
        formats=tuple(each.compared(rates) for each in found),
        peers=measure_peers(folder, info.dtype, ggufs, asked, progress) if peers else (),
        turns=by_turns(folder, config, pairs, progress, asked, ask.turns),
    )


def _measured(
    folder: Path, config: EngineConfig, progress: Progress, ask: DecodeAsk
) -> Measured[FormatDecode]:
    forget_peak()
    weights = config.weights
    with Engine.open(folder, replace(config, drafts="off")) as engine:
        loading, peaks = peak_bytes(), forget_peak()
        info, where = engine.model, machine_line(engine)
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

    def compared(rates: MachineRates) -> FormatDecode:
        return FormatDecode(
            weights=weights,
            kernels=info.kernels,
            work=work,
            rows=tuple(
                decode_row(context, speed, work, rates.read_bytes_s, tiny)
                for context, speed in zip(ask.contexts, speeds, strict=True)
            ),
            passes=passes,
            tiny_step_s=tiny,
            copies=copies_of(*copies, rates.copy_bytes_s),
            memory=memory,
            start=start,
        )

    return Measured(info, where, compared)


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
    plain = EngineConfig(
        device=config.device, dtype=dtype, cache_bytes=TINY_CACHE, threads=threads, drafts="off"
    )
    with tempfile.TemporaryDirectory() as folder:
        model = random_model(Path(folder) / "tiny", shape, dtype=dtype)
        with Engine.open(model, plain) as engine:
            warm_up(engine)
            ids = token_ids(1, 64, int(shape["vocab_size"]))
            return 1 / decode_rate(engine, ids, ask.tokens, ask.repeats)
