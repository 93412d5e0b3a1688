"""Sentences about remote engines. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.words import format as fmt
from app.core.words.joining import listed
from app.core.words.tr import tr
from engine.net.kv_events.fleet import Facts
from engine.snapshot import Untold

# Trees drawn later than this are reported as late.
LATE_S = 2.0
# Engines named in a line; there may be 64.
MOST_NAMED = 4
_UNTOLD: dict[Untold, str] = {
    "states": tr("which recurrent states it has"),
    "locks": tr("what is locked"),
    "uses": tr("when and how often something was used"),
    "sizes": tr("how large its pools are"),
    "requests": tr("which requests it was sent"),
}


def untold_sentence(untold: Sequence[Untold]) -> str:
    """What the engine does not report, "" if it reports everything."""
    if not untold:
        return ""
    parts = [_UNTOLD[one] for one in untold]
    *first, last = parts
    named = f"{listed(first)}{tr(' and ')}{last}" if first else last
    return tr("The engine does not tell {named}.").format(named=named)


def news(facts: Sequence[Facts]) -> list[str]:
    """Problems with the data, in a few words each."""
    lost = sum(one.lost for one in facts)
    doubtful = sum(one.doubtful for one in facts)
    unplaced = sum(one.unplaced for one in facts)
    unread = sum(one.unread + one.unknown for one in facts)
    said = []
    if lost:
        said.append(tr("{n} lost").format(n=fmt.plural(lost, "batch").replace("batchs", "batches")))
    if doubtful:
        said.append(tr("{n} in doubt").format(n=fmt.plural(doubtful, "block")))
    if unplaced:
        said.append(tr("{n} without their beginning").format(n=fmt.plural(unplaced, "block")))
    if unread:
        said.append(tr("{n} not understood").format(n=fmt.plural(unread, "event")))
    return said


def load_sentence(late_s: float, unlisted: int) -> list[str]:
    """What is dropped under load: first inferred requests, then fine moments."""
    said = []
    if unlisted:
        said.append(tr("busy: {n} not listed").format(n=fmt.plural(unlisted, "inferred request")))
    if late_s > LATE_S:
        said.append(tr("drawn {t} late, no event is left out").format(t=fmt.seconds(late_s)))
    return said


def gap_sentence(one: Facts) -> str:
    """The effect of lost batches, "" without any."""
    if not one.doubtful:
        return ""
    return tr(
        "{label} lost {lost} batches that could not be had again: {doubtful} of its {blocks} blocks"
        " were not heard of since and may be gone. They are drawn with a dashed edge."
    ).format(
        label=one.label,
        lost=fmt.count(one.lost),
        doubtful=fmt.count(one.doubtful),
        blocks=fmt.count(one.blocks),
    )


def late_sentence(one: Facts) -> str:
    """What was published before the subscription began, "" if nothing was."""
    if not one.late and not one.unplaced:
        return ""
    return tr(
        "{label} had sent {late} batches before the first that could be had: what was stored then"
        " is not known, and {unplaced} blocks that follow it are counted, not drawn."
    ).format(label=one.label, late=fmt.count(one.late), unplaced=fmt.count(one.unplaced))


def blank_sentence(one: Facts) -> str:
    """What is known only from a dump, "" if nothing is."""
    if not one.blank:
        return ""
    return tr(
        "{blank} of the blocks of {label} are from the indexer's dump, which does not tell their"
        " tokens: no prompt can be compared with them, so more may be reused than is expected."
    ).format(blank=fmt.count(one.blank), label=one.label)


def also_words(others: Sequence[tuple[str, int]], end: int) -> str:
    """Which other engines have a prefix of `end` tokens, and how much of it each has."""
    whole = [label for label, held in others if held >= end]
    part = [
        tr("{label} to token {held}").format(label=label, held=fmt.count(held))
        for label, held in others
        if 0 < held < end
    ]
    named = [*whole, *part]
    if not named:
        return tr("no other engine")
    rest = len(named) - MOST_NAMED
    words = listed(named[:MOST_NAMED])
    return words if rest <= 0 else tr("{words} and {n} more").format(words=words, n=rest)
