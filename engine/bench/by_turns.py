"""Decode speed compared with llama.cpp's, in alternation: ours, theirs, ours, theirs, …

On a shared machine, memory may be half as fast in one minute as in the next. Measuring one engine
after the other mostly measures that; alternating answers see the same conditions.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.api import Engine
from engine.bench.comparison import llama_peer
from engine.bench.harness import Progress
from engine.bench.peer_report import PeerAsk
from engine.bench.timed import decode_rate, token_ids, warm_up
from engine.config import EngineConfig, WeightFormat
from engine.errors import BiplaneError


@dataclass(frozen=True, slots=True)
class Turns:
    """One format and context; speeds in tokens per second, turn by turn.

    Attributes:
        model: what the peer ran.
        reason: why it did not run, in one sentence; "" if it did.
    """

    weights: str
    context: int
    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    model: str = ""
    reason: str = ""

    @property
    def medians(self) -> tuple[float, float]:
        """Ours and theirs."""
        return statistics.median(self.ours), statistics.median(self.theirs)


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
            warm_up(engine)
            for context in ask.contexts:
                progress(f"{weights}: {turns} turns with {gguf.name} after {context:,}")
                one = replace(ask, contexts=(context,), repeats=1)
                found.append(_turns(engine, weights, gguf, one, turns))
    return tuple(found)


def _turns(engine: Engine, weights: str, gguf: Path, ask: PeerAsk, turns: int) -> Turns:
    (context,) = ask.contexts
    ids = token_ids(context, context, engine.model.vocab_size)
    ours, theirs, model = [], [], ""
    for _ in range(turns):
        ours.append(decode_rate(engine, ids, ask.new, 1))
        peer = llama_peer(gguf, ask)
        if peer.reason:
            return Turns(weights, context, tuple(ours), (), reason=peer.reason)
        theirs.append(peer.decode[0].tok_s)
        model = peer.model
    return Turns(weights, context, tuple(ours), tuple(theirs), model)


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
