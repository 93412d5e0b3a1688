"""Compares two tapes of the same requests: figures by request, and sums. Without Qt."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.core.words import format as fmt
from app.core.words.joining import in_turn, more, sentence, titled
from app.core.words.tr import tr
from app.debugger.timeline.logic.cards import span_text
from app.debugger.timeline.logic.columns import ran_of
from app.ui.table_rows import Column, Sheet
from engine.journal.settings import CacheSettings, TraceHeader
from engine.journal.tape import TapedRequest

FIGURES = (tr("Prompt"), tr("Reused"), tr("Replayed"), tr("New"), tr("First token"))
_SECONDS = len(FIGURES) - 1
# More reused tokens are better; more of anything else is worse.
_MORE_IS_BETTER = (1,)

Figures = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """One request of either tape.

    Attributes:
        number: from 0.
        session: of A, or of B if A has no such request.
        title: of that conversation.
        a, b: tokens and seconds in the order of FIGURES; all None if there is no such request.
        same_prompt: both seem to have the same prompt.
    """

    number: int
    session: int
    title: str
    a: Figures
    b: Figures
    same_prompt: bool

    def change(self, figure: int) -> float | None:
        """B minus A; None unless both have it."""
        a, b = self.a[figure], self.b[figure]
        return None if a is None or b is None else b - a

    def values(self, figure: int) -> Figures:
        """The values of A, B, and B minus A."""
        return self.a[figure], self.b[figure], self.change(figure)


@dataclass(frozen=True, slots=True)
class SumLine:
    """The sum of a figure over all requests that both tapes have; for times, the mean."""

    name: str
    a: float
    b: float

    @property
    def text(self) -> str:
        show = span_text if self.name == FIGURES[_SECONDS] else lambda n: f"{n:,.0f}"
        change = self.b - self.a
        sign = "+" if change > 0 else "−" if change < 0 else "±"
        part = abs(100 * change / self.a) if self.a else 0.0
        share = more(f"{sign}{part:.0f}%") if 0.5 <= part < 1000 else ""
        mean = tr("mean ") if self.name == FIGURES[_SECONDS] else ""
        both = f"{show(self.a)} → {show(self.b)}"
        return f"{mean}{self.name.lower()} {both} ({sign}{show(abs(change))}{share})"


def compared(
    a: Sequence[TapedRequest], b: Sequence[TapedRequest], title: Callable[[int], str] = str
) -> tuple[Compared, ...]:
    """Match requests by number; `title`: the name of a conversation."""
    none: Figures = (None,) * len(FIGURES)
    made = []
    for number in range(max(len(a), len(b))):
        mine = a[number] if number < len(a) else None
        other = b[number] if number < len(b) else None
        known = mine or other
        assert known is not None
        made.append(
            Compared(
                number,
                known.session,
                title(known.session),
                none if mine is None else _figures(mine),
                none if other is None else _figures(other),
                mine is not None and other is not None and _same(mine, other),
            )
        )
    return tuple(made)


def sums(rows: Sequence[Compared]) -> tuple[SumLine, ...]:
    """Over the requests that both have."""
    both = [row for row in rows if row.a[0] is not None and row.b[0] is not None]
    made = []
    for figure, name in enumerate(FIGURES):
        pairs = [
            (a, b)
            for row in both
            if (a := row.a[figure]) is not None and (b := row.b[figure]) is not None
        ]
        if pairs:
            count = len(pairs) if figure == _SECONDS else 1
            first, second = (sum(values) / count for values in zip(*pairs, strict=True))
            made.append(SumLine(name, first, second))
    return tuple(made)


def sum_sentence(rows: Sequence[Compared]) -> str:
    """The sums on one line."""
    both = sum(1 for row in rows if row.a[0] is not None and row.b[0] is not None)
    if not both:
        return tr("The two traces have no request in common.")
    found = " · ".join(line.text for line in sums(rows) if line.name != FIGURES[0])
    differ = sum(
        1 for row in rows if row.a[0] is not None and row.b[0] is not None and not row.same_prompt
    )
    note = (
        tr("{requests} differ in the prompt.").format(requests=fmt.plural(differ, "request"))
        if differ
        else ""
    )
    return in_turn(sentence(titled(fmt.plural(both, "request"), found)), note)


def judged(row: Compared, figure: int) -> int:
    """1 if the difference is better, -1 if it is worse, else 0."""
    change = row.change(figure)
    # Times differ a little whatever the settings.
    least = 0.1 * (row.a[figure] or 0) if figure == _SECONDS else 0
    if figure == 0 or change is None or abs(change) <= least:
        return 0
    return 1 if (change > 0) == (figure in _MORE_IS_BETTER) else -1


def _column(figure: int, part: int) -> Column[Compared]:
    """Of A, of B, or the difference between them."""
    which = ("A", "B", "B − A")[part]

    def show(value: float) -> str:
        return span_text(value) if figure == _SECONDS else f"{value:,.0f}"

    def text(row: Compared) -> str:
        value = row.values(figure)[part]
        if part < 2:
            return "–" if value is None else show(value)
        sign = "" if not value else "+" if value > 0 else "−"
        return "" if value is None else f"{sign}{show(abs(value))}" if value else "0"

    def key(row: Compared) -> float:
        value = row.values(figure)[part]
        return math.inf if value is None else value

    def tone(row: Compared) -> str:
        return ("text", "good", "danger")[judged(row, figure) if part == 2 else 0]

    name = FIGURES[figure]
    # Beside one another on the screen; elsewhere every column needs its whole name.
    short = f"{name} A" if part == 0 else which
    return Column(f"{name} {which}", text, key, short=short, figures="right", tone=tone)


SHEET: Sheet[Compared] = Sheet(
    (
        Column(
            tr("Request"),
            lambda row: f"{row.number + 1:,}",
            lambda row: row.number,
            short="#",
            figures="right",
        ),
        Column(tr("Conversation"), lambda row: row.title),
        *(_column(figure, part) for figure in range(len(FIGURES)) for part in range(3)),
    ),
    lambda row: "" if row.same_prompt else tr("The two traces do not have the same prompt here."),
    descending=False,
)


def settings_text(header: TraceHeader | None) -> str:
    """What a trace was recorded with, on one line; "" if it does not say."""
    if header is None:
        return ""
    said: CacheSettings = header.settings
    parts = [
        header.model,
        tr("policy {policy}, {mode}").format(policy=said.policy, mode=said.mode),
        tr("a checkpoint every {interval:,} tokens, {decode_interval:,} in answers").format(
            interval=said.interval, decode_interval=said.decode_interval
        ),
        tr("device {device_bytes}").format(device_bytes=fmt.byte_size(said.device_bytes)),
    ]
    if said.host_bytes:
        parts.append(tr("host {host_bytes}").format(host_bytes=fmt.byte_size(said.host_bytes)))
    if said.disk:
        parts.append(tr("disk"))
    return " · ".join(part for part in parts if part)


def _figures(taped: TapedRequest) -> Figures:
    ran = ran_of(taped.bare)
    prompt = ran.reused + ran.replayed + ran.computed
    return (prompt, ran.reused, ran.replayed, ran.computed, taped.bare.first_token_s)


def _prompt(taped: TapedRequest) -> int:
    ran = taped.bare
    return ran.reused + ran.replayed + ran.computed


def _same(a: TapedRequest, b: TapedRequest) -> bool:
    """Prompts of one length; hashes of ids are of one recording alone, so ids tell nothing."""
    return _prompt(a) == _prompt(b)
