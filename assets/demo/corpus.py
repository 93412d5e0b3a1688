"""The training corpus: an endless, seeded stream of conversations rendered as the engine does.

Dialogue number `index` of seed `seed` depends on these two alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from assets.demo import facts, familiar, knowledge, smalltalk
from assets.demo.dialogue import Dialogue
from assets.demo.facts import NAME
from assets.demo.template import render


@dataclass(frozen=True, slots=True)
class Sample:
    """One rendered conversation.

    Attributes:
        text: the conversation through the chat template; only its last answer keeps a think block.
        weighted: (start, end, weight) spans of characters that the model shall learn to write.
    """

    text: str
    weighted: tuple[tuple[int, int, float], ...]


ANSWER_WEIGHT = 1.0
VALUE_WEIGHT = 3.0
# Every honest answer begins so.
HONEST_START = "That is more than a small demo model"
ANSWER = re.compile(
    r"<\|im_start\|>assistant\n(<think>\n)?(\n</think>\n\n)?(.*?<\|im_end\|>)", re.S
)


def _lively(dialogue: Dialogue, turns: int) -> None:
    """A conversation with many facts and questions, mixed."""
    random = dialogue.random
    for turn in range(turns):
        known = len(dialogue.known)
        # Half of the conversations may end with any act: each turn is the last one once.
        last = turn == turns - 1 and random.random() < 0.5
        if turn == 0 and random.random() < 0.25:
            dialogue.greet()
            continue
        if last and turns > 1 and random.random() < 0.06:
            dialogue.part()
            continue
        acts: dict[Callable[[], object], float] = {
            dialogue.tell: 0.0 if last else (0.5 if known == 0 else 0.2 if known < 6 else 0.0),
            dialogue.ask: 0.3 + 0.3 * last if known else 0.0,
            dialogue.ask_two: 0.1 if known > 1 else 0.0,
            dialogue.ask_all: 0.08 if known < 7 else 0.0,
            dialogue.ask_if: 0.03 if known else 0.0,
            dialogue.correct: 0.06 if known and not last else 0.0,
            dialogue.ask_untold: 0.04,
            dialogue.chat: 0.12,
            dialogue.identify: 0.08,
            dialogue.explain: 0.15,
            dialogue.decline: 0.05,
            dialogue.repeat: 0.02,
            dialogue.note: 0.01,
        }
        random.choices(list(acts), list(acts.values()))[0]()


def _filler(dialogue: Dialogue) -> None:
    """A turn that neither tells nor asks anything about the user."""
    acts = (
        dialogue.chat,
        dialogue.chat,
        dialogue.explain,
        dialogue.explain,
        dialogue.identify,
        dialogue.decline,
    )
    dialogue.random.choice(acts)()


def _distant(dialogue: Dialogue, turns: int) -> None:
    """Facts early, other talk or distracting facts between, questions at the end."""
    random = dialogue.random
    if random.random() < 0.3:
        dialogue.greet()
    number = random.choice((facts.LUCKY, facts.CODE, facts.NUMBER, facts.other_number(random)))
    told = [NAME, number]
    if random.random() < 0.5:
        dialogue.tell(*told, extra=False)
    else:
        random.shuffle(told)
        dialogue.tell(told[0], extra=False)
        dialogue.tell(told[1], extra=False)
    questions = random.choice((1, 2, 2, 3))
    while len(dialogue.thoughts) < turns - questions:
        if len(dialogue.known) < 5 and random.random() < 0.2:
            dialogue.tell()
        else:
            _filler(dialogue)
    asked = [dialogue.known["name"], dialogue.known[facts.topic(number)]]
    random.shuffle(asked)
    if random.random() < 0.4:
        dialogue.ask_two(asked)
    else:
        dialogue.ask(asked[0])
        if questions > 1:
            dialogue.ask(asked[1])


def _beyond(dialogue: Dialogue, turns: int) -> None:
    """Requests beyond the model, among what it does know."""
    for _ in range(turns):
        if dialogue.random.random() < 0.5:
            dialogue.decline()
        else:
            acts = (dialogue.chat, dialogue.explain, dialogue.explain, dialogue.identify)
            dialogue.random.choice(acts)()


def _system_text(random: Random) -> str:
    """A system text: none, a usual one, or some sentences of instructions and background."""
    roll = random.random()
    if roll < 0.7:
        return ""
    text = random.choice(smalltalk.SYSTEM_TEXTS)
    if roll > 0.93:
        topics = random.sample(knowledge.TOPICS, random.randint(1, 3))
        text = " ".join([text, *(random.choice(topic.answers) for topic in topics)])
    return text


def write_dialogue(seed: int, index: int, turns: tuple[int, int] = (1, 14)) -> tuple[Dialogue, str]:
    """Conversation `index` and its system text ("" for none), with a turn count within `turns`."""
    random = Random(f"{seed}/{index}")
    dialogue = Dialogue(random)
    # Long ranges favour their short end: the two draws keep the mean length in bounds.
    count = min(random.randint(*turns), random.randint(*turns) if turns[1] > 15 else turns[1])
    roll = random.random()
    if roll < 0.38:
        familiar.converse(dialogue)
    elif roll < 0.70:
        _beyond(dialogue, min(count, random.choice((1, 1, 1, 2, 3))))
    elif count >= 4 and random.random() < 0.35:
        _distant(dialogue, count)
    else:
        _lively(dialogue, count)
    return dialogue, _system_text(random)


def sample(
    seed: int, index: int, turns: tuple[int, int] = (1, 14), thinking: float = 0.4
) -> Sample:
    """Conversation `index`, rendered; a share `thinking` of them think before the last answer."""
    dialogue, system = write_dialogue(seed, index, turns)
    messages: list[dict[str, str]] = [{"role": "system", "content": system}] if system else []
    messages += dialogue.messages
    if dialogue.random.random() < thinking:
        messages[-1] = {**messages[-1], "reasoning_content": dialogue.thoughts[-1]}
    text = render(messages)
    values = sorted(dialogue.values, key=len, reverse=True)
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, values)) + r")\b") if values else None
    spans: list[tuple[int, int, float]] = []
    for match in ANSWER.finditer(text):
        start, end = match.span(3)
        spans.append((start, end, ANSWER_WEIGHT))
        if pattern:
            spans += [
                (found.start(), found.end(), VALUE_WEIGHT)
                for found in pattern.finditer(text, start, end)
            ]
    return Sample(text, tuple(spans))


def cut_short(item: Sample) -> Sample:
    """`item` without the tail of an honest last answer, which soon teaches nothing more."""
    answer = item.text.rindex("<|im_start|>assistant")
    place = item.text.find(HONEST_START, answer)
    if place < 0:
        return item
    end = place + len(HONEST_START)
    weighted = tuple((first, min(last, end), w) for first, last, w in item.weighted if first < end)
    return Sample(item.text[:end], weighted)
