"""What was measured of this machine, in words: which format of the weights to choose, and why."""

from __future__ import annotations

from app.words import format as fmt
from engine.machine_speed import FormatSpeed, MachineSpeed

# Fewer bits are not worth less than this much speed.
WORTH = 1.1
# What answers stay closest to the stored weights' has to give way only to far more speed.
FAR_WORTH = 1.5
NAMES = {"stored": "the weights as stored", "int8": "int8", "int4": "int4"}


def advice(speed: MachineSpeed) -> str:
    """One sentence: which format to choose on this machine."""
    found = {each.weights: each for each in speed.formats}
    stored, int8, int4 = (found.get(name) for name in ("stored", "int8", "int4"))
    if stored is None or int8 is None or int4 is None:
        best = max(speed.formats, key=lambda each: each.decode_tok_s)
        return f"Choose {NAMES.get(best.weights, best.weights)}: nothing measured answers faster."
    eight, four = _times(int8, stored), _times(int4, stored)
    if max(eight, four) < WORTH:
        return (
            "Keep the weights as stored: in fewer bits answers would be no faster here, and int8 "
            f"is for saving memory ({_share(int8, stored)} of it)."
        )
    if eight < WORTH:
        return (
            f"Choose int4 if speed matters most ({four:.1f} times the stored weights', with "
            "more changed answers); else keep them as stored, because int8 is no faster here."
        )
    more = _times(int4, int8)
    head = (
        f"Choose int8: it answers {eight:.1f} times as fast as the stored weights, in "
        f"{_share(int8, stored)} of their memory, and predicts nearly the same"
    )
    if more < WORTH:
        return f"{head}; int4 is no faster here and predicts less alike."
    if more < FAR_WORTH:
        return f"{head}; int4 is {more:.1f} times as fast again, but predicts less alike."
    return (
        f"{head}; if speed matters most choose int4, {more:.1f} times as fast again, but with "
        "answers that differ more."
    )


def opening_text(speed: MachineSpeed | None) -> str:
    """For whoever chooses a format: what was measured, or how to measure it."""
    if speed is None:
        return "“biplane bench quick” measures in two minutes which format suits this machine."
    return f"{advice(speed)}\n{measured_text(speed)}"


def measured_text(speed: MachineSpeed) -> str:
    """When and on what it was measured, and what was found."""
    size = f"{speed.parameters / 1e6:,.0f} million parameters"
    return (
        f"Measured on {speed.date} with {size}: "
        + ", ".join(f"{each.weights} {fmt.rate(each.decode_tok_s)}" for each in speed.formats)
        + "."
    )


def _times(one: FormatSpeed, other: FormatSpeed) -> float:
    return one.decode_tok_s / other.decode_tok_s


def _share(one: FormatSpeed, other: FormatSpeed) -> str:
    return f"{one.weight_bytes / other.weight_bytes:.0%}"
