"""`biplane bench drafts`: what drafts gain on texts that repeat, and cost on texts that do not.

The answers are given, token by token, in place of what a model would choose: a model with random
weights writes nothing that repeats as people and agents do. All else is the engine's own: the
prompt is read, drafts come from the tree and the text, and every pass is the whole model's. Only
"written again" is sampled. With drafts and without run by turns, on one engine.
"""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor

import engine
from engine.api import Engine
from engine.bench.harness import Progress, fastest, milliseconds, rounds
from engine.bench.llama_server import llama_server, write
from engine.bench.machine import machine_line
from engine.bench.timed import FIRST_WORD, exactly, token_ids, warm_up
from engine.config import DraftSources, EngineConfig, Sampling
from engine.message import PromptOptions
from engine.model.draft_head import DraftHead
from engine.model.layer import RunContext
from engine.run.core import Core
from engine.run.decode import AnswerStream, Decoded, Limits, decode
from engine.run.prepared import prefill
from engine.run.sampler import Sampler
from engine.run.sequence import GROWTH_TOKENS
from engine.run.turns import finish

# Of a token of code, as people write it: a name, a number, spaces, or a sign.
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
# A source file of several thousand tokens.
_FILE = Path(engine.__file__).parent / "run" / "core.py"
_SEED = 7
_DRAWN: dict[str, Any] = {"temperature": 0.7, "top_k": 20, "top_p": 0.95, "seed": _SEED}
# llama-server's own depth with a head.
_PEER_DRAFTS = 3
# Chances that published heads have, of prose and of code.
FORCED = (0.65, 0.8)


@dataclass(frozen=True, slots=True)
class DraftAsk:
    """What is measured.

    Attributes:
        tokens: of each answer.
        rounds: of all workloads, each with drafts and without.
        gguf: the model's file for llama-server, which then answers, too.
    """

    tokens: int = 256
    rounds: int = 3
    gguf: Path | None = None


@dataclass(frozen=True, slots=True)
class DraftRow:
    """One workload.

    Attributes:
        plain_tok_s, tok_s: tokens per second after the first, without drafts and with.
        ratio: the median of those of the rounds.
        a_step: tokens a step with drafts.
        drafted, kept: tokens of the last round.
    """

    workload: str
    plain_tok_s: float
    tok_s: float
    ratio: float
    a_step: float
    drafted: int
    kept: int


@dataclass(frozen=True, slots=True)
class DraftReport:
    """The figures of a model.

    Attributes:
        rows_ms: the shortest pass of so many rows, in milliseconds.
        keep_ms: what the linear layers' states take to go on to the last row kept, the median.
        floor_ms: reading and writing them once. Both are 0 on a GPU, which is not waited for.
        beside: of llama-server, where a workload can be had there.
    """

    machine: str
    model: str
    weights: str
    rows: tuple[DraftRow, ...]
    rows_ms: tuple[tuple[int, float], ...]
    keep_ms: float
    floor_ms: float
    beside: tuple[DraftRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Workload:
    """A prompt and its answer, after what was cached before; no answer: it is sampled.

    forced: the draft head is right with this chance; 0 leaves it as it is.
    """

    name: str
    cached: tuple[tuple[int, ...], ...]
    prompt: tuple[int, ...]
    answer: tuple[int, ...] = ()
    forced: float = 0.0


class ForcedHead:
    """A draft head at its own pace, which is right with a given chance, and as sure as that."""

    def __init__(self, head: DraftHead, whole: Sequence[int], chance: float) -> None:
        """whole: the prompt and the answer."""
        self._head, self._whole, self._chance = head, whole, chance
        self._draw = random.Random(_SEED)
        self.enter = head.enter

    def draft(self, tokens: Tensor, rows: Tensor, run: RunContext) -> tuple[Tensor, int, float]:
        """See DraftHead.draft."""
        row, found, _ = self._head.draft(tokens, rows, run)
        end = sum(length for _, length in run.extents)
        if end < len(self._whole) and self._draw.random() < self._chance:
            found = self._whole[end]
        return row, found, self._chance


class Given(Sampler):
    """Chooses the tokens of a given answer, with the work of choosing from the logits."""

    def __init__(self, core: Core, sampling: Sampling, answer: Sequence[int]) -> None:
        super().__init__(sampling, (), core.model.device)
        self._answer = iter(answer)

    def next(self, logits: Tensor) -> int:
        """See Sampler.next."""
        chosen = super().next(logits)
        return next(self._answer, chosen)


def bench_drafts(
    folder: Path, config: EngineConfig, ask: DraftAsk, progress: Progress
) -> DraftReport:
    """Measure a model. Raises ModelError, CacheError or PromptError."""
    with Engine.open(folder, replace(config, decode_interval=0)) as opened:
        warm_up(opened)
        keeps = opened.on_core(_timed_keeps)
        made = workloads(ask.tokens, opened.model.vocab_size)
        if opened.on_core(lambda core: core.model.draft_head is not None):
            made += of_head(ask.tokens, opened.model.vocab_size)
        found = []
        for work in made:
            progress(f"{work.name}: {ask.tokens} tokens, {ask.rounds} times each way")
            opened.drop_cache()
            for path in work.cached:
                opened.logits(path)
            found.append(opened.on_core(partial(_measured, work=work, ask=ask)))
        passes = opened.on_core(lambda core: core.depth.shortest())
        info = opened.model
        threads = opened.on_core(lambda core: torch.get_num_threads())
        beside = []
        for work in made:
            if ask.gguf is not None and (work.forced or not work.answer):
                progress(f"{work.name}, on llama-server")
                beside.append(_on_llama_server(ask.gguf, work, ask, threads))
        return DraftReport(
            machine_line(opened),
            info.name,
            info.weights,
            tuple(found),
            tuple((rows, 1e3 * took) for rows, took in passes),
            statistics.median(keeps or [0.0]),
            opened.on_core(_floor_ms) if keeps else 0.0,
            tuple(beside),
        )


def _timed_keeps(core: Core) -> list[float]:
    """Receives what each call of `keep` takes from now on, in milliseconds."""
    found: list[float] = []
    keep = core.model.keep

    def timed(*given: Any) -> None:
        found.append(milliseconds(partial(keep, *given)))

    if core.model.step_ops is None:
        core.model.keep = cast(Any, timed)  # type: ignore[method-assign]
    return found


def _floor_ms(core: Core) -> float:
    # One slot after the other: after a pass over the weights, no cache has a state.
    slots = cycle(core.store.states.delta)
    return fastest(partial(milliseconds, lambda: next(slots).mul_(1)), 20)


def _on_llama_server(gguf: Path, work: Workload, ask: DraftAsk, threads: int) -> DraftRow:
    """An answer that need not be given, with drafts and without."""
    # From a pool of n-grams that outlives answers; or from the head, forced like ours.
    drafts = ["--spec-type", "ngram-mod"]
    if work.forced:
        rates = ",".join(f"{work.forced**at:g}" for at in range(1, _PEER_DRAFTS + 1))
        drafts = ["--spec-type", "draft-mtp", "--spec-synth-rates", rates]
    context = len(work.prompt) + ask.tokens + 64
    with (
        llama_server(gguf, context, threads) as plain,
        llama_server(gguf, context, threads, more=drafts) as drafting,
    ):
        # What is written again was written before.
        last = [write(url, work.prompt, ask.tokens, **_DRAWN) for url in (plain, drafting)]

        def rate(url: str) -> float:
            last.append(write(url, work.prompt, ask.tokens, **_DRAWN))
            return last[-1].tok_s

        both = rounds((partial(rate, plain), partial(rate, drafting)), ask.rounds)
    return _row(work.name, both, ask.tokens, last[-1].drafted, last[-1].kept)


def workloads(tokens: int, vocab: int) -> tuple[Workload, ...]:
    """Texts that the tree or the conversation knows, and one that nothing does."""
    code = file_ids(_FILE.read_text(), vocab)
    file, question = code[:tokens], token_ids(1, 40, vocab)
    history, other = token_ids(2, 160, vocab), token_ids(3, 160, vocab)
    edited = changed(file, 3, vocab)
    return (
        Workload("written again, same seed", (), (*history, *question)),
        Workload(
            "after an edit of an early message",
            ((*history, *question, *file),),
            (*other[:40], *history[40:], *question),
            file,
        ),
        Workload(
            "a file again, three changes",
            ((*history, *question, *file),),
            (*history, *question, *file, *token_ids(4, 30, vocab)),
            edited,
        ),
        Workload(
            "code of the prompt, edited",
            (),
            (*file, *question),
            changed(file, max(tokens // 40, 3), vocab),
        ),
        Workload("random text", (), (*history, *question), token_ids(5, tokens, vocab)),
    )


def of_head(tokens: int, vocab: int) -> tuple[Workload, ...]:
    """Random text, which only a head that is forced to be right can draft."""
    prompt, answer = token_ids(6, 200, vocab), token_ids(7, tokens, vocab)
    return tuple(
        Workload(f"a head forced to {chance:g} right", (), prompt, answer, chance)
        for chance in FORCED
    )


def file_ids(text: str, vocab: int) -> tuple[int, ...]:
    """A token for each word and sign, by its first appearance."""
    known: dict[str, int] = {}
    return tuple(
        known.setdefault(piece, FIRST_WORD + len(known) % (vocab - FIRST_WORD))
        for piece in _PIECE.findall(text)
    )


def changed(ids: tuple[int, ...], places: int, vocab: int) -> tuple[int, ...]:
    """The same with so many places written anew, evenly spread, by one to four other tokens."""
    draw, made = random.Random(_SEED), list(ids)
    for place in range(places, 0, -1):
        at = place * len(ids) // (places + 1)
        anew = [draw.randrange(FIRST_WORD, vocab) for _ in range(draw.randint(1, 4))]
        made[at : at + draw.randint(1, 4)] = anew
    return tuple(made)


def _measured(core: Core, work: Workload, ask: DraftAsk) -> DraftRow:
    head = core.model.draft_head
    if work.forced and head is not None:
        whole = (*work.prompt, *work.answer)
        core.model.draft_head = cast(DraftHead, ForcedHead(head, whole, work.forced))
    try:
        return _by_turns(core, work, ask)
    finally:
        core.model.draft_head = head


def _by_turns(core: Core, work: Workload, ask: DraftAsk) -> DraftRow:
    if not work.answer:
        # What is written again was written before, and is cached.
        _answer(core, work, ask, "off", keep=True)
    last: list[Decoded] = []

    def rate(sources: DraftSources) -> Callable[[], float]:
        def call() -> float:
            last.append(_answer(core, work, ask, sources))
            found = last[-1].decode_tok_s
            assert found is not None, "an answer of several tokens has a rate"
            return found

        return call

    # The first round also learns what rows cost, as the first answer of a program does.
    both = rounds((rate("off"), rate(core.tuning.config.drafts)), ask.rounds)
    count = last[-1].drafts
    assert len({each.ids for each in last}) == 1, "drafts changed an answer"
    return _row(work.name, both, count.steps + count.kept, count.drafted, count.kept)


def _row(
    name: str, both: Sequence[Sequence[float]], tokens: int, drafted: int, kept: int
) -> DraftRow:
    """both: the rates of all rounds without drafts, and with; tokens: of the last answer."""
    plain, drafting = both
    ratios = [with_ / without for without, with_ in zip(plain, drafting, strict=True)]
    return DraftRow(
        name,
        statistics.median(plain),
        statistics.median(drafting),
        statistics.median(ratios),
        tokens / max(tokens - kept, 1),
        drafted,
        kept,
    )


def _answer(
    core: Core, work: Workload, ask: DraftAsk, sources: DraftSources, *, keep: bool = False
) -> Decoded:
    """Read the prompt and write the answer; only with `keep` is the answer cached."""
    sampling = exactly(ask.tokens)
    if not work.answer:
        sampling = replace(sampling, **_DRAWN)
    prepared = core.prepare(work.prompt, PromptOptions())
    match = core.store.match(prepared)
    sequence = core.store.sequence()
    stopped = time.perf_counter() + 3600
    try:
        filled = finish(
            prefill(
                sequence,
                prepared,
                match,
                core.tuning.config,
                headroom=min(ask.tokens, GROWTH_TOKENS),
                cancelled=lambda: False,
                progress=lambda done, of: None,
            )
        )
        assert filled.logits is not None
        decoded = finish(
            decode(
                sequence,
                filled.logits,
                Given(core, sampling, work.answer[: ask.tokens]),
                AnswerStream(core.text.detokenizer(), False, ()),
                sampling,
                Limits(frozenset(), core.context, 0),
                cancelled=lambda: time.perf_counter() > stopped,
                room=lambda: None,
                show=lambda piece, tokens: None,
                drafts=core.drafts(prepared.ids, sources),
            ),
            core.depth,
        )
        if keep:
            sequence.donate("decode", "end of answer")
    finally:
        sequence.release()
        core.store.finished(match)
    return decoded
