"""What was measured of this machine, in words: which format of the weights to choose, and why."""

from __future__ import annotations

from app.words import format as fmt
from app.words.tr import tr
from engine.machine_speed import FormatSpeed, MachineSpeed

# Fewer bits are not worth less than this much speed.
WORTH = 1.1
# What answers stay closest to the stored weights' has to give way only to far more speed.
FAR_WORTH = 1.5
NAMES = {"stored": tr("the weights as stored"), "int8": "int8", "int4": "int4"}


def advice(speed: MachineSpeed) -> str:
    """One sentence: which format to choose on this machine."""
    found = {each.weights: each for each in speed.formats}
    stored, int8, int4 = (found.get(name) for name in ("stored", "int8", "int4"))
    if stored is None or int8 is None or int4 is None:
        best = max(speed.formats, key=lambda each: each.decode_tok_s)
        return tr("Choose {names}: nothing measured answers faster.").format(
            names=NAMES.get(best.weights, best.weights)
        )
    eight, four = _times(int8, stored), _times(int4, stored)
    if max(eight, four) < WORTH:
        return tr(
            "Keep the weights as stored: in fewer bits answers would be no "
            "faster here, and int8 is for saving memory ({int8} of it)."
        ).format(int8=_share(int8, stored))
    if eight < WORTH:
        return tr(
            "Choose int4 if speed matters most ({four:.1f} times the stored "
            "weights', with more changed answers); else keep them as stored, "
            "because int8 is no faster here."
        ).format(four=four)
    more = _times(int4, int8)
    head = tr(
        "Choose int8: it answers {eight:.1f} times as fast as the stored "
        "weights, in {int8} of their memory, and predicts nearly the same"
    ).format(eight=eight, int8=_share(int8, stored))
    if more < WORTH:
        return tr("{head}; int4 is no faster here and predicts less alike.").format(head=head)
    if more < FAR_WORTH:
        return tr(
            "{head}; int4 is {more:.1f} times as fast again, but predicts less alike."
        ).format(head=head, more=more)
    return tr(
        "{head}; if speed matters most choose int4, {more:.1f} times as fast "
        "again, but with answers that differ more."
    ).format(head=head, more=more)


def opening_text(speed: MachineSpeed | None) -> str:
    """For whoever chooses a format: what was measured, or how to measure it."""
    if speed is None:
        return tr("“biplane bench quick” measures in two minutes which format suits this machine.")
    return f"{advice(speed)}\n{measured_text(speed)}"


def measured_text(speed: MachineSpeed) -> str:
    """When and on what it was measured, and what was found."""
    size = tr("{parameters:,.0f} million parameters").format(
        parameters=speed.parameters / 1000000.0
    )
    return (
        tr("Measured on {date} with {size}: ").format(date=speed.date, size=size)
        + ", ".join(f"{each.weights} {fmt.rate(each.decode_tok_s)}" for each in speed.formats)
        + "."
    )


def _times(one: FormatSpeed, other: FormatSpeed) -> float:
    return one.decode_tok_s / other.decode_tok_s


def _share(one: FormatSpeed, other: FormatSpeed) -> str:
    return f"{one.weight_bytes / other.weight_bytes:.0%}"
