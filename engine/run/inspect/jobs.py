"""What the lab asks for, step by step: each step is one pass through the layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.commands import InspectMemory, InspectRecall
from engine.errors import PromptError
from engine.model.config import FULL, LINEAR
from engine.readings import LayerRecall, MemoryReading, RecallReading
from engine.run.core import Core
from engine.run.inspect.memory import WINDOW_TOKENS, StateRecorder, entry_series
from engine.run.inspect.needle import (
    MOST_NEEDLE,
    MOST_QUERIES,
    NeedleInState,
    attention_mass,
    layer_recall,
)
from engine.run.inspect.private_run import PrivateRun
from engine.run.inspect.sequence import Ids, sequence_ids, token_texts
from engine.run.inspect.watch import Watch
from kernels.dispatch import kernels_for

# Of a longer sequence the first tokens cannot be chosen as needle.
MOST_TEXTS = 4096


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` tokens have run."""

    done: int
    total: int


MemorySteps = Iterator[Progress | MemoryReading]
RecallSteps = Iterator[Progress | RecallReading]


def memory_steps(core: Core, asked: InspectMemory) -> MemorySteps:
    """Progress, and at last the reading. Raises PromptError if the sequence cannot be read."""
    ids = sequence_ids(core, asked.prompt, asked.options, asked.text)
    total = len(ids)
    start = max(0, total - WINDOW_TOKENS)
    full, linear = (_number(core, asked_layer, kind) for asked_layer, kind in _wanted(asked))
    watch = Watch(kernels_for(core.model.device), () if linear is None else (linear,), ())
    run = PrivateRun(core.model, core.store, ids, start)
    began, recorder = run.position, StateRecorder()
    for position in run.run_to(start):
        yield Progress(position - began, total - began)
    for _ in run.watch_to(total, watch):
        if linear is not None:
            for _ in recorder.take(watch.linear[linear]):
                pass
        yield Progress(run.position - began, total - began)
    yield MemoryReading(
        total,
        start,
        token_texts(core.text, ids[start:].tolist()),
        None
        if full is None
        else entry_series(run.kv, full, _layer(core, FULL, full), start, total),
        None if linear is None else recorder.series(_layer(core, LINEAR, linear)),
    )


def recall_steps(core: Core, asked: InspectRecall) -> RecallSteps:
    """Progress, and at last the reading; without a needle the tokens alone, at once."""
    ids = sequence_ids(core, asked.prompt, asked.options, asked.text)
    total = len(ids)
    start = max(0, total - MOST_TEXTS)
    texts = token_texts(core.text, ids[start:].tolist())
    if asked.needle is None:
        yield RecallReading(total, start, texts)
        return
    end = _query_end(ids, asked.needle, asked.query)
    first = max(end - MOST_QUERIES, asked.needle[0], 0)
    # One token more, so that a watched pass never has a single one.
    before = max(0, asked.needle[0] - 1)
    run = PrivateRun(core.model, core.store, ids[:end], before)
    began = run.position
    for position in run.run_to(before):
        yield Progress(position - began, end - began)
    layers = core.model.config.layer_types
    watch = Watch(
        kernels_for(core.model.device), range(layers.count(LINEAR)), range(layers.count(FULL))
    )
    states = [NeedleInState(asked.needle, first) for _ in range(layers.count(LINEAR))]
    queries: list[list[Tensor]] = [[] for _ in range(layers.count(FULL))]
    for start_of_pass in run.watch_to(end, watch):
        for at, state in enumerate(states):
            state.take(watch.linear[at], start_of_pass)
        for at, rows in enumerate(queries):
            rows.append(watch.queries[at][max(0, first - start_of_pass) :])
        yield Progress(run.position - began, end - began)
    found = _layers(layers, states, [torch.cat(rows) for rows in queries], run, first, asked.needle)
    yield RecallReading(total, start, texts, asked.needle, first, found)


def _layers(
    kinds: tuple[str, ...],
    states: list[NeedleInState],
    queries: list[Tensor],
    run: PrivateRun,
    first: int,
    needle: tuple[int, int],
) -> tuple[LayerRecall, ...]:
    """All layers in order."""
    found, linear, full = [], iter(states), iter(enumerate(queries))
    for layer, kind in enumerate(kinds):
        if kind == LINEAR:
            found.append(next(linear).recall(layer))
        else:
            at, q = next(full)
            mass = attention_mass(q, run.kv, at, first, needle)
            found.append(layer_recall(layer, "full", mass.mean(0), mass))
    return tuple(found)


def _query_end(ids: Ids, needle: tuple[int, int], query: int | None) -> int:
    """One past the query's position. Raises PromptError where needle and query make no sense."""
    first, last = needle
    at = len(ids) - 1 if query is None else query
    if not 0 <= first < last <= len(ids) or not 0 <= at < len(ids):
        raise PromptError("That token is no longer part of the conversation: choose another.")
    if last - first > MOST_NEEDLE:
        raise PromptError(f"The needle may have at most {MOST_NEEDLE} tokens: choose fewer.")
    if at < last - 1:
        raise PromptError("The query comes before the needle: choose a later token to ask from.")
    return at + 1


def _wanted(asked: InspectMemory) -> tuple[tuple[int | None, str], tuple[int | None, str]]:
    return (asked.full, FULL), (asked.linear, LINEAR)


def _number(core: Core, layer: int | None, kind: str) -> int | None:
    """The number of a layer among those of its kind; of the first one if there is no such layer."""
    places = [at for at, found in enumerate(core.model.config.layer_types) if found == kind]
    if not places:
        return None
    return places.index(layer) if layer in places else 0


def _layer(core: Core, kind: str, number: int) -> int:
    """Its index among all layers."""
    return [at for at, found in enumerate(core.model.config.layer_types) if found == kind][number]
