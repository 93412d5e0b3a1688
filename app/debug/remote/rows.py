"""The table of engines that run elsewhere: one row for each. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from app.debug.remote.words import blank_sentence, gap_sentence, late_sentence
from app.words import format as fmt
from app.words.joining import listed, sentence
from app.words.tr import tr
from engine.remote.tree.fleet import Facts

COLUMNS = (
    tr("Engine"),
    tr("Chosen prefix"),
    tr("Blocks"),
    tr("Tokens a block"),
    tr("In doubt"),
    tr("Not drawn"),
    tr("Events"),
    tr("Batches lost"),
    tr("Sent again"),
    tr("Not understood"),
    tr("States"),
)


def cells(one: Facts, holds: int | None) -> tuple[str, ...]:
    """The row of an engine; `holds`: tokens of the chosen prefix that it has, if one is chosen."""
    return (
        one.label,
        "" if holds is None else fmt.plural(holds, "token"),
        fmt.count(one.blocks),
        fmt.count(one.block_size) if one.block_size else "",
        fmt.count(one.doubtful),
        fmt.count(one.unplaced),
        fmt.count(one.events),
        fmt.count(one.lost),
        fmt.count(one.repeated),
        fmt.count(one.unread + one.unknown),
        tr("told") if one.states else tr("not told"),
    )


def holders_sentence(labels: Sequence[str], holds: Sequence[int], end: int) -> str:
    """Where the chosen prefix lives."""
    whole = [label for label, held in zip(labels, holds, strict=True) if held >= end]
    part = sum(0 < held < end for held in holds)
    where = listed(whole) if whole else tr("no engine")
    said = tr("The chosen prefix of {n} is whole on {where}").format(
        n=fmt.plural(end, "token"), where=where
    )
    if part:
        said += tr(", and in part on {n}").format(n=fmt.plural(part, "other"))
    return sentence(said)


def sentences(facts: Sequence[Facts]) -> list[str]:
    """What of the engines is not known, and why."""
    found = [said for one in facts for said in _sentences(one) if said]
    windows = sum(one.windows for one in facts)
    elsewhere = sum(one.elsewhere for one in facts)
    if windows:
        found.append(
            tr("{n} of layers with a window are counted, not drawn.").format(
                n=fmt.plural(windows, "event")
            )
        )
    if elsewhere:
        found.append(
            tr("{n} of tiers beyond device and host are counted, not drawn.").format(
                n=fmt.plural(elsewhere, "event")
            )
        )
    return found


def _sentences(one: Facts) -> tuple[str, ...]:
    return gap_sentence(one), late_sentence(one), blank_sentence(one)
