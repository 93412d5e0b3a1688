"""What a user can tell about themselves, and how it is told, asked, answered and corrected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from assets.demo import words
from assets.demo.tables import table

Draw = Callable[[Random], str]


def _one_of(values: list[str]) -> Draw:
    return lambda random: random.choice(values)


def _digits(low: int, high: int) -> Draw:
    return lambda random: words.number(random, low, high)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of fact.

    Attributes:
        noun: what follows "my", as in "my lucky number".
        draw: makes a value.
        told: extra ways to say it, with {v} for the value.
        asked: extra ways to ask for it.
        answered: extra answers.
    """

    noun: str
    draw: Draw
    told: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()


_TABLE = table("facts")


def _listed(name: str, draw: Draw) -> Kind:
    entry = _TABLE["kinds"][name]
    told, asked, answered = (tuple(entry[key]) for key in ("told", "asked", "answered"))
    return Kind(entry["noun"], draw, told, asked, answered)


NAME = _listed("name", words.person_name)
CITY = _listed("city", _one_of(words.CITIES))
JOB = _listed("job", _one_of(words.JOBS))
AGE = _listed("age", _digits(2, 2))
FOOD = _listed("food", _one_of(words.FOODS))
DRINK = _listed("drink", _one_of(words.DRINKS))
HOBBY = _listed("hobby", _one_of(words.HOBBIES))
COLOUR = _listed("colour", _one_of(words.COLOURS))
LUCKY = _listed("lucky", _digits(1, 5))
CODE = _listed("code", _digits(3, 6))
NUMBER = _listed("number", _digits(2, 6))
BIRTHPLACE = _listed("birthplace", _one_of(words.CITIES))
BIRTHDAY = _listed(
    "birthday", lambda random: f"{random.randint(1, 28)} {random.choice(words.MONTHS)}"
)
CAR = _listed("car", _one_of(words.COLOURS))
WORD = _listed("word", _one_of(words.WORDS))

COMMON = (
    NAME,
    NAME,
    NAME,
    CITY,
    JOB,
    AGE,
    FOOD,
    DRINK,
    HOBBY,
    COLOUR,
    LUCKY,
    LUCKY,
    CODE,
    CODE,
    NUMBER,
    WORD,
    BIRTHPLACE,
    BIRTHDAY,
    CAR,
)


def pet(random: Random) -> Kind:
    """A pet of a random sort, whose value is its name."""
    animal = random.choice(words.ANIMALS)
    return Kind(
        f"{animal}'s name",
        lambda r: r.choice(words.PET_NAMES) if r.random() < 0.6 else words.person_name(r),
        (
            f"I have a {animal} called {{v}}.",
            f"I have a {animal} named {{v}}.",
            f"My {animal} is called {{v}}.",
            f"My {animal} {{v}} is asleep next to me.",
            f"I just got a {animal}. Its name is {{v}}.",
            f"My {animal}'s called {{v}}.",
            f"{{v}} is my {animal}.",
            f"I have a {animal}, {{v}}.",
        ),
        (
            f"What is my {animal} called?",
            "What is my pet called?",
            "What's my pet's name?",
            f"Do you remember what my {animal} is called?",
            f"How is my {animal} called?",
        ),
        (f"Your {animal} is called {{v}}.",),
    )


PEOPLE: list[str] = _TABLE["people"]
NUMBERED: list[str] = _TABLE["numbered"]


def relative(random: Random) -> Kind:
    """Somebody the user knows, whose value is the name."""
    person = random.choice(PEOPLE)
    return Kind(
        f"{person}'s name",
        words.person_name,
        (
            f"My {person} is called {{v}}.",
            f"I have a {person} called {{v}}.",
            f"My {person} {{v}} says hello.",
            f"I met my {person} {{v}} today.",
            f"My {person}'s called {{v}}.",
            f"{{v}} is my {person}.",
            f"My {person} is {{v}}.",
        ),
        (f"What is my {person} called?", f"Who is my {person}?"),
        (f"Your {person} is called {{v}}.",),
    )


def other_number(random: Random) -> Kind:
    """A number of something the user owns or uses."""
    return Kind(random.choice(NUMBERED), _digits(2, 6))


def other_thing(random: Random) -> Kind:
    """A favourite or a possession with a one-word value."""
    noun, values = random.choice(
        (
            ("favourite animal", words.WILD_ANIMALS),
            ("instrument", words.INSTRUMENTS),
            ("favourite season", words.SEASONS),
            ("favourite fruit", words.FRUITS),
            ("native language", words.LANGUAGES),
            ("birthday month", words.MONTHS),
            ("favourite city", words.CITIES),
            ("hometown", words.CITIES),
            ("favourite word", words.WORDS),
            ("password", words.WORDS),
            ("project", words.WORDS),
            ("team", words.WILD_ANIMALS),
            ("bike colour", words.COLOURS),
            ("favourite dessert", words.FOODS),
            ("nickname", words.PET_NAMES),
            ("dream job", words.JOBS),
        )
    )
    return Kind(noun, _one_of(values))


def belonging_to_other(random: Random) -> Kind:
    """A fact about somebody else, easily confused with the user's own."""
    base = random.choice((AGE, FOOD, DRINK, COLOUR, LUCKY, LUCKY, CODE, CITY, JOB, HOBBY))
    return Kind(f"{random.choice(PEOPLE)}'s {base.noun}", base.draw)


def draw_kind(random: Random) -> Kind:
    """A kind of fact; names, numbers and codes are the most frequent."""
    roll = random.random()
    if roll < 0.5:
        return random.choice(COMMON)
    if roll < 0.62:
        return pet(random)
    if roll < 0.72:
        return relative(random)
    if roll < 0.78:
        return belonging_to_other(random)
    return other_number(random) if roll < 0.9 else other_thing(random)


def topic(kind: Kind) -> str:
    """Kinds of equal topic would make "what is my pet called?" ambiguous; one per conversation."""
    last = kind.noun.split()[-1]
    if kind.noun.endswith("'s name"):
        owner = kind.noun.removesuffix("'s name")
        return "pet" if owner in words.ANIMALS else owner
    if "'s " in kind.noun or kind.noun in ("PIN", "name"):
        return kind.noun
    if kind.noun in ("number", "lucky number", "favourite number", "secret number"):
        return "number"
    if kind.noun in ("code", "access code", "safe code"):
        return "code"
    if kind.noun in ("secret word", "favourite word", "password"):
        return "word"
    return "city" if last in ("city", "hometown") else kind.noun


TOLD: list[str] = _TABLE["told"]
ASKED: list[str] = _TABLE["asked"]
ANSWERED: list[str] = _TABLE["answered"]
CORRECTED: list[str] = _TABLE["corrected"]
UNTOLD: list[str] = _TABLE["untold"]


def tell(random: Random, kind: Kind, value: str) -> str:
    """The user states a fact."""
    pool = kind.told if kind.told and random.random() < 0.6 else TOLD
    return random.choice(pool).format(n=kind.noun, v=value)


def ask(random: Random, kind: Kind) -> str:
    """The user asks for a fact."""
    favourite = kind.noun.removeprefix("favourite ")
    if favourite != kind.noun and random.random() < 0.2:
        degree = random.choice((" best", " most", ""))
        return f"{random.choice(('Which', 'What'))} {favourite} do I like{degree}?"
    pool = kind.asked if kind.asked and random.random() < 0.45 else ASKED
    return random.choice(pool).format(n=kind.noun)


def answer(random: Random, kind: Kind, value: str) -> str:
    """The assistant states the fact it was asked for."""
    pool = kind.answered if kind.answered and random.random() < 0.35 else ANSWERED
    return random.choice(pool).format(n=kind.noun, v=value)
