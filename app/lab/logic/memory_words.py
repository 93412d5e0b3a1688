"""Sentences of the tab "Two memories": what a token did to entries and state. Without Qt."""

from __future__ import annotations

from app.core.words import format as fmt
from app.core.words.tr import tr
from app.lab.logic.arithmetic import layer_memory, layer_token_bytes
from app.lab.logic.token_words import quoted
from engine.cache_shape import CacheShape
from engine.readings import EntrySeries, MemoryReading, StateHead, StateSeries

INTRODUCTION = tr(
    "Feed the tokens one by one: full attention appends an entry for each and "
    "never touches it again, linear attention rewrites one state of fixed size."
)
NO_ENTRIES = tr("This model has no layer of full attention.")
NO_STATE = tr("This model has no layer of linear attention.")
FIGURES = (tr("Norm"), tr("Changed by"), tr("Kept by the gate"), tr("Beta"))
# From this cosine on, a value counts as read back.
CLEAR = 0.9


def window_line(reading: MemoryReading) -> str:
    """Which tokens are shown, if not all are."""
    if not reading.start:
        return tr("{tokens}, from the first one.").format(tokens=fmt.plural(reading.total, "token"))
    return tr(
        "The last {texts} of {tokens}; the ones before them ran, but are not shown one by one."
    ).format(texts=fmt.count(len(reading.texts)), tokens=fmt.plural(reading.total, "token"))


def token_line(reading: MemoryReading, at: int) -> str:
    """The current position."""
    place = reading.start + at + 1
    of = fmt.count(reading.total)
    return tr("Token {place} of {of}: {texts}").format(
        place=fmt.count(place), of=of, texts=quoted(reading.texts[at])
    )


def entries_line(reading: MemoryReading, entries: EntrySeries, shape: CacheShape, at: int) -> str:
    """What the token did to a full layer."""
    place = reading.start + at + 1
    size = fmt.byte_size(layer_memory(shape, entries.layer, place).bytes)
    heads = fmt.plural(len(entries.keys), "head")
    return tr(
        "Token {place} appended a key and a value for each of {heads}: {shape} "
        "B. The layer now holds {size} for {tokens}; the earlier entries are as "
        "they were."
    ).format(
        place=fmt.count(place),
        heads=heads,
        shape=fmt.count(layer_token_bytes(shape)),
        size=size,
        tokens=fmt.plural(place, "token"),
    )


def state_line(state: StateSeries, head: int, shape: CacheShape, at: int) -> str:
    """What the token did to a linear layer's head."""
    found = state.heads[head]
    size = fmt.byte_size(layer_memory(shape, state.layer, 0).bytes)
    kept, rate = percent(found.decays[at]), percent(found.rates[at])
    return tr(
        "The token overwrote the state in place; the layer still holds {size}. "
        "In this head the gate first kept {kept} of every number. Then {rate} "
        "(beta) of the difference between the token's value and what its key "
        "read so far was written. In all that moved the state by {changes} of "
        "its norm."
    ).format(size=size, kept=kept, rate=rate, changes=percent(found.changes[at]))


def figures(state: StateSeries, head: int, at: int) -> tuple[tuple[str, str], ...]:
    """Each measured figure with its name."""
    found = state.heads[head]
    values = (
        number(found.norms[at]),
        percent(found.changes[at]),
        percent(found.decays[at]),
        percent(found.rates[at]),
    )
    likeness = tuple(
        (
            tr("Like {tokens} ago").format(tokens=fmt.plural(lag, "token")),
            "" if like[at] is None else cosine(like[at]),
        )
        for lag, like in zip(state.lags, found.likeness, strict=True)
    )
    return (*zip(FIGURES, values, strict=True), *((name, text or "–") for name, text in likeness))


def readback_line(reading: MemoryReading, head: StateHead, at: int) -> str:
    """How many of the tokens shown can still be read back, and which one is the worst."""
    values = head.readback[at]
    clear = sum(value >= CLEAR for value in values)
    if len(values) == 1:
        return tr(
            "Asked with this token's own key, the state returns its value with a "
            "cosine of {values}; 1 would be exact."
        ).format(values=cosine(values[0]))
    worst = min(range(len(values)), key=lambda j: values[j])
    return tr(
        "Asked with each earlier token's own key, the state returns {clear} of "
        "{values} values clearly (cosine {clear2} or more); least well that of "
        "{texts}, {values2}. The full layer still has all of them exactly."
    ).format(
        clear=fmt.count(clear),
        values=fmt.count(len(values)),
        clear2=CLEAR,
        texts=quoted(reading.texts[worst]),
        values2=cosine(values[worst]),
    )


def number(value: float) -> str:
    """Three significant digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def percent(value: float) -> str:
    """A share, with more digits near either end: "0.2%", "99.8%", "37%"; nearly none "0.0%"."""
    share = 100 * value
    if 0 < abs(share) < 0.05:
        return "0.0%"
    digits = 0 if share in (0, 100) or 9.95 <= abs(share) < 90 else 1
    return f"{share:.{digits}f}%"


def cosine(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}".replace("-0.00", "0.00")
