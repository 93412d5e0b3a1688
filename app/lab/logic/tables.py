"""The figures of the lab's tabs as CSV. Without Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.core.session.ledger import Ran
from app.lab.logic.arithmetic import designs, layer_memory
from app.lab.logic.phase_sentences import positions
from app.lab.logic.scale import slider_steps, slider_tokens, token_axis
from app.ui.export.table import table
from engine.cache_shape import CacheShape
from engine.readings import LayerRecall, MemoryReading, RecallReading
from engine.snapshot import CacheSnapshot

_Row = tuple[object, ...]


def memory_csv(shape: CacheShape, tokens: int) -> str:
    """Bytes of each design along the axis and at `tokens`, and what each layer holds there."""
    axis = token_axis(shape.window)
    lengths = {slider_tokens(axis, step) for step in range(slider_steps(axis) + 1)}
    rows: list[_Row] = [
        ("design", design.key, product.part, length, product.bytes)
        for length in sorted(lengths | {tokens})
        for design in designs(shape, length)
        for product in design.products
    ]
    rows += [
        ("layer", f"{index} {kind}", held.name, tokens, held.bytes)
        for index, kind in enumerate(shape.kinds)
        for held in layer_memory(shape, index, tokens).held
    ]
    return table(("of", "name", "part", "tokens", "bytes"), rows)


def memories_csv(reading: MemoryReading) -> str:
    """One line per token, head and figure."""
    headings = ("position", "text", "layer", "kind", "head", "figure", "value")
    return table(headings, _figures(reading))


def _figures(reading: MemoryReading) -> Iterator[_Row]:
    for at, text in enumerate(reading.texts):
        place = (reading.start + at, text)
        if reading.entries is not None:
            for head, key in enumerate(reading.entries.keys):
                of = (*place, reading.entries.layer, "full", head)
                yield (*of, "key_norm", key[at])
                yield (*of, "value_norm", reading.entries.values[head][at])
        if reading.state is not None:
            for head, state in enumerate(reading.state.heads):
                of = (*place, reading.state.layer, "linear", head)
                yield (*of, "state_norm", state.norms[at])
                yield (*of, "change", state.changes[at])
                yield (*of, "decay", state.decays[at])
                yield (*of, "beta", state.rates[at])
                # The readback of this token's own value after all tokens.
                yield (*of, "readback_at_end", state.readback[-1][at])


def phases_csv(runs: Sequence[Ran]) -> str:
    """One line per request."""
    headings = (
        "request",
        "conversation",
        "prompt_tokens",
        "reused",
        "replayed",
        "new",
        "decode_steps",
        "positions_cached",
        "positions_cold",
        "positions_no_cache",
        "replay_ms",
        "prefill_ms",
        "decode_s",
        "stop",
    )
    return table(headings, (_request(ran) for ran in runs))


def _request(ran: Ran) -> _Row:
    plan, report, ran_in = ran.report.plan, ran.report, positions(ran)
    return (
        ran.number,
        ran.title,
        plan.total,
        plan.reused,
        plan.replayed,
        plan.computed,
        ran.steps,
        ran_in.cached,
        ran_in.cold,
        ran_in.bare,
        report.replay_ms,
        report.prefill_ms,
        ran.decode_s,
        ran.stop,
    )


def tree_csv(snapshot: CacheSnapshot) -> str:
    """One line per node."""
    headings = ("node", "parent", "start", "end", "tier", "kv_bytes", "state_bytes", "text")
    rows = (
        (
            *(node.id, node.parent, node.start, node.end, node.tier, node.kv_bytes),
            None if node.checkpoint is None else node.checkpoint.bytes,
            node.text,
        )
        for node in snapshot.nodes
    )
    return table(headings, rows)


def recall_csv(reading: RecallReading) -> str:
    """One line per layer, head and query; the head is empty for the whole layer."""
    headings = ("needle_start", "needle_end", "layer", "kind", "head", "query", "share", "answer")
    needle = reading.needle or ("", "")
    rows = (
        (*needle, layer.layer, layer.kind, *rest)
        for layer in reading.layers
        for rest in _recalls(layer, reading.first_query)
    )
    return table(headings, rows)


def _recalls(layer: LayerRecall, first: int) -> Iterator[_Row]:
    columns = [("", layer.shares, layer.answers)]
    answers = layer.head_answers or ((),) * len(layer.head_shares)
    columns += [(str(head), shares, answers[head]) for head, shares in enumerate(layer.head_shares)]
    for head, shares, answered in columns:
        for at, share in enumerate(shares):
            yield head, first + at, share, answered[at] if answered else None
