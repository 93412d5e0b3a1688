"""Names and numbers told and asked for in everyday wording, far from "my name is"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Any

from assets.demo import requests, words
from assets.demo.tables import table

_TABLE = table("everyday")

NAME_TOLD: list[str] = _TABLE["name_told"]
NAME_ASKED: list[str] = _TABLE["name_asked"]
THINGS: list[dict[str, list[str]]] = _TABLE["things"]
NOUNS: list[str] = _TABLE["nouns"]
NOUN_TOLD: list[str] = _TABLE["noun_told"]
NOUN_ASKED: list[str] = _TABLE["noun_asked"]
PLURALS: list[str] = _TABLE["plurals"]
COUNT_TOLD: list[str] = _TABLE["count_told"]
COUNT_ASKED: list[str] = _TABLE["count_asked"]
TWO_ASKED: list[str] = _TABLE["two_asked"]
BOTH_ASKED: list[str] = _TABLE["both_asked"]
COMPOSED: list[dict[str, Any]] = _TABLE["composed"]
VERBS: list[tuple[str, str]] = [(base, past) for base, past in _TABLE["verbs"]]
SLOTS: dict[str, list[str]] = _TABLE["slots"]
WRAPS: dict[str, list[str]] = _TABLE["wraps"]
ANSWERS: dict[str, list[str]] = _TABLE["answers"]
MARK_INSIDE = re.compile(r"[.?!],")


@dataclass(frozen=True, slots=True)
class Told:
    """A fact as a user tells it.

    Attributes:
        kind: "name" or "number".
        value: what must be remembered.
        said: the sentence that tells it.
        asked: sentences that ask for it.
    """

    kind: str
    value: str
    said: str
    asked: tuple[str, ...]


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _inside(text: str) -> str:
    """A sentence as part of another, without its mark."""
    keep = text.startswith(("I ", "I'")) or not text[0].isalpha()
    return (text if keep else text[0].lower() + text[1:]).rstrip(".?!")


def _dressed(random: Random, fact: Told) -> Told:
    """`fact` with something said around it, now and then."""
    said = fact.said
    plain = said[-1] == "." and not said.startswith(fact.value)
    if plain and random.random() < 0.15:
        said = f"{said[:-1]} {random.choice(WRAPS[f'{fact.kind}_tail'])}."
    if plain and random.random() < 0.12:
        said = random.choice(WRAPS["told"]).format(x=_inside(said))
    return Told(fact.kind, fact.value, said, fact.asked)


def composed(random: Random, kind: str, value: str) -> Told:
    """A fact whose people, things and actions are drawn at random."""
    entry = random.choice([entry for entry in COMPOSED if entry["kind"] == kind])
    base, past = random.choice(VERBS)
    words_of = {key: random.choice(values) for key, values in SLOTS.items()}
    words_of |= {"base": base, "past": past, "noun": _noun(random), "p": _plural(random)}
    if random.random() < 0.1:
        words_of[random.choice(("thing", "place", "rel", "off"))] = _invented(random)
    said = random.choice(entry["told"]).format(v=value, **words_of)
    asked = tuple(frame.format(**words_of) for frame in entry["asked"])
    return Told(kind, value, _sentence(said), asked)


def name(random: Random) -> Told:
    """The user's name."""
    return _dressed(random, _name(random))


def number(random: Random) -> Told:
    """A number of something in the user's life."""
    return _dressed(random, _number(random))


def _name(random: Random) -> Told:
    value = words.person_name(random)
    if random.random() < 0.03:
        value = value.lower()
    if random.random() < 0.55:
        return composed(random, "name", value)
    said = random.choice(NAME_TOLD).format(v=value)
    return Told("name", value, said, tuple(NAME_ASKED))


def _invented(random: Random) -> str:
    """A word that exists nowhere."""
    return words.invented_name(random).lower()


def _plural(random: Random) -> str:
    """Things that can be counted; some of them exist nowhere."""
    return _invented(random) + "s" if random.random() < 0.15 else random.choice(PLURALS)


def _noun(random: Random) -> str:
    """A thing that may carry a number; some are things that exist nowhere."""
    roll = random.random()
    if roll < 0.15:
        return _invented(random)
    if roll < 0.3:
        return random.choice(requests.SLOTS["device"])
    return random.choice(NOUNS)


def _number(random: Random) -> Told:
    value = words.number(random, 1 if random.random() < 0.1 else 2, 5)
    roll = random.random()
    if roll < 0.65:
        return composed(random, "number", value)
    if roll < 0.8:
        thing = random.choice(THINGS)
        return Told(
            "number",
            value,
            _sentence(random.choice(thing["told"]).format(v=value)),
            tuple(thing["asked"]),
        )
    if roll < 0.9:
        noun = _noun(random)
        said = random.choice(NOUN_TOLD).format(n=noun, v=value)
        return Told(
            "number", value, _sentence(said), tuple(frame.format(n=noun) for frame in NOUN_ASKED)
        )
    plural = _plural(random)
    said = random.choice(COUNT_TOLD).format(p=plural, v=value)
    asked = tuple(frame.format(p=plural) for frame in COUNT_ASKED)
    return Told("number", value, _sentence(said), asked)


def ask(random: Random, fact: Told) -> tuple[str, str]:
    """A question for `fact`, and the answer."""
    answer = random.choice(ANSWERS[fact.kind]).format(v=fact.value)
    asked = random.choice(fact.asked)
    if asked[-1] == "?" and random.random() < 0.15:
        asked = random.choice(WRAPS["asked"]).format(x=_inside(asked))
    return asked, answer


def ask_both(random: Random, named: Told, numbered: Told, alone: bool) -> tuple[str, str]:
    """A question for a name and a number; `alone` where no other number was told."""
    answer = random.choice(ANSWERS["both"]).format(v=named.value, w=numbered.value)
    if alone and random.random() < 0.2:
        return random.choice(BOTH_ASKED), answer
    pair = [random.choice(named.asked), random.choice(numbered.asked)]
    random.shuffle(pair)
    first, second = pair
    if random.random() < 0.4:
        return joined(random, first, second), answer
    lower = [text[0].lower() + text[1:] for text in pair]
    frame = random.choice(TWO_ASKED)
    said = frame.format(a=first, b=second, a2=lower[0], b2=lower[1])
    return MARK_INSIDE.sub(",", said), answer


def joined(random: Random, first: str, second: str) -> str:
    """Two sentences as one."""
    link = random.choice((" and ", ", and ", " and ", ", ", "; "))
    return first.rstrip(".?!") + link + _inside(second) + second[-1]
