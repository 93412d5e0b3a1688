"""What people ask a chat program that a small demo model cannot know, and its honest answer."""

from __future__ import annotations

import re
from random import Random

from assets.demo import words
from assets.demo.tables import table

_TABLE = table("requests")

ANSWERS: list[str] = _TABLE["answers"]
FRAMES: list[str] = _TABLE["frames"]
QUESTIONS: list[str] = _TABLE["questions"]
SLOTS: dict[str, list[str]] = _TABLE["slots"]

SLOT = re.compile(r"\{(\w+)\}")
ONE_WORD = frozenset(("subject", "person", "place", "word", "dish", "thing", "about", "work"))


def _fill(random: Random, slot: str) -> str:
    """Something to stand in a blank; now and then a word that exists nowhere."""
    if slot == "n":
        return words.number(random, 1, 4)
    if slot in ONE_WORD and random.random() < 0.12:
        invented = words.invented_name(random)
        return invented if slot in ("person", "place", "work") else invented.lower()
    return random.choice(SLOTS[slot])


def request(random: Random) -> str:
    """Something that a user asks for and that the demo model does not know."""
    if random.random() < 0.15:
        return random.choice(QUESTIONS)
    frame = random.choice(FRAMES)
    said = SLOT.sub(lambda found: _fill(random, found[1]), frame)
    return said[0].upper() + said[1:]


def is_honest(answer: str) -> bool:
    """Whether `answer` says that this is a small demo and how a real model is opened."""
    said = answer.lower()
    return "small demo model" in said and ("open model" in said or "models page" in said)
