"""Conversations in everyday wording: a name and numbers told in passing, and asked for later."""

from __future__ import annotations

from assets.demo import everyday, smalltalk
from assets.demo.dialogue import Dialogue
from assets.demo.everyday import Told
from assets.demo.speech import feeling, news

LEADS = (
    "Hi!",
    "Hello!",
    "Hello there,",
    "Hey.",
    "Good morning!",
    "Good evening.",
    "Well,",
    "So,",
    "Okay,",
    "Listen,",
    "Hi there,",
    "First of all,",
    "Just so you know,",
    "To begin with,",
    "You know,",
    "Now then,",
)


def _tell(dialogue: Dialogue, facts: list[Told]) -> None:
    """One turn that tells all of `facts`."""
    random = dialogue.random
    said = facts[0].said
    for fact in facts[1:]:
        if random.random() < 0.35:
            said = everyday.joined(random, said, fact.said)
        else:
            said = f"{said} {fact.said}"
    if random.random() < 0.25:
        lead = random.choice(LEADS)
        keep = lead[-1] in "!." or said.startswith(("I ", "I'")) or facts[0].said[0] == "{"
        keep = keep or said.startswith(facts[0].value)
        said = f"{lead} {said if keep else said[0].lower() + said[1:]}"
    if random.random() < 0.15:
        aside = random.choice((news, feeling))(random)
        said = f"{said} {aside}" if random.random() < 0.5 else f"{aside} {said}"
    parts = [f"Nice to meet you, {fact.value}!" for fact in facts if fact.kind == "name"]
    numbers = [fact.value for fact in facts if fact.kind == "number"]
    if numbers:
        parts.append("Noted: " + " and ".join(numbers) + ".")
    thought = "The user tells me: " + " and ".join(fact.value for fact in facts) + "."
    dialogue.values.update(fact.value for fact in facts)
    dialogue.turn(said, " ".join(parts), thought)


def _filler(dialogue: Dialogue) -> None:
    """A turn about something else."""
    acts = (
        dialogue.chat,
        dialogue.chat,
        dialogue.explain,
        dialogue.identify,
        dialogue.decline,
        dialogue.decline,
    )
    dialogue.random.choice(acts)()


def _ask(dialogue: Dialogue, fact: Told) -> None:
    said, answer = everyday.ask(dialogue.random, fact)
    dialogue.turn(said, answer, f"The user asks for something they told me: {fact.value}.")


def _ask_untold(dialogue: Dialogue, known: list[Told]) -> None:
    """A question for something that was never told."""
    random = dialogue.random
    if not any(fact.kind == "name" for fact in known):
        fact, answer = everyday.name(random), "You have not told me your name yet."
    else:
        fact, answer = everyday.number(random), random.choice(everyday.ANSWERS["untold"])
        if any(set(fact.asked) & set(old.asked) for old in known):
            return
    said, _ = everyday.ask(random, fact)
    dialogue.turn(said, answer, "The user asks for something they have not told me.")


def converse(dialogue: Dialogue) -> None:
    """Tell a name and one or two numbers, talk of other things, and ask for them."""
    random = dialogue.random
    if random.random() < 0.1:
        dialogue.exchange(smalltalk.GREETINGS, "The user greets me. I greet back.")
    if random.random() < 0.06:
        _ask_untold(dialogue, [])
    named = everyday.name(random)
    numbers = [everyday.number(random)]
    if random.random() < 0.25:
        more = everyday.number(random)
        if not set(more.asked) & set(numbers[0].asked) and more.value != numbers[0].value:
            numbers.append(more)
    told = [named, *numbers]
    random.shuffle(told)
    if random.random() < 0.55:
        _tell(dialogue, told)
    else:
        for fact in told:
            _tell(dialogue, [fact])
    for _ in range(random.choice((0, 0, 0, 1, 1, 2))):
        _filler(dialogue)
    if len(numbers) == 1 and random.random() < 0.02:
        _ask_untold(dialogue, told)
    if random.random() < 0.45:
        numbered = random.choice(numbers)
        said, answer = everyday.ask_both(random, named, numbered, len(numbers) == 1)
        thought = f"The user asks for what they told me: {named.value} and {numbered.value}."
        dialogue.turn(said, answer, thought)
    asked = random.sample(told, random.randint(1, len(told)))
    for fact in asked:
        _ask(dialogue, fact)
