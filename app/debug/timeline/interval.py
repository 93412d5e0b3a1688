"""What happened in an interval of a series, and what differs between two moments. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.debug.timeline.cards import evictions_by_cause, span_text
from app.debug.timeline.columns import Series
from app.words import format as fmt
from app.words.engine_words import said
from app.words.tr import tr

Line = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Stats:
    """Of the time from `start` to `end`, in seconds; whatever ended in it counts.

    Attributes:
        requests: that ended in it; their prompts' tokens, and those of their answers.
        evictions: how many and how many bytes, by what and why.
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
        """How many evictions, and bytes freed."""
        found = self.evictions.values()
        return sum(count for count, _ in found), sum(freed for _, freed in found)

    @property
    def reused_share(self) -> float | None:
        """Of the prompts' tokens."""
        total = self.reused + self.replayed + self.computed
        return self.reused / total if total else None


def stats_of(series: Series, start: float, end: float) -> Stats:
    """Of [start, end] in seconds, from where the series begins on."""
    start = max(start, series.start)
    end = max(start, end)
    requests = series.requests
    first = int(np.searchsorted(requests.ended, start, side="left"))
    last = int(np.searchsorted(requests.ended, end, side="right"))
    tokens = requests.tokens[first:last].sum(axis=0).tolist()
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
        events=span.stop - span.start,
        evictions=evictions_by_cause(series.events, span),
        prefill_rate=float(ran[0] / ran[2]) if ran[2] > 1e-9 else None,
        decode_rate=float(ran[1] / ran[3]) if ran[3] > 1e-9 else None,
        peak={name: held.peak(start, end) for name, held in series.levels.items() if len(held)},
    )


def stat_lines(stats: Stats) -> list[Line]:
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


def marker_lines(series: Series, a: float, b: float) -> list[Line]:
    """What differs at B from A, in seconds on the series' clock; what came between counts."""
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
