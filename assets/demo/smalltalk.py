"""Everyday exchanges, questions about the model itself, and questions it cannot answer."""

from __future__ import annotations

from dataclasses import dataclass

from assets.demo.tables import table


@dataclass(frozen=True, slots=True)
class Exchange:
    """Equivalent user texts and the answers that suit each of them; {name} is optional there."""

    said: tuple[str, ...]
    answers: tuple[str, ...]


_TABLE = table("smalltalk")


def _exchanges(name: str) -> tuple[Exchange, ...]:
    return tuple(Exchange(tuple(e["said"]), tuple(e["answers"])) for e in _TABLE[name])


GREETINGS = _exchanges("greetings")
IDENTITY = _exchanges("identity")
SMALL_TALK = _exchanges("small_talk")
GOODBYES = _exchanges("goodbyes")

# Texts with a blank for a thing that the answer repeats.
LIKES: list[str] = _TABLE["likes"]["said"]
LIKED: list[str] = _TABLE["likes"]["answers"]

# Statements put together at random, so that any news gets a polite comment.
STATEMENTS: list[str] = _TABLE["statements"]["said"]
DID: list[str] = _TABLE["statements"]["did"]
WHAT: list[str] = _TABLE["statements"]["what"]
WHEN: list[str] = _TABLE["statements"]["when"]
COMMENTS: list[str] = _TABLE["statements"]["answers"]

# Questions beyond a small model that stand between fact and question in the recall test.
UNKNOWN_OTHER: list[str] = _TABLE["unknown"]["other"]

SYSTEM_TEXTS: list[str] = _TABLE["system_texts"]
OPENERS: list[str] = _TABLE["openers"]
CLOSERS: list[str] = _TABLE["closers"]
