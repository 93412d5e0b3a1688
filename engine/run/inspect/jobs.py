"""The lab's computations, step by step: each step is one pass through the layers."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor

from engine.commands import PLAIN, InspectMemory, InspectRecall, Prompt
from engine.errors import PromptError
from engine.message import PromptOptions
from engine.model.config import FULL, LINEAR
from engine.planes import KVPlane
from engine.readings import (
    PICTURE_CELLS,
    EntrySeries,
    LayerRecall,
    MemoryReading,
    RecallReading,
    Series,
    StateHead,
    StateSeries,
)
from engine.run.core import Core
from engine.run.inspect.private_run import LinearInputs, PrivateRun, Watch
from engine.text.text_model import TextModel
from kernels.dispatch import kernels_for
from kernels.gated_delta import gated_delta_step

# Maximum tokens with texts: in a longer sequence only these can be chosen as needle.
MOST_TEXTS = 4096
Ids = npt.NDArray[np.int64]
# The last tokens of a sequence, one by one.
WINDOW_TOKENS = 128
LAGS = (1, 4, 16)
# Maximum queries: the last positions up to the requested one.
MOST_QUERIES = 32
# Of these, how many follow the position at which the needle is read most.
QUERIES_AFTER = 8
MOST_NEEDLE = 16

Span = tuple[int, int]
UNIT_EPS = 1e-6


@dataclass(frozen=True, slots=True)
class RuleRows:
    """The inputs of the rule by token: float32 on the CPU, a row per value head.

    Attributes:
        qk: [tokens, 2, key_heads, key_dim], queries, then keys, as the step takes them.
        queries: [tokens, value_heads, key_dim] of unit length times key_dim ** -0.5.
        keys: [tokens, value_heads, key_dim] of unit length.
        values: [tokens, value_heads, value_dim].
        decay: [tokens, value_heads], the factor itself.
        beta: [tokens, value_heads].
    """

    qk: Tensor
    queries: Tensor
    keys: Tensor
    values: Tensor
    decay: Tensor
    beta: Tensor

    def __len__(self) -> int:
        return len(self.values)


def rule_rows(given: LinearInputs) -> RuleRows:
    """Convolve, split and normalise, as every implementation of the layer's rule does."""
    heads, key_dim, value_dim = given.state.shape
    tokens, channels = given.x.shape
    kept = len(given.taps)
    rows = torch.cat((given.window, given.x))
    total = sum(rows[tap : tap + tokens] * given.taps[tap] for tap in range(kept))
    assert isinstance(total, Tensor)
    key_width = (channels - heads * value_dim) // 2
    qk, values = F.silu(total).split_with_sizes((2 * key_width, heads * value_dim), dim=-1)
    by_head = qk.reshape(tokens, 2, -1, key_dim)
    length = (by_head.square().sum(-1, keepdim=True) + UNIT_EPS).sqrt()
    unit = (by_head / length).repeat_interleave(heads // by_head.shape[2], 2)
    return RuleRows(
        qk=by_head,
        queries=unit[:, 0] * key_dim**-0.5,
        keys=unit[:, 1],
        values=values.reshape(tokens, heads, value_dim),
        decay=given.log_decay.exp(),
        beta=given.beta,
    )


def states_after(given: LinearInputs, rows: RuleRows, first: int = 0) -> Iterator[Tensor]:
    """The state after each token from `first` on, [value_heads, key_dim, value_dim].

    The same tensor each time, mutated: copy it to keep it.
    """
    state = given.state.clone()
    for token in range(len(rows)):
        gated_delta_step(
            rows.qk[token],
            rows.values[token],
            rows.decay[token].unsqueeze(1),
            rows.beta[token].unsqueeze(1),
            state,
        )
        if token >= first:
            yield state


def cosines(one: Tensor, other: Tensor) -> Tensor:
    """The cosine over the last dimension of both; 0 if either is zero.

    On a CPU, torch's own is many times slower for states.
    """
    lengths = torch.linalg.vector_norm(one, dim=-1) * torch.linalg.vector_norm(other, dim=-1)
    found: Tensor = torch.linalg.vecdot(one, other) / lengths.clamp_min(1e-16)
    return found


def attention_mass(q: Tensor, kv: KVPlane, at: int, first: int, needle: Span) -> Tensor:
    """The attention mass on the needle, [heads, queries], of queries at positions `first` on.

    q: [queries, heads, dim] float32, rotated; kv: entries of the sequence, at slots equal to their
    positions. A query before the needle cannot see it: 0.
    """
    end = first + len(q)
    keys = kv.k[at][:, :end].float().cpu()
    _, heads, dim = q.shape
    # Neighbouring query heads share a key head.
    grouped = q.view(len(q), len(keys), -1, dim) * dim**-0.5
    scores = torch.einsum("qhgd,hsd->hgqs", grouped, keys)
    later = torch.ones(len(q), end, dtype=torch.bool).triu(first + 1)
    weights = scores.masked_fill(later, -torch.inf).softmax(-1)
    return weights[..., needle[0] : needle[1]].sum(-1).view(heads, len(q))


@dataclass(slots=True)
class NeedleInState:
    """Tracks what remains of the needle in one linear layer's state, pass by pass.

    Passes begin at the needle or before it.

    Attributes:
        needle: [first, end) in the sequence.
        queries: position of the first query; all later tokens are queries, too.
    """

    needle: Span
    queries: int
    # [needle tokens so far, value_heads, key_dim] and so on.
    _left: list[Tensor] = field(default_factory=list)
    _keys: list[Tensor] = field(default_factory=list)
    _values: list[Tensor] = field(default_factory=list)
    _parts: list[Tensor] = field(default_factory=list)
    _whole: list[Tensor] = field(default_factory=list)
    _answers: list[Tensor] = field(default_factory=list)

    def take(self, given: LinearInputs, start: int) -> None:
        """Process one pass, whose first token has position `start`."""
        rows = rule_rows(given)
        first = min(max(self.queries - start, 0), len(rows))
        states = states_after(given, rows, first) if first < len(rows) else iter(())
        for token in range(len(rows)):
            self._pass(rows, token, start + token)
            if token >= first:
                self._read(rows, token, next(states))

    def recall(self, layer: int) -> LayerRecall:
        """The results by query."""
        parts, whole, answers = (
            torch.stack(rows, -1) for rows in (self._parts, self._whole, self._answers)
        )
        by_head = parts / whole.clamp_min(1e-30)
        of_layer = parts.sum(0) / whole.sum(0).clamp_min(1e-30)
        return layer_recall(layer, "linear", of_layer, by_head, answers)

    def _pass(self, rows: RuleRows, token: int, position: int) -> None:
        """Update the remainder for a token, and add the token if it is part of the needle."""
        key, rate = rows.keys[token], rows.beta[token].unsqueeze(-1)
        decay = rows.decay[token].unsqueeze(-1)
        self._left = [
            decay * (left - rate * key * (key * left).sum(-1, keepdim=True)) for left in self._left
        ]
        if self.needle[0] <= position < self.needle[1]:
            self._left.append(rate * key)
            self._keys.append(key)
            self._values.append(rows.values[token])

    def _read(self, rows: RuleRows, token: int, state: Tensor) -> None:
        query = rows.queries[token]
        out = torch.einsum("hk,hkv->hv", query, state)
        part, answer = torch.zeros(len(out)), torch.zeros(len(out))
        for left, key, value in zip(self._left, self._keys, self._values, strict=True):
            weight = (left * query).sum(-1)
            part += weight * (value * out).sum(-1)
            answer += cosines(torch.einsum("hk,hkv->hv", key, state), value)
        self._parts.append(part)
        self._whole.append(out.square().sum(-1))
        self._answers.append(answer / max(1, len(self._left)))


def layer_recall(
    layer: int,
    kind: Literal["linear", "full"],
    shares: Tensor,
    by_head: Tensor,
    answers: Tensor | None = None,
) -> LayerRecall:
    """Convert to plain numbers. shares: [queries]; by_head, answers: [heads, queries]."""
    return LayerRecall(
        layer,
        kind,
        tuple(shares.tolist()),
        tuple(map(tuple, by_head.tolist())),
        () if answers is None else tuple(answers.mean(0).tolist()),
        () if answers is None else tuple(map(tuple, answers.tolist())),
    )


def entry_series(kv: KVPlane, at: int, layer: int, start: int, end: int) -> EntrySeries:
    """Norms of full layer `at`'s entries at positions [start, end), in slots equal to these."""
    keys, values = (_series(plane[at][:, start:end].float().norm(dim=-1)) for plane in (kv.k, kv.v))
    return EntrySeries(layer, keys, values)


@dataclass(slots=True)
class StateRecorder:
    """Tracks the state of one linear layer through the passes of a window."""

    _earlier: deque[Tensor] = field(default_factory=lambda: deque(maxlen=max(LAGS)))
    _rows: dict[str, list[Tensor]] = field(default_factory=dict)
    _likeness: list[list[Tensor | None]] = field(default_factory=list)
    _readback: list[Tensor] = field(default_factory=list)
    _keys: list[Tensor] = field(default_factory=list)
    _values: list[Tensor] = field(default_factory=list)

    def take(self, given: LinearInputs) -> Iterator[int]:
        """Process one pass; yields after each token."""
        rows = rule_rows(given)
        self._keys.append(rows.keys)
        self._values.append(rows.values)
        keys, values = torch.cat(self._keys), torch.cat(self._values)
        done = len(keys) - len(rows)
        before = given.state
        for token, state in enumerate(states_after(given, rows)):
            seen = done + token + 1
            norm, difference = _norm(state), state - before
            larger = torch.maximum(norm, _norm(before)).clamp_min(1e-30)
            self._note("norms", norm)
            self._note("changes", _norm(difference) / larger)
            self._note("decays", rows.decay[token])
            self._note("rates", rows.beta[token])
            self._note("pictures", _picture(state))
            self._note("written", _picture(difference))
            self._likeness.append([self._like(state, lag) for lag in LAGS])
            read = torch.einsum("thk,hkv->thv", keys[:seen], state)
            self._readback.append(cosines(read, values[:seen]))
            before = state.clone()
            self._earlier.append(before)
            yield seen

    def series(self, layer: int) -> StateSeries:
        """Everything recorded, by head."""
        rows = {name: torch.stack(parts, -1) for name, parts in self._rows.items()}
        pictures, written = (rows[name].movedim(-1, 1) for name in ("pictures", "written"))
        largest = torch.maximum(pictures.amax((1, 2, 3)), written.amax((1, 2, 3)))
        heads = tuple(
            StateHead(
                norms=_line(rows["norms"][head]),
                changes=_line(rows["changes"][head]),
                decays=_line(rows["decays"][head]),
                rates=_line(rows["rates"][head]),
                likeness=tuple(
                    _gapped(column, head) for column in zip(*self._likeness, strict=True)
                ),
                readback=tuple(_line(row[:, head]) for row in self._readback),
                pictures=_bytes(pictures[head], largest[head]),
                written=_bytes(written[head], largest[head]),
                largest=float(largest[head]),
            )
            for head in range(len(largest))
        )
        return StateSeries(layer, LAGS, pictures.shape[2], pictures.shape[3], heads)

    def _note(self, name: str, row: Tensor) -> None:
        self._rows.setdefault(name, []).append(row.clone())

    def _like(self, state: Tensor, lag: int) -> Tensor | None:
        if len(self._earlier) < lag:
            return None
        return cosines(state.flatten(1), self._earlier[-lag].flatten(1))


def _norm(state: Tensor) -> Tensor:
    """By head."""
    norms: Tensor = torch.linalg.vector_norm(state, dim=(1, 2))
    return norms


def _picture(state: Tensor) -> Tensor:
    """[heads, rows, columns]: the mean magnitude of the numbers in each cell."""
    _, keys, values = state.shape
    return F.adaptive_avg_pool2d(
        state.abs(), (min(keys, PICTURE_CELLS), min(values, PICTURE_CELLS))
    )


def _bytes(pictures: Tensor, largest: Tensor) -> tuple[bytes, ...]:
    scaled = (pictures * (255 / largest.clamp_min(1e-30))).round().to(torch.uint8)
    return tuple(bytes(picture.flatten().tolist()) for picture in scaled)


def _line(row: Tensor) -> Series:
    return tuple(row.tolist())


def _gapped(column: Sequence[Tensor | None], head: int) -> tuple[float | None, ...]:
    return tuple(None if row is None else float(row[head]) for row in column)


def _series(rows: Tensor) -> tuple[Series, ...]:
    """[heads, tokens] as tuples."""
    return tuple(tuple(row) for row in rows.tolist())


def sequence_ids(core: Core, prompt: Prompt, options: PromptOptions, typed: str) -> Ids:
    """The token ids of a prompt, or of a typed text. Raises PromptError if it cannot run."""
    if typed:
        # Half a surrogate pair cannot be encoded.
        text = typed.encode("utf-8", "replace").decode()
        prompt, options = tuple(core.text.encode(text)), PLAIN
    return np.asarray(core.prompt_ids(prompt, options), np.int64)


def token_texts(text: TextModel, ids: Iterable[int]) -> tuple[str, ...]:
    """The text of each token alone; bytes that are not a character become U+FFFD."""
    return tuple(text.decode([token]) for token in ids)


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` tokens have run."""

    done: int
    total: int


MemorySteps = Iterator[Progress | MemoryReading]
RecallSteps = Iterator[Progress | RecallReading]


def memory_steps(core: Core, asked: InspectMemory) -> MemorySteps:
    """Yields progress, finally the reading. Raises PromptError if the sequence cannot be read."""
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
    """Yields progress, finally the reading; without a needle only the tokens, at once."""
    ids = sequence_ids(core, asked.prompt, asked.options, asked.text)
    total = len(ids)
    start = max(0, total - MOST_TEXTS)
    texts = token_texts(core.text, ids[start:].tolist())
    if asked.needle is None:
        yield RecallReading(total, start, texts)
        return
    needle = asked.needle
    _check_needle(total, needle, asked.query)
    moments: Series = ()
    if asked.query is None:
        moments = yield from _moments(core, ids, needle)
    best = needle[1] + max(range(len(moments)), key=moments.__getitem__) if moments else total - 1
    end = asked.query + 1 if asked.query is not None else min(total, best + 1 + QUERIES_AFTER)
    first = max(end - MOST_QUERIES, needle[0])
    # One extra token, so that a watched pass never has a single one.
    before = max(0, needle[0] - 1)
    run = PrivateRun(core.model, core.store, ids[:end], before)
    began = run.position
    for position in run.run_to(before):
        yield Progress(position - began, end - began)
    layers = core.model.config.layer_types
    watch = Watch(
        kernels_for(core.model.device), range(layers.count(LINEAR)), range(layers.count(FULL))
    )
    states = [NeedleInState(needle, first) for _ in range(layers.count(LINEAR))]
    queries: list[list[Tensor]] = [[] for _ in range(layers.count(FULL))]
    for start_of_pass in run.watch_to(end, watch):
        for at, state in enumerate(states):
            state.take(watch.linear[at], start_of_pass)
        for at, rows in enumerate(queries):
            rows.append(watch.queries[at][max(0, first - start_of_pass) :])
        yield Progress(run.position - began, end - began)
    found = _layers(layers, states, [torch.cat(rows) for rows in queries], run, first, needle)
    yield RecallReading(total, start, texts, needle, first, found, moments)


def _moments(core: Core, ids: Ids, needle: Span) -> Generator[Progress, None, Series]:
    """Yields progress; returns `RecallReading.moments`."""
    full = range(core.model.config.layer_types.count(FULL))
    if not full or needle[1] == len(ids):
        return ()
    # At least two tokens, as a watched pass never has a single one.
    before = min(needle[1], len(ids) - 2)
    run = PrivateRun(core.model, core.store, ids, before)
    began = run.position
    for position in run.run_to(before):
        yield Progress(position - began, len(ids) - began)
    watch = Watch(kernels_for(core.model.device), (), full)
    passes = []
    for start in run.watch_to(len(ids), watch):
        mass = [attention_mass(watch.queries[at], run.kv, at, start, needle) for at in full]
        passes.append(torch.stack(mass).mean((0, 1)))
        yield Progress(run.position - began, len(ids) - began)
    return _line(torch.cat(passes)[-(len(ids) - needle[1]) :])


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


def _check_needle(total: int, needle: Span, query: int | None) -> None:
    """Raises PromptError if needle and query are not in the sequence, or inconsistent."""
    first, end = needle
    if not 0 <= first < end <= total or not 0 <= (query or 0) < total:
        raise PromptError("That token is no longer part of the conversation: choose another.")
    if end - first > MOST_NEEDLE:
        raise PromptError(
            "The needle may have at most {most_needle} tokens: choose fewer.",
            most_needle=MOST_NEEDLE,
        )
    if query is not None and query < end - 1:
        raise PromptError("The query comes before the needle: choose a later token to ask from.")


def _wanted(asked: InspectMemory) -> tuple[tuple[int | None, str], tuple[int | None, str]]:
    return (asked.full, FULL), (asked.linear, LINEAR)


def _number(core: Core, layer: int | None, kind: str) -> int | None:
    """The index of a layer among those of its kind; 0 if there is no such layer."""
    places = [at for at, found in enumerate(core.model.config.layer_types) if found == kind]
    if not places:
        return None
    return places.index(layer) if layer in places else 0


def _layer(core: Core, kind: str, number: int) -> int:
    """The index of a layer of a kind among all layers."""
    return [at for at, found in enumerate(core.model.config.layer_types) if found == kind][number]
