"""The invariants and the sums as lines: held or violated, and what each one says. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.debug.sums import Sum
from app.words import format as fmt
from app.words.engine_words import said
from app.words.joining import listed
from app.words.tr import tr
from engine.snapshot import Checked, InvariantName

SENTENCES: dict[InvariantName, str] = {
    "tree": tr(
        "Every node begins where its parent ends, has tokens and as many KV slots, "
        "and begins with another token than its siblings"
    ),
    "KV owners": tr(
        "Every KV slot of the tree belongs to one node, and every cached slot to a node"
    ),
    "KV pool": tr("Free, live and cached KV slots are all there are, and the free ones are listed"),
    "states": tr(
        "Every cached state slot is the checkpoint of one node; with the free and "
        "live ones they are all there are"
    ),
    "locks": tr(
        "Every lock count is the number of locks held there, and KV is locked wherever a state is"
    ),
    "tombstones": tr("No leaf that nobody holds is a tombstone, whose KV no state could use"),
}


NAMES: dict[InvariantName, str] = {
    "tree": tr("tree"),
    "KV owners": tr("KV owners"),
    "KV pool": tr("KV pool"),
    "states": tr("states"),
    "locks": tr("locks"),
    "tombstones": tr("tombstones"),
}


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One line.

    Attributes:
        figures: how long the check took, or both sides of the sum.
        problem: what is violated and where, "" if it holds.
    """

    name: str
    sentence: str
    figures: str
    problem: str

    @property
    def holds(self) -> bool:
        return not self.problem


def invariant_rows(checked: Iterable[Checked]) -> list[CheckRow]:
    return [
        CheckRow(
            f"{NAMES[one.name]} · {said(one.tier)}",
            SENTENCES[one.name],
            f"{1e3 * one.seconds:.2f} ms",
            one.problem,
        )
        for one in checked
    ]


def sum_rows(sums: Iterable[Sum]) -> list[CheckRow]:
    return [
        CheckRow(
            one.name,
            one.sentence,
            one.figures,
            "" if one.holds else tr("{figures} here").format(figures=one.figures),
        )
        for one in sums
    ]


def status(
    checked: tuple[Checked, ...], sums: Iterable[Sum], moments: int, bad: int
) -> tuple[str, ...]:
    """All of it in a sentence or two; `bad` of `moments` that were on screen did not add up."""
    violated = [one.problem for one in checked if one.problem]
    wrong = [one.name for one in sums if not one.holds]
    if violated:
        return (tr("Violated: {violated}.").format(violated=violated[0]),)
    if wrong:
        return (tr("This moment does not add up: {wrong}.").format(wrong=listed(wrong)),)
    told = []
    if checked:
        took = sum(one.seconds for one in checked)
        told.append(
            tr("All {checked} invariants hold, checked in {took:.1f} ms.").format(
                checked=len(checked), took=1000.0 * took
            )
        )
    if moments:
        seen = fmt.plural(moments, "moment")
        sure = tr("all of them add up") if not bad else tr("{bad:,} did not add up").format(bad=bad)
        told.append(tr("{seen} seen, {sure}.").format(seen=seen, sure=sure))
    return tuple(told) or (tr("Nothing has been checked yet."),)
