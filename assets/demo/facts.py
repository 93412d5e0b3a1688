"""What a user can tell about themselves, and how it is told, asked, answered and corrected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from assets.demo import words

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


NAME = Kind(
    "name",
    words.person_name,
    (
        "I'm {v}.",
        "I am {v}.",
        "Hi, I'm {v}.",
        "Hi, I'm {v}!",
        "Hello, I am {v}.",
        "Hi, my name is {v}.",
        "Hello! My name is {v}.",
        "Hey, I'm {v}, nice to meet you.",
        "Call me {v}.",
        "You can call me {v}.",
        "People call me {v}.",
        "This is {v}.",
        "It's {v} here.",
        "Please call me {v}.",
        "The name is {v}.",
    ),
    ("Who am I?", "What am I called?", "Do you know who I am?", "How should you call me?"),
    ("You are {v}.", "You are {v}, of course.", "Your name is {v}!"),
)
CITY = Kind(
    "city",
    _one_of(words.CITIES),
    (
        "I live in {v}.",
        "I'm from {v}.",
        "I come from {v}.",
        "I moved to {v} last year.",
        "My home is in {v}.",
        "I am living in {v} now.",
    ),
    ("Where do I live?", "Which city do I live in?", "Where am I from?", "Where is my home?"),
    ("You live in {v}.",),
)
JOB = Kind(
    "job",
    _one_of(words.JOBS),
    ("I work as a {v}.", "I'm a {v}.", "I am a {v} by trade.", "I earn my living as a {v}."),
    ("What do I do for a living?", "What do I work as?", "What is my profession?"),
    ("You work as a {v}.", "You are a {v}."),
)
AGE = Kind(
    "age",
    _digits(2, 2),
    ("I am {v} years old.", "I'm {v}.", "I'm {v} years old.", "I just turned {v}."),
    ("How old am I?",),
    ("You are {v} years old.",),
)
FOOD = Kind(
    "favourite food",
    _one_of(words.FOODS),
    ("I love {v}.", "I really like eating {v}.", "My favorite food is {v}."),
    ("What do I love to eat?", "What do I like to eat?", "What's my favorite food?"),
    ("You love {v}.",),
)
DRINK = Kind(
    "favourite drink",
    _one_of(words.DRINKS),
    ("I drink {v} every morning.", "I like to drink {v}."),
    ("What do I like to drink?", "What do I drink?"),
    ("You like to drink {v}.",),
)
HOBBY = Kind(
    "hobby",
    _one_of(words.HOBBIES),
    ("In my free time I do {v}.", "I enjoy {v}.", "I am into {v}."),
    ("What do I do in my free time?", "What do I enjoy?"),
    ("You enjoy {v}.",),
)
COLOUR = Kind(
    "favourite colour",
    _one_of(words.COLOURS),
    ("My favorite color is {v}.", "The colour I like best is {v}.", "I like the colour {v}."),
    ("Which colour do I like best?", "What's my favorite color?", "Which colour do I like?"),
    ("The colour you like best is {v}.",),
)
LUCKY = Kind(
    "lucky number",
    _digits(1, 5),
    ("{v} is my lucky number.", "My number is {v}.", "The number {v} brings me luck."),
    ("What is my number?", "Which number brings me luck?", "What was my number?"),
    ("Your number is {v}.",),
)
CODE = Kind(
    "code",
    _digits(3, 6),
    (
        "The code is {v}.",
        "Remember the code {v}.",
        "Please remember this code: {v}.",
        "Keep the code {v} in mind.",
        "My secret code is {v}.",
    ),
    ("What is the code?", "What was the code?", "Which code did I give you?", "What's my secret code?"),
    ("The code is {v}.", "You gave me the code {v}."),
)
NUMBER = Kind(
    "number",
    _digits(2, 6),
    (
        "Remember the number {v}.",
        "Please remember this number: {v}.",
        "Keep {v} in mind.",
        "The number is {v}.",
        "Remember {v} for me.",
    ),
    ("What is the number?", "Which number did I tell you?", "What number should you remember?"),
    ("The number is {v}.", "You told me the number {v}."),
)
WORD = Kind(
    "secret word",
    _one_of(words.WORDS),
    ("The secret word is {v}.", "Remember the word {v}.", "The password is {v}."),
    ("What is the secret word?", "Which word did I tell you?", "What's the word?"),
    ("The word is {v}.",),
)

COMMON = (NAME, NAME, NAME, CITY, JOB, AGE, FOOD, DRINK, HOBBY, COLOUR, LUCKY, LUCKY, CODE, CODE,
          NUMBER, WORD)


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


PEOPLE = (
    "sister brother mother father son daughter friend neighbour boss teacher cousin aunt uncle "
    "colleague husband wife partner doctor"
).split()


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
        ),
        (f"What is my {person} called?", f"Who is my {person}?"),
        (f"Your {person} is called {{v}}.",),
    )


def other_number(random: Random) -> Kind:
    """A number of something the user owns or uses."""
    noun = random.choice(
        "room number|locker code|door code|PIN|ticket number|order number|badge number|bike code|"
        "house number|seat number|phone extension|safe code|favourite number|customer number|"
        "bus line|student number|table number|secret number|access code|box number".split("|")
    )
    return Kind(noun, _digits(2, 6))


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


TOLD = (
    "My {n} is {v}.",
    "My {n} is {v}.",
    "By the way, my {n} is {v}.",
    "Remember that my {n} is {v}.",
    "Please remember that my {n} is {v}.",
    "Just so you know, my {n} is {v}.",
    "I should mention that my {n} is {v}.",
    "Keep in mind that my {n} is {v}.",
    "Did I say that my {n} is {v}?",
)
ASKED = (
    "What is my {n}?",
    "What is my {n}?",
    "What's my {n}?",
    "Do you remember my {n}?",
    "Do you still remember my {n}?",
    "Can you tell me my {n}?",
    "What did I say my {n} was?",
    "Remind me: what is my {n}?",
    "I forgot my {n}. What is it?",
    "Tell me my {n}.",
    "What was my {n} again?",
    "Do you know my {n}?",
    "Please repeat my {n}.",
    "And what is my {n}?",
    "Quick check: my {n}?",
)
ANSWERED = (
    "Your {n} is {v}.",
    "Your {n} is {v}.",
    "You told me that your {n} is {v}.",
    "I remember: your {n} is {v}.",
)
CORRECTED = (
    "Actually, my {n} is {v}.",
    "Sorry, my {n} is {v}, not {old}.",
    "No, my {n} is {v}.",
    "Correction: my {n} is {v}.",
    "I made a mistake: my {n} is {v}.",
    "My {n} has changed. It is {v} now.",
    "Forget {old}. My {n} is {v}.",
)
UNTOLD = (
    "You have not told me your {n} yet.",
    "I do not know your {n}. You have not told me yet.",
)


def tell(random: Random, kind: Kind, value: str) -> str:
    """The user states a fact."""
    pool = kind.told if kind.told and random.random() < 0.6 else TOLD
    return random.choice(pool).format(n=kind.noun, v=value)


def ask(random: Random, kind: Kind) -> str:
    """The user asks for a fact."""
    pool = kind.asked if kind.asked and random.random() < 0.45 else ASKED
    return random.choice(pool).format(n=kind.noun)


def answer(random: Random, kind: Kind, value: str) -> str:
    """The assistant states the fact it was asked for."""
    pool = kind.answered if kind.answered and random.random() < 0.35 else ANSWERED
    return random.choice(pool).format(n=kind.noun, v=value)
