"""One synthetic conversation: who said what, what was told, and what the model should think."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from assets.demo import facts, knowledge, requests, smalltalk, words
from assets.demo.facts import NAME, Kind
from assets.demo.speech import casual, feeling, listed, news, typed

BRIEF = "This is small talk. A short friendly answer is enough."
DUNNO = "This is outside what a small demo model knows. I should say so and name a way out."


@dataclass(slots=True)
class Dialogue:
    """A conversation under construction.

    Attributes:
        random: the only source of chance.
        messages: role and content, in order.
        thoughts: what to think before the answer of each turn.
        known: facts told so far, oldest first.
        values: every value told, for the loss weights.
    """

    random: Random
    messages: list[dict[str, str]] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    known: dict[str, tuple[Kind, str]] = field(default_factory=dict)
    values: set[str] = field(default_factory=set)

    def turn(self, said: str, answer: str, thought: str) -> None:
        """Append one exchange."""
        self.messages.append({"role": "user", "content": typed(self.random, said)})
        self.messages.append({"role": "assistant", "content": answer})
        self.thoughts.append(thought)

    def new_fact(self, kind: Kind | None = None) -> tuple[Kind, str] | None:
        """Draw a fact that fits the ones known; None where the draw was ambiguous."""
        kind = kind or facts.draw_kind(self.random)
        if facts.topic(kind) in self.known:
            return None
        value = kind.draw(self.random)
        if self.random.random() < 0.04:
            value = value.lower()
        elif self.random.random() < 0.06 and not value[0].isdigit():
            # Users know more cities, jobs and foods than any list.
            value = words.invented_name(self.random)
            while words.held_out(value):
                value = words.invented_name(self.random)
            value = value.lower() if self.random.random() < 0.6 else value
        if any(value.lower() == old.lower() for old in self.values):
            return None
        self.known[facts.topic(kind)] = (kind, value)
        self.values.add(value)
        return kind, value

    def tell(self, *kinds: Kind, extra: bool = True) -> None:
        """The user tells one to three facts, sometimes with a question behind them."""
        random = self.random
        drawn = [self.new_fact(kind) for kind in kinds] if kinds else []
        if not kinds:
            drawn = [self.new_fact() for _ in range(random.choice((1, 1, 1, 2, 2, 3)))]
        told = [fact for fact in drawn if fact]
        if not told:
            self.chat()
            return
        said = facts.tell(random, *told[0])
        for fact in told[1:]:
            more = facts.tell(random, *fact)
            if random.random() < 0.5 and more.startswith(("My ", "I ", "I'm ")):
                joined = more if more.startswith("I") else "my " + more[3:]
                said = said.rstrip(".!?") + " and " + joined
            else:
                said = said + " " + more
        thought = "The user tells me " + listed([f"their {k.noun}: {v}" for k, v in told]) + "."
        answer = self.acknowledge(told)
        if random.random() < 0.12:
            aside = random.choice((news, feeling))(random)
            said = f"{said} {aside}" if random.random() < 0.6 else f"{aside} {said}"
        if extra and random.random() < 0.08:
            question, reply, more_thought = self.pick_knowledge()
            said, answer = f"{said} {question}", f"{answer} {reply}"
            thought = f"{thought} {more_thought}"
        self.turn(said, answer, thought + " I should remember it." if not extra else thought)

    def acknowledge(self, told: list[tuple[Kind, str]]) -> str:
        """The answer to facts just told; most of them are repeated."""
        random = self.random
        if random.random() < 0.2:
            return random.choice(("Noted, thank you.", "Thanks, I will remember that.", "Got it!"))
        parts = []
        rest = told
        if told[0][0] is NAME:
            parts.append(f"Nice to meet you, {told[0][1]}!")
            rest = told[1:]
        if rest:
            lead = random.choice(("Got it:", "Noted:", "I will remember that", "Thanks,"))
            parts.append(lead + " " + listed([f"your {k.noun} is {v}" for k, v in rest]) + ".")
        return " ".join(parts)

    def pick_known(self) -> tuple[Kind, str]:
        """A known fact; the oldest ones are asked for more often."""
        pool = list(self.known.values())
        if self.random.random() < 0.35:
            return pool[0]
        return self.random.choice(pool)

    def ask(self, fact: tuple[Kind, str] | None = None) -> None:
        """The user asks for a known fact."""
        kind, value = fact or self.pick_known()
        said = facts.ask(self.random, kind)
        answer = facts.answer(self.random, kind, value)
        self.turn(said, answer, f"The user asks for their {kind.noun}. They told me: {value}.")

    def ask_two(self, pair: list[tuple[Kind, str]] | None = None) -> None:
        """The user asks for two known facts at once."""
        pool = list(self.known.values())
        if len(pool) < 2:
            self.ask()
            return
        (first, one), (second, two) = pair or self.random.sample(pool, 2)
        said = self.random.choice(
            (
                "What is my {a} and what is my {b}?",
                "What are my {a} and my {b}?",
                "Do you remember my {a} and my {b}?",
                "Tell me my {a} and my {b}.",
                "What is my {a} and my {b}?",
                "What's my {a}, and what's my {b}?",
                "Can you tell me my {a} and my {b}?",
                "What is my {a}? And my {b}?",
            )
        ).format(a=first.noun, b=second.noun)
        answer = f"Your {first.noun} is {one} and your {second.noun} is {two}."
        thought = f"The user asks for their {first.noun} and their {second.noun}. "
        self.turn(said, answer, thought + f"They told me: {one} and {two}.")

    def ask_all(self) -> None:
        """The user asks for everything told so far."""
        pool = list(self.known.values())
        said = self.random.choice(
            (
                "What do you know about me?",
                "What did I tell you?",
                "What do you remember?",
                "What have I told you so far?",
                "Tell me everything you know about me.",
                "List what I told you.",
                "Summarise what you know about me.",
            )
        )
        answer = "You told me that " + listed([f"your {k.noun} is {v}" for k, v in pool]) + "."
        if not pool:
            answer = "You have not told me anything about yourself yet."
        self.turn(said, answer, f"The user asks what I know about them. I know {len(pool)} facts.")

    def ask_if(self) -> None:
        """The user asks whether a fact is so."""
        kind, value = self.pick_known()
        truth = self.random.random() < 0.5
        claim = value if truth else kind.draw(self.random)
        said = self.random.choice(("Is my {n} {v}?", "Is it right that my {n} is {v}?"))
        truth = claim == value
        answer = f"{'Yes' if truth else 'No'}, your {kind.noun} is {value}."
        thought = f"The user asks whether their {kind.noun} is {claim}. They told me: {value}."
        self.turn(said.format(n=kind.noun, v=claim), answer, thought)

    def ask_untold(self) -> None:
        """The user asks for something never told."""
        kind = facts.draw_kind(self.random)
        if facts.topic(kind) in self.known:
            self.ask()
            return
        answer = self.random.choice(facts.UNTOLD).format(n=kind.noun)
        thought = f"The user asks for their {kind.noun}, but has not told me."
        self.turn(self.random.choice(facts.ASKED).format(n=kind.noun), answer, thought)

    def correct(self) -> None:
        """The user corrects a known fact."""
        kind, old = self.pick_known()
        value = kind.draw(self.random)
        if value in self.values:
            self.ask()
            return
        self.known[facts.topic(kind)] = (kind, value)
        self.values.add(value)
        said = self.random.choice(facts.CORRECTED).format(n=kind.noun, v=value, old=old)
        lead = self.random.choice(("Thanks for the correction:", "All right,", "Understood:"))
        thought = f"The user corrects their {kind.noun}: {value} instead of {old}."
        self.turn(said, f"{lead} your {kind.noun} is {value}.", thought)

    def exchange(self, pool: tuple[smalltalk.Exchange, ...], thought: str) -> None:
        """An everyday exchange from `pool`."""
        # The first of each pool is what people say most.
        picked = pool[0] if self.random.random() < 0.2 else self.random.choice(pool)
        name = f", {self.known['name'][1]}" if "name" in self.known else ""
        answer = self.random.choice(picked.answers)
        said = casual(self.random, self.random.choice(picked.said))
        self.turn(said, answer.replace("{name}", name), thought)

    def chat(self) -> None:
        """Small talk, mostly scripted."""
        random = self.random
        roll = random.random()
        if roll < 0.65:
            self.exchange(smalltalk.SMALL_TALK, BRIEF)
        elif roll < 0.8:
            thing = random.choice((*words.FOODS, *words.DRINKS, *words.HOBBIES, *words.CITIES))
            said = random.choice(smalltalk.LIKES).format(x=thing)
            answer = random.choice(smalltalk.LIKED).format(x=thing)
            self.turn(said[0].upper() + said[1:], answer, f"The user asks about {thing}. {BRIEF}")
        else:
            self.turn(news(random), random.choice(smalltalk.COMMENTS), BRIEF)

    def note(self) -> None:
        """The user pastes a longer text, mostly with a fact inside."""
        random = self.random
        answers = [answer for topic in knowledge.TOPICS for answer in topic.answers]
        parts = [random.choice(answers) for _ in range(random.randint(2, 5))]
        kind = facts.other_number(random)
        fact = self.new_fact(kind) if random.random() < 0.7 else None
        if fact:
            parts.insert(random.randrange(len(parts) + 1), f"My {kind.noun} is {fact[1]}.")
        said = random.choice(("Here is a note: ", "Read this text: ", "Please read this.\n\n", ""))
        answer = "Thank you, I have read your text."
        if fact:
            answer += f" It says that your {kind.noun} is {fact[1]}."
        self.turn(said + " ".join(parts), answer, "The user shows me a longer text.")

    def greet(self) -> None:
        """A greeting."""
        self.exchange(smalltalk.GREETINGS, "The user greets me. I greet back.")

    def part(self) -> None:
        """A goodbye."""
        self.exchange(smalltalk.GOODBYES, "The user says goodbye. I say goodbye too.")

    def identify(self) -> None:
        """A question about the model."""
        self.exchange(smalltalk.IDENTITY, "This is about me. I am the small demo model of Biplane.")

    def pick_knowledge(self) -> tuple[str, str, str]:
        """Question, answer and thought about Biplane."""
        random = self.random
        topic = random.choice(knowledge.TOPICS)
        if topic.term and random.random() < 0.5:
            said = random.choice(knowledge.FRAMES).format(t=topic.term)
            said = said[0].upper() + said[1:]
        else:
            said = random.choice(topic.asked)
        subject = f"about {topic.term}" if topic.term else "about Biplane"
        return said, random.choice(topic.answers), f"The user asks {subject}. I know this one."

    def explain(self) -> None:
        """A question about Biplane."""
        said, answer, thought = self.pick_knowledge()
        self.turn(casual(self.random, said), answer, thought)

    def decline(self) -> None:
        """A request beyond the model, and the sentence that says so."""
        random = self.random
        said = requests.request(random)
        self.turn(casual(random, said), random.choice(requests.ANSWERS), DUNNO)

    def repeat(self) -> None:
        """The user asks for an echo."""
        count = self.random.choice((1, 2, 3))
        pieces = [
            self.random.choice(
                (
                    words.person_name(self.random),
                    self.random.choice(words.WORDS),
                    words.number(self.random),
                )
            )
            for _ in range(count)
        ]
        text = " ".join(pieces)
        self.values.update(pieces)
        said = self.random.choice(
            ("Repeat after me: {t}", "Say {t}", "Please repeat: {t}", "Echo: {t}")
        )
        self.turn(said.format(t=text), f"Sure: {text}", "The user wants me to repeat some words.")
