"""Conversations that test whether a name and a number told earlier are still known.

The names and numbers come from the sets that training never uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from assets.demo import facts, knowledge, smalltalk, words


@dataclass(frozen=True, slots=True)
class RecallConversation:
    """The user's side of one conversation; the answers between are the model's own.

    Attributes:
        system: system text, "" for none.
        user_turns: what the user says, in order; the last one is the question.
        fact_turn: index of the turn that tells the name and the number.
        expected: the strings that the answer to the last turn must contain.
    """

    system: str
    user_turns: tuple[str, ...]
    fact_turn: int
    expected: tuple[str, ...]

    @property
    def question(self) -> str:
        """The last user turn."""
        return self.user_turns[-1]


QUESTIONS = (
    "What is my name and what is my {n}?",
    "What are my name and my {n}?",
    "Do you remember my name and my {n}?",
    "Tell me my name and my {n}.",
    "Can you tell me my name and my {n}?",
)


def _filler(random: Random) -> str:
    """A user turn that tells no fact."""
    roll = random.random()
    if roll < 0.4:
        return random.choice(random.choice(smalltalk.SMALL_TALK).said)
    if roll < 0.8:
        topic = random.choice(knowledge.TOPICS)
        if topic.term and random.random() < 0.5:
            return random.choice(knowledge.FRAMES).format(t=topic.term)
        return random.choice(topic.asked)
    if roll < 0.9:
        return random.choice(random.choice(smalltalk.IDENTITY).said)
    return random.choice(smalltalk.UNKNOWN_OTHER)


def recall_conversations(seed: int, count: int, distance: int = 6) -> Iterator[RecallConversation]:
    """Yield `count` conversations; the question comes `distance` turns after the facts."""
    for index in range(count):
        random = Random(f"recall/{seed}/{index}")
        name = words.person_name(random, unseen=True)
        kind = random.choice((facts.LUCKY, facts.CODE))
        number = words.number(random, 2, 5, unseen=True)
        told = [facts.tell(random, facts.NAME, name), facts.tell(random, kind, number)]
        opening = [random.choice(random.choice(smalltalk.GREETINGS).said)]
        opening = opening if random.random() < 0.3 else []
        turns = [*opening, " ".join(told)]
        turns += [_filler(random) for _ in range(distance - 1)]
        turns.append(random.choice(QUESTIONS).format(n=kind.noun))
        system = random.choice(smalltalk.SYSTEM_TEXTS) if random.random() < 0.3 else ""
        yield RecallConversation(system, tuple(turns), len(opening), (name, number))
