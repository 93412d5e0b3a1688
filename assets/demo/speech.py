"""How a user types: what is put around a sentence, and what is said in passing."""

from __future__ import annotations

from random import Random

from assets.demo import smalltalk


def typed(random: Random, said: str) -> str:
    """`said` as a user might type it: varied and a little careless."""
    if random.random() < 0.2:
        said = _dressed(random, said)
    if random.random() < 0.25:
        said = said.replace("avourite", "avorite").replace("olour", "olor")
    if random.random() < 0.10 and not said.startswith("I "):
        said = said[0].lower() + said[1:]
    return said.rstrip(".?!") if random.random() < 0.15 else said


def _dressed(random: Random, said: str) -> str:
    """`said` with a word or two before or behind."""
    if random.random() < 0.6:
        opener = random.choice(smalltalk.OPENERS)
        keep = opener[-1] in "!." or said.startswith(("I ", "I'"))
        return f"{opener} {said if keep else said[0].lower() + said[1:]}"
    closer = random.choice(smalltalk.CLOSERS)
    mark = said[-1] if said[-1] in ".?!" else ""
    return said[: len(said) - len(mark)] + closer + mark


def casual(random: Random, said: str) -> str:
    """Sometimes all in small letters; not for texts whose values must be copied."""
    return said.lower() if random.random() < 0.15 else said


def news(random: Random) -> str:
    """A statement about nothing in particular."""
    said = random.choice(smalltalk.STATEMENTS).format(
        did=random.choice(smalltalk.DID),
        what=random.choice(smalltalk.WHAT),
        when=random.choice(smalltalk.WHEN),
    )
    return said[0].upper() + said[1:]


def feeling(random: Random) -> str:
    """Something a user says in passing that is neither a question nor one word."""
    said = random.choice(random.choice(smalltalk.SMALL_TALK).said)
    return said if said.startswith(("I ", "I'", "It ", "Today")) else news(random)


def listed(parts: list[str]) -> str:
    """Parts joined as "a", "a and b" or "a, b and c"; "" for none."""
    if not parts:
        return ""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
