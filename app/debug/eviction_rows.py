"""The lines of the evictions table: what stands in each column, and the sums above. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from app.cache.event_rows import PLANE_WORDS, EventRow, Sheet, kind_of, span_words
from app.cache.eviction_words import eviction_sentence
from app.cache.table import TIERS
from app.words import format as fmt
from app.words.engine_words import said
from app.words.explain import clip
from app.words.tr import tr
from engine.trace.ledger import KnownEviction, Ledger
from engine.trace.needs import Need
from engine.trace.tape import Tape

# An eviction counts as regretted if it was needed again within so many requests.
WITHIN = 10
MOST_WITHIN = 1000
# Decoded for a line, at most.
_TEXT_TOKENS = 24


class Column(IntEnum):
    """The columns, from left to right."""

    TIME = 0
    CAUSE = 1
    PLANE = 2
    NODE = 3
    TIER = 4
    TOKENS = 5
    BYTES = 6
    AGE = 7
    UNUSED = 8
    RANK = 9
    NEEDED = 10
    TEXT = 11


HEADINGS = (
    tr("Time"),
    tr("Cause"),
    tr("Plane"),
    tr("Node"),
    tr("Left"),
    tr("Tokens"),
    tr("Bytes"),
    tr("Age"),
    tr("Unused"),
    tr("Rank"),
    tr("Needed again"),
    tr("Text"),
)
HINTS = (
    tr("When it happened, from the beginning of the recording"),
    tr("Why it was evicted"),
    tr("What was evicted: keys and values, the state, or both"),
    tr("The node's number on the tier that it left"),
    tr("The tier that it left"),
    tr("Its span in the prompt; a state is the one at a position"),
    tr("Bytes freed on the tier that it left"),
    tr("How long it had been stored"),
    tr("How long it had not been used"),
    tr(
        "Its place by last use among those of its kind on that tier: 1 was unused "
        "the longest. A policy other than lru may let another go first"
    ),
    tr(
        "The first request that had to run its tokens again: how many requests "
        "later, and how many tokens a copy of it would have saved"
    ),
    tr("How it begins, where that is known"),
)


def row_of(number: int, ledger: Ledger, tape: Tape, within: int) -> EventRow:
    """The line of the ledger's eviction `number`."""
    known, need = ledger.evictions[number], ledger.need(number)
    gone = known.evicted
    state, file = gone.plane == "state", gone.tier == "disk"
    seconds = gone.time - tape.time(0)
    text = clip(text_of(known, tape))
    cells = (
        clock(seconds),
        said(gone.cause),
        PLANE_WORDS[gone.plane],
        "" if file else str(gone.node),
        said(gone.tier),
        fmt.count(gone.end)
        if state
        else tr("{start} to {end}").format(start=fmt.count(gone.start), end=fmt.count(gone.end)),
        fmt.byte_size(known.bytes),
        "" if known.age_s is None else span_words(known.age_s),
        "" if known.unused_s is None else span_words(known.unused_s),
        tr("{rank} of {among}").format(rank=known.rank, among=known.among) if known.rank else "",
        needed_words(need) if ledger.knows(number) else tr("not known"),
        f"“{text}”" if text else "",
    )
    keys = (
        seconds,
        gone.cause,
        cells[Column.PLANE],
        -1.0 if file else float(gone.node),
        float(TIERS.index(gone.tier)),
        float(gone.end if state else gone.start),
        float(known.bytes),
        _key(known.age_s),
        _key(known.unused_s),
        known.rank / known.among if known.among else -1.0,
        -1.0 if need is None else float(need.tokens),
        text.casefold(),
    )
    regretted = need is not None and need.after <= within
    sentence = f"{eviction_sentence(gone)} {_afterwards(need, within)}".strip()
    return EventRow(
        number=number + 1,
        kind="regretted" if regretted else kind_of(gone),
        cause=gone.cause,
        cells=cells,
        keys=keys,
        freed=known.bytes,
        sentence=sentence,
        sought=f"{' '.join(cells)} {sentence}".casefold(),
        entry=known,
    )


def sums_text(ledger: Ledger, within: int) -> tuple[str, ...]:
    """All evictions in a line, and shorter ones: how many, how much, how many regretted."""
    total = len(ledger.evictions)
    if not total:
        return tr("Nothing was evicted."), tr("None.")
    freed = fmt.byte_size(sum(known.bytes for known in ledger.evictions))
    regretted = [need for need in ledger.needs if need.after <= within]
    share = fmt.percent(len(regretted) / total)
    again = sum(need.tokens for need in regretted)
    short = tr("{evictions} · {freed} · {share} regretted").format(
        evictions=fmt.plural(total, "eviction"), freed=freed, share=share
    )
    whole = (
        tr("{short}, which cost {tokens}").format(short=short, tokens=fmt.plural(again, "token"))
        if regretted
        else short
    )
    return (
        whole,
        short,
        tr("{total} · {share} regretted").format(total=fmt.count(total), share=share),
    )


def needed_words(need: Need | None) -> str:
    """ "next, 320 tok" of the very next request; "no" if it was not needed again."""
    if need is None:
        return tr("no")
    when = tr("next") if need.after == 1 else tr("{after} later").format(after=need.after)
    return tr("{when}, {tokens} tok").format(when=when, tokens=fmt.count(need.tokens))


def text_of(known: KnownEviction, tape: Tape) -> str:
    """How its tokens begin; "" if that is not known."""
    ran, gone = known.request, known.evicted
    if ran is None or not tape.pieces:
        return ""
    start = gone.start if gone.plane != "state" else max(gone.end - _TEXT_TOKENS, 0)
    end = min(start + _TEXT_TOKENS, gone.end)
    total = len(ran.prompt)
    tokens: Iterable[int] = (
        *ran.prompt[start:end].tolist(),
        *ran.decoded[max(start - total, 0) : max(end - total, 0)].tolist(),
    )
    return tape.text(tokens)


def clock(seconds: float) -> str:
    """Time on a tape: "1:02.3", "1:02:03"."""
    whole = max(int(seconds), 0)
    if whole < 3600:
        return f"{whole // 60}:{max(seconds, 0.0) % 60:04.1f}"
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def _afterwards(need: Need | None, within: int) -> str:
    if need is None:
        return ""
    verdict = (
        ""
        if need.after <= within
        else tr(", which is more than {within} and counts as none").format(within=within)
    )
    later = fmt.plural(need.after, "request")
    tokens = fmt.plural(need.tokens, "token")
    return tr(
        "It was needed {later} later{verdict}: with it, {tokens} fewer would have run."
    ).format(later=later, verdict=verdict, tokens=tokens)


def _key(seconds: float | None) -> float:
    return -1.0 if seconds is None else seconds


def _tone(row: EventRow, column: int) -> str:
    if column == Column.NEEDED and row.kind == "regretted":
        return "danger"
    return "text" if column in (Column.CAUSE, Column.TEXT) else "dim"


SHEET = Sheet(
    HEADINGS,
    HINTS,
    frozenset(
        {
            Column.TIME,
            Column.NODE,
            Column.TOKENS,
            Column.BYTES,
            Column.AGE,
            Column.UNUSED,
            Column.RANK,
        }
    ),
    {
        Column.TIME: "00:00.0",
        Column.CAUSE: "tombstone chain",
        Column.PLANE: tr("KV + state"),
        Column.NODE: "8888",
        Column.TIER: "device",
        Column.TOKENS: "8,888 to 8,888",
        Column.BYTES: "88.8 MiB",
        Column.AGE: "88 min",
        Column.UNUSED: "88 min",
        Column.RANK: "88 of 88",
        Column.NEEDED: "8 later, 888 tok",
    },
    Column.TIME,
    _tone,
    (Column.UNUSED, Column.AGE, Column.RANK, Column.TIME, Column.TOKENS),
)
