"""Texts about models, kernels, machines and their problems. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import in_turn, listed, sentence
from app.core.words.tr import tr
from engine.machine_speed import FormatSpeed, MachineSpeed

if TYPE_CHECKING:
    from engine.model.inspect import ModelReport


# The kernels' own name for it, always in English.
OPERATORS = "PyTorch's operators"
GPU = "Triton and FLA"
# At most this many missing or wrong tensors are named.
NAMED = 5
# Lower precision must be at least this much faster to be recommended.
WORTH = 1.1
# int8, which predicts nearly the same, only gives way to far more speed.
FAR_WORTH = 1.5
NAMES = {"stored": tr("the weights as stored"), "int8": "int8", "int4": "int4"}


def advice(speed: MachineSpeed) -> str:
    """One sentence: the recommended format on this machine."""
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
    """The measurement, or how to make one, for choosing a format."""
    if speed is None:
        return tr("“biplane bench quick” measures in two minutes which format suits this machine.")
    return f"{advice(speed)}\n{measured_text(speed)}"


def measured_text(speed: MachineSpeed) -> str:
    """The time, machine and result of a measurement."""
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


def problem_lines(report: ModelReport) -> list[str]:
    """Why the model cannot be opened."""
    made: list[str] = []
    if report.missing_files:
        made.append(
            tr("Missing files: {missing_files}; download them again.").format(
                missing_files=_named(report.missing_files)
            )
        )
    if report.missing:
        made.append(
            tr("Missing tensors ({missing:,}): {missing2}.").format(
                missing=len(report.missing), missing2=_named(report.missing)
            )
        )
    made += report.wrong[:NAMED]
    if len(report.wrong) > NAMED:
        made.append(
            tr("{wrong:,} more tensors cannot be loaded as they are.").format(
                wrong=len(report.wrong) - NAMED
            )
        )
    return ["", *made] if made else []


def _named(names: tuple[str, ...]) -> str:
    rest = tr(" and {names:,} more").format(names=len(names) - NAMED) if len(names) > NAMED else ""
    return listed(names[:NAMED]) + rest


def kernels_sentence(kernels: str) -> str:
    """The sentence for a phrase such as "AMX" or "AVX-512 (BF16)"."""
    if kernels == OPERATORS:
        return tr(
            "Runs on {operators}; no compiled kernels are in use, so answers take longer."
        ).format(operators=said(kernels))
    if kernels == GPU:
        return tr("Runs on the GPU's kernels of {gpu}.").format(gpu=said(kernels))
    return tr("Runs on kernels compiled for this processor ({kernels}).").format(
        kernels=said(kernels)
    )


@dataclass(frozen=True, slots=True)
class SwitchCost:
    """The cost of opening a conversation's model.

    Attributes:
        load_s: seconds to open it; None if it never was.
        tokens: in the conversation; 0 if unknown.
        read_s: seconds to prefill all of them; None if unknown.
        files: its cache is kept in files, so most of them need no prefill.
    """

    load_s: float | None
    tokens: int
    read_s: float | None
    files: bool


def switch_sentence(name: str, open_name: str, cost: SwitchCost, *, waits: bool) -> str:
    """The conversation's model, and the cost of switching to it.

    Args:
        open_name: "" if no model is open.
        waits: whether a message waits for the decision.
    """
    if open_name:
        said = tr("This conversation is with {name}, and {other} is open.")
    else:
        said = tr("This conversation is with {name}.")
    parts = [said.format(name=name, other=open_name), _time(cost)]
    if waits:
        parts.append(tr("Your message waits until you choose."))
    return in_turn(*parts)


def _time(cost: SwitchCost) -> str:
    if cost.load_s is None:
        opening = tr("How long opening it takes is not known yet")
    else:
        opening = tr("Opening it takes {time}").format(time=fmt.about(cost.load_s))
    if not cost.tokens:
        return sentence(opening)
    tokens = fmt.plural(cost.tokens, "token")
    if cost.files:
        rest = tr("its {tokens} are expected back from the cache on disk").format(tokens=tokens)
    elif cost.read_s is None:
        rest = tr("its {tokens} have to be read again").format(tokens=tokens)
    else:
        rest = tr("its {tokens} have to be read again, {time}").format(
            tokens=tokens, time=fmt.about(cost.read_s)
        )
    return tr("{opening}; {rest}.").format(opening=opening, rest=rest)


def switch_offer(name: str) -> str:
    """The text of the button that opens the conversation's own model."""
    return tr("Open {name}").format(name=name)


def stay_offer(open_name: str) -> str:
    """The text of the button that keeps the open one."""
    return tr("Go on with {name}").format(name=open_name)
