"""The hover card of the timeline, and the figures of an interval. Without Qt."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from app.cache.logic.counter_lines import value_text
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import more, titled
from app.core.words.tr import tr
from app.debugger.timeline.logic.columns import PARTS, Series
from app.debugger.timeline.logic.concerned import Concerned
from app.debugger.timeline.logic.counter_tracks import Counted
from app.debugger.timeline.logic.events import Events
from app.debugger.timeline.logic.growing import Ints
from app.debugger.timeline.logic.levels import Levels
from app.debugger.timeline.logic.viewport import Stack

_MOST_ROWS = 8
_FILES = (tr("KV in files"), "", tr("states and the rest of the files"), "")
_NAMES = (
    tr("KV of the tree"),
    tr("KV of requests"),
    tr("states of the tree"),
    tr("states of requests"),
)
CardLine = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Card:
    """A heading and lines under it."""

    heading: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join((self.heading, *self.lines))


def span_text(seconds: float) -> str:
    """A duration of any size: "3.2 µs", "84 ms", "1.25 s"."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:,.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:,.1f} ms" if seconds < 0.1 else f"{seconds * 1e3:,.0f} ms"
    return fmt.seconds(seconds)


def clock_text(seconds: float) -> str:
    """A time since the start, to the millisecond."""
    if seconds < 60:
        return f"{seconds:.3f} s"
    return f"{int(seconds // 60)}:{seconds % 60:06.3f}"


def request_card(stack: Stack, number: int) -> Card:
    """A request and how its time was spent."""
    requests = stack.series.requests
    reused, replayed, computed, decoded = requests.tokens[number].tolist()
    edges = requests.edges[number]
    parts = [
        f"{said(name)} {span_text(float(edges[place + 1] - edges[place]))}"
        for place, name in enumerate(PARTS)
        if edges[place + 1] > edges[place]
    ]
    total = reused + replayed + computed
    ran = float(edges[4] - edges[2])
    prefill = more(fmt.rate((replayed + computed) / ran)) if ran > 0 else ""
    wrote = float(edges[5] - edges[4])
    decode = more(fmt.rate(decoded / wrote)) if wrote > 0 and decoded else ""
    began = float(requests.began[number]) - stack.series.start
    passes, drafted, kept = requests.drafts[number].tolist()
    drafts = (
        tr("{kept:,} of {drafted:,} drafted tokens kept; {passes:,} passes of the model").format(
            kept=kept, drafted=drafted, passes=passes
        )
        if drafted
        else ""
    )
    return Card(
        tr("Request {number} · {session}").format(
            number=number + 1, session=stack.title(int(requests.session[number]))
        ),
        (
            tr("At {clock}, took {span}").format(
                clock=clock_text(began), span=span_text(float(edges[5] - edges[0]))
            ),
            tr(
                "Prompt of {tokens}: {reused:,} reused, {replayed:,} replayed, "
                "{computed:,} new{prefill}"
            ).format(
                tokens=fmt.plural(total, "token"),
                reused=reused,
                replayed=replayed,
                computed=computed,
                prefill=prefill,
            ),
            tr("Answer of {tokens}{decode}").format(
                tokens=fmt.plural(decoded, "token"), decode=decode
            ),
            *filter(None, (drafts, " · ".join(parts))),
        ),
    )


def counter_card(counter: Counted, time: float, since: float) -> Card:
    """A counter at a time.

    since: seconds since the start of the tape.
    """
    value = float(counter.at(np.array([time]))[0])
    if np.isinf(value):
        text = tr("not known: nobody looked")
    else:
        text = value_text(None if np.isnan(value) else value, counter.unit)
    return Card(titled(counter.title, text), (clock_text(since),))


def missed_words(what: Concerned) -> str:
    """Which request missed what an eviction took, or how many evictions a request felt."""
    if not what.links:
        return ""
    event, request = what.links[0]
    if what.event == event:
        return tr("Request {request} missed what it took.").format(request=fmt.count(request + 1))
    return tr("Request {request} missed what {evictions} took.").format(
        request=fmt.count(request + 1), evictions=fmt.plural(len(what.links), "eviction")
    )


def events_card(stack: Stack, numbers: Ints) -> Card:
    """One event, or counts by kind."""
    events, start = stack.series.events, stack.series.start
    if len(numbers) == 1:
        return _event(stack, int(numbers[0]))
    kinds = Counter(events.row[numbers].tolist())
    lines = [f"{count:,} × {events.rows[row].name}" for row, count in kinds.most_common(_MOST_ROWS)]
    if len(kinds) > _MOST_ROWS:
        lines.append(
            tr("and {kinds}").format(kinds=fmt.plural(len(kinds) - _MOST_ROWS, "more kind"))
        )
    freed = int(events.freed[numbers].sum())
    if freed:
        lines.append(tr("{freed} freed").format(freed=fmt.byte_size(freed)))
    first, last = (clock_text(float(events.time[n]) - start) for n in (numbers[0], numbers[-1]))
    return Card(
        tr("{numbers:,} events").format(numbers=len(numbers)),
        (*lines, tr("From {first} to {last}").format(first=first, last=last)),
    )


def chosen_card(stack: Stack, request: int | None, entry: int | None) -> Card | None:
    """The card of the selection; None if the timeline does not show it."""
    if request is not None and request < len(stack.series.requests):
        return request_card(stack, request)
    events = stack.series.events
    number = -1 if entry is None else int(np.searchsorted(events.index, entry))
    if 0 <= number < len(events) and events.index[number] == entry:
        return _event(stack, number)
    return None


def _event(stack: Stack, number: int) -> Card:
    events = stack.series.events
    row = events.rows[int(events.row[number])]
    kv, state = events.freed[number].tolist()
    lines = [
        tr("At {clock}").format(clock=clock_text(float(events.time[number]) - stack.series.start))
    ]
    node = int(events.node[number])
    if node > 0:
        lines.append(tr("Node {node} of the {tier}").format(node=node, tier=said(row.tier)))
    if kv or state:
        both = [
            tr("{n} of {of}").format(n=fmt.byte_size(n), of=of)
            for n, of in ((kv, "KV"), (state, "state"))
            if n
        ]
        lines.append(tr("{what} freed").format(what=tr(" and ").join(both)))
    if row.evicts:
        lines.append(
            tr("A copy is on the {copy} tier.").format(copy=said(row.copy))
            if row.copy
            else tr("No copy was kept.")
        )
    return Card(f"{row.sign} {row.name}", (*lines, *row.meanings))


def levels_card(levels: Levels, tier: str, time: float) -> Card:
    """The bytes of a tier at a time."""
    row = levels.at(time)
    if row < 0:
        return Card(
            tr("{tier} bytes").format(tier=said(tier).capitalize()),
            (tr("Nothing is known of that time."),),
        )
    held = np.diff(levels.stack[row], prepend=0).tolist()
    names = _FILES if tier == "disk" else _NAMES
    lines = [f"{fmt.byte_size(n)} {name}" for n, name in zip(held, names, strict=True) if n]
    total = int(levels.stack[row, -1])
    at = int(np.searchsorted(levels.budgets[:, 0], time, side="right")) - 1
    kv, state = (int(n) for n in levels.budgets[max(at, 0), 1:])
    budget = fmt.byte_size(kv + state)
    if tier != "disk":
        budget += tr(": KV {kv}, states {state}").format(
            kv=fmt.byte_size(kv), state=fmt.byte_size(state)
        )
    return Card(
        tr("{capitalize}: {total} in use").format(
            capitalize=said(tier).capitalize(), total=fmt.byte_size(total)
        ),
        (*lines, tr("Budget {budget}").format(budget=budget)),
    )


def evictions_by_cause(events: Events, span: slice) -> dict[str, tuple[int, int]]:
    """The number of evictions and the bytes freed in a span of events, by name of their row."""
    rows, freed = events.row[span], events.freed[span].sum(axis=1)
    made: dict[str, tuple[int, int]] = {}
    for number in np.unique(rows).tolist():
        kind = events.rows[number]
        if kind.evicts:
            mine = rows == number
            made[kind.name] = (int(mine.sum()), int(freed[mine].sum()))
    return made


@dataclass(frozen=True, slots=True)
class Stats:
    """Statistics of the time from `start` to `end`, in seconds; whatever ended in it counts.

    Attributes:
        requests: that ended in it, with the tokens of their prompts and of their answers.
        drafted, kept: tokens of drafts.
        evictions: number and bytes, by name of their row.
        prefill_rate, decode_rate: tokens per second while either ran; None if it did not.
        peak: the most bytes in use, by tier.
    """

    start: float
    end: float
    requests: int
    reused: int
    replayed: int
    computed: int
    decoded: int
    drafted: int
    kept: int
    events: int
    evictions: dict[str, tuple[int, int]]
    prefill_rate: float | None
    decode_rate: float | None
    peak: dict[str, int]

    @property
    def seconds(self) -> float:
        return self.end - self.start

    @property
    def evicted(self) -> tuple[int, int]:
        """The number of evictions, and the bytes freed."""
        found = self.evictions.values()
        return sum(count for count, _ in found), sum(freed for _, freed in found)

    @property
    def reused_share(self) -> float | None:
        """The share of the prompts' tokens that was reused."""
        total = self.reused + self.replayed + self.computed
        return self.reused / total if total else None


def stats_of(series: Series, start: float, end: float) -> Stats:
    """The statistics of [start, end] in seconds, clipped to the start of the series."""
    start = max(start, series.start)
    end = max(start, end)
    requests = series.requests
    first = int(np.searchsorted(requests.ended, start, side="left"))
    last = int(np.searchsorted(requests.ended, end, side="right"))
    tokens = requests.tokens[first:last].sum(axis=0).tolist()
    _, drafted, kept = requests.drafts[first:last].sum(axis=0).tolist()
    span = series.events.between(start, end)
    before, after = series.speed.at(np.array([start, end])).T
    ran = after - before
    return Stats(
        start=start,
        end=end,
        requests=last - first,
        reused=tokens[0],
        replayed=tokens[1],
        computed=tokens[2],
        decoded=tokens[3],
        drafted=drafted,
        kept=kept,
        events=span.stop - span.start,
        evictions=evictions_by_cause(series.events, span),
        prefill_rate=float(ran[0] / ran[2]) if ran[2] > 1e-9 else None,
        decode_rate=float(ran[1] / ran[3]) if ran[3] > 1e-9 else None,
        peak={name: held.peak(start, end) for name, held in series.levels.items() if len(held)},
    )


def stat_lines(stats: Stats) -> list[CardLine]:
    """Names and figures."""
    share = stats.reused_share
    reused = f"{stats.reused:,}" + ("" if share is None else f"  ({100 * share:.0f}%)")
    lines = [
        (tr("Duration"), span_text(stats.seconds)),
        (tr("Requests ended"), f"{stats.requests:,}"),
        (tr("Tokens reused"), reused),
        (tr("Tokens replayed"), f"{stats.replayed:,}"),
        (tr("Tokens new"), f"{stats.computed:,}"),
        (tr("Tokens written"), f"{stats.decoded:,}"),
        *([(tr("Drafts kept"), f"{stats.kept:,} / {stats.drafted:,}")] if stats.drafted else []),
        (tr("Prefill"), "–" if stats.prefill_rate is None else fmt.rate(stats.prefill_rate)),
        (tr("Decode"), "–" if stats.decode_rate is None else fmt.rate(stats.decode_rate)),
    ]
    lines += [
        (tr("Peak, {tier}").format(tier=said(tier)), fmt.byte_size(most))
        for tier, most in stats.peak.items()
    ]
    count, freed = stats.evicted
    lines.append((tr("Evictions"), f"{count:,}  ({fmt.byte_size(freed)})" if count else tr("none")))
    lines += [
        (f"  {name}", f"{number:,}  ({fmt.byte_size(size)})")
        for name, (number, size) in sorted(stats.evictions.items(), key=lambda one: -one[1][0])
    ]
    return lines


def marker_lines(series: Series, a: float, b: float) -> list[CardLine]:
    """The differences between A and B, in seconds on the series' clock, and what came between."""
    stats = stats_of(series, min(a, b), max(a, b))
    lines = [("B − A", _signed(b - a, span_text))]
    for tier, held in series.levels.items():
        if len(held):
            change = held.bytes_at(b) - held.bytes_at(a)
            lines.append(
                (
                    tr("Bytes, {tier}").format(tier=said(tier)),
                    _signed(change, lambda n: fmt.byte_size(int(n))),
                )
            )
    prompt = stats.reused + stats.replayed + stats.computed
    count, freed = stats.evicted
    lines.append((tr("Prompt tokens between"), f"{prompt:,}"))
    lines.append((tr("Tokens written between"), f"{stats.decoded:,}"))
    lines.append(
        (tr("Evictions between"), f"{count:,}  ({fmt.byte_size(freed)})" if count else tr("none"))
    )
    return lines


def _signed(value: float, text: object) -> str:
    assert callable(text)
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{text(abs(value))}"
