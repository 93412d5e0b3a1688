"""A conversation and its model, in words. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.words import format as fmt
from app.words.joining import in_turn, sentence
from app.words.tr import tr


@dataclass(frozen=True, slots=True)
class SwitchCost:
    """What opening the model of a conversation costs.

    Attributes:
        load_s: seconds until it is open; None if it never was.
        tokens: of the conversation, 0 if unknown.
        read_s: seconds to read them all; None if unknown.
        files: its cache is kept in files, so most of them need not be read.
    """

    load_s: float | None
    tokens: int
    read_s: float | None
    files: bool


def switch_sentence(name: str, open_name: str, cost: SwitchCost, *, waits: bool) -> str:
    """Which model the conversation is with, and what going there costs.

    Args:
        open_name: "" if no model is open.
        waits: a message waits for the decision.
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
    """The button that opens the conversation's own model."""
    return tr("Open {name}").format(name=name)


def stay_offer(open_name: str) -> str:
    """The button that goes on with the open one."""
    return tr("Go on with {name}").format(name=open_name)
