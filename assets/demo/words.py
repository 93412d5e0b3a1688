"""Values that people tell about themselves: names, numbers, places, things."""

from __future__ import annotations

import hashlib
from random import Random

from assets.demo.tables import table

_TABLE = table("words")

FIRST_NAMES: list[str] = _TABLE["first_names"]
PET_NAMES: list[str] = _TABLE["pet_names"]
CITIES: list[str] = _TABLE["cities"]
COLOURS: list[str] = _TABLE["colours"]
FOODS: list[str] = _TABLE["foods"]
DRINKS: list[str] = _TABLE["drinks"]
JOBS: list[str] = _TABLE["jobs"]
HOBBIES: list[str] = _TABLE["hobbies"]
ANIMALS: list[str] = _TABLE["animals"]
WILD_ANIMALS: list[str] = _TABLE["wild_animals"]
INSTRUMENTS: list[str] = _TABLE["instruments"]
SEASONS: list[str] = _TABLE["seasons"]
FRUITS: list[str] = _TABLE["fruits"]
LANGUAGES: list[str] = _TABLE["languages"]
MONTHS: list[str] = _TABLE["months"]
WORDS: list[str] = _TABLE["words"]

_ONSETS: list[str] = _TABLE["onsets"]
_VOWELS: list[str] = _TABLE["vowels"]
_ENDINGS: list[str] = _TABLE["endings"]


def held_out(value: str) -> bool:
    """Whether a name or number belongs to the evaluation set, which no training draw returns."""
    return hashlib.sha256(value.lower().encode()).digest()[0] % 8 == 0


def invented_name(random: Random) -> str:
    """A made-up capitalised name of two to four syllables."""
    syllables = random.choice((1, 1, 2, 2, 3))
    text = "".join(random.choice(_ONSETS) + random.choice(_VOWELS) for _ in range(syllables))
    return (
        text + random.choice(_ONSETS) + random.choice("aeiou") + random.choice(_ENDINGS)
    ).title()


def person_name(random: Random, unseen: bool = False) -> str:
    """A first name, half of them invented; from the evaluation set where `unseen`."""
    while True:
        known = random.random() < 0.5
        name = random.choice(FIRST_NAMES) if known else invented_name(random)
        if held_out(name) == unseen:
            return name


def number(random: Random, low: int = 2, high: int = 6, unseen: bool = False) -> str:
    """A number of `low` to `high` digits; from the evaluation set where `unseen`."""
    while True:
        digits = random.randint(low, high)
        value = str(random.randrange(10 ** (digits - 1), 10**digits))
        if held_out(value) == unseen:
            return value
