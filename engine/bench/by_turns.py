"""Speed compared with llama.cpp's, in alternation: ours, theirs, ours, theirs, …

On a shared machine, memory may be half as fast in one minute as in the next. Measuring one engine
after the other mostly measures that; alternating runs see the same conditions.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from engine.api import Engine
from engine.bench.comparison import llama_peer
from engine.bench.harness import Progress
from engine.bench.machine import all_threads, machine_line
from engine.bench.peer_report import PeerAsk
from engine.bench.timed import decode_rate, first_logits, token_ids, warm_up
from engine.config import EngineConfig, WeightFormat
from engine.errors import BiplaneError


@dataclass(frozen=True, slots=True)
class Turns:
    """One model of ours and one length; speeds in tokens per second, turn by turn.

    Attributes:
        weights: our format, or the file that both opened.
        context: tokens before an answer, or of the prompt.
        prompt: whether reading a prompt was measured instead of an answer.
        model: what the peer ran.
        reason: why it did not run, in one sentence; "" if it did.
    """

    weights: str
    context: int
    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    model: str = ""
    reason: str = ""
    prompt: bool = False

    @property
    def medians(self) -> tuple[float, float]:
        """Ours and theirs."""
        return statistics.median(self.ours), statistics.median(self.theirs)


@dataclass(frozen=True, slots=True)
class SameFiles:
    """Both engines on the same GGUF files."""

    machine: str
    kernels: str
    turns: tuple[Turns, ...]


def same_files(
    ggufs: Sequence[Path], config: EngineConfig, progress: Progress, ask: PeerAsk, turns: int
) -> SameFiles:
    """Measure both engines on each of `ggufs`; ask: its prompts and contexts, as in `by_turns`.

    Raises ModelError, CacheError or PromptError.
    """
    found: list[Turns] = []
    machine = kernels = ""
    ask = replace(ask, threads=all_threads(config.threads))
    for gguf in ggufs:
        with Engine.open(gguf, replace(config, drafts="off")) as engine:
            machine, kernels = machine_line(engine), engine.model.kernels
            found += _both(engine, gguf.name, gguf, progress, ask, turns)
    return SameFiles(machine, kernels, tuple(found))


def by_turns(
    folder: Path,
    config: EngineConfig,
    pairs: Sequence[tuple[WeightFormat, Path]],
    progress: Progress,
    ask: PeerAsk,
    turns: int,
) -> tuple[Turns, ...]:
    """Measure each of our formats against a GGUF file, `turns` answers each after every context.

    ask: the contexts, the threads and the tokens of an answer. Raises ModelError, CacheError or
    PromptError.
    """
    found: list[Turns] = []
    for weights, gguf in pairs:
        with Engine.open(folder, replace(config, weights=weights, drafts="off")) as engine:
            found += _both(engine, weights, gguf, progress, ask, turns)
    return tuple(found)


def _both(
    engine: Engine, name: str, gguf: Path, progress: Progress, ask: PeerAsk, turns: int
) -> Iterable[Turns]:
    warm_up(engine)
    for tokens in ask.prompts:
        progress(f"{name}: {turns} turns with {gguf.name} on a prompt of {tokens:,}")
        one = replace(ask, prompts=(tokens,), contexts=(), repeats=1)
        yield _turns(engine, Turns(name, tokens, (), (), prompt=True), gguf, one, turns)
    for context in ask.contexts:
        progress(f"{name}: {turns} turns with {gguf.name} after {context:,}")
        one = replace(ask, prompts=(), contexts=(context,), repeats=1)
        yield _turns(engine, Turns(name, context, (), ()), gguf, one, turns)


def _turns(engine: Engine, found: Turns, gguf: Path, ask: PeerAsk, turns: int) -> Turns:
    ids = token_ids(found.context, found.context, engine.model.vocab_size)
    measure = partial(_prompt_rate if found.prompt else _answer_rate, engine, ids, ask)
    for _ in range(turns):
        found = replace(found, ours=(*found.ours, measure()))
        peer = llama_peer(gguf, ask)
        if peer.reason:
            return replace(found, reason=peer.reason)
        speed = peer.prefill[0].one_pass_tok_s if found.prompt else peer.decode[0].tok_s
        assert speed, "llama-bench measures a prompt in one pass"
        found = replace(found, theirs=(*found.theirs, speed), model=peer.model)
    return found


def _answer_rate(engine: Engine, ids: tuple[int, ...], ask: PeerAsk) -> float:
    return decode_rate(engine, ids, ask.new, 1)


def _prompt_rate(engine: Engine, ids: tuple[int, ...], ask: PeerAsk) -> float:
    return len(ids) / first_logits(engine, ids, reuse=False)[0]


def paired(
    formats: Sequence[WeightFormat], ggufs: Sequence[Path]
) -> tuple[tuple[WeightFormat, Path], ...]:
    """Each format with its counterpart file. Raises BiplaneError if their numbers differ."""
    if len(formats) != len(ggufs):
        raise BiplaneError(
            f"Turns need a GGUF file for each format ({', '.join(formats)}), in this order: "
            f"{len(ggufs)} were given."
        )
    return tuple(zip(formats, ggufs, strict=True))
