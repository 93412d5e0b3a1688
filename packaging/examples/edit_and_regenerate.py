"""Predict what a prompt would reuse before it runs, and why it would not reuse more.

A conversation of three turns is continued in four ways. `probe` predicts each without touching
anything; the report afterwards shows what actually happened. Regenerating computes next to nothing,
an edit continues from the edited message, and a new system prompt starts from scratch.

    python packaging/examples/edit_and_regenerate.py
"""

from dataclasses import replace
from pathlib import Path

import assets
from engine import Engine, Message, ReusePlan, Sampling
from engine.events import RequestFinished

DEMO_MODEL = Path(assets.__file__).parent / "demo_model"
SYSTEM = Message("system", "You are a friendly assistant who answers briefly.")
QUESTIONS = ("Hi! My name is Ada.", "I live in Lisbon.", "What is my name?")


def run(engine: Engine, messages: list[Message]) -> RequestFinished:
    """The end of a request: its text, and the report of what it reused."""
    *_, last = engine.generate(messages, Sampling.greedy(40))
    assert isinstance(last, RequestFinished), last
    return last


def show(title: str, plan: ReusePlan) -> None:
    print(f"  {title:<10}{plan.reused:>5} reused {plan.replayed:>3} replayed", end="")
    print(f" {plan.computed:>3} computed: {plan.reason.value}")


with Engine.open(DEMO_MODEL) as engine:
    chat = [SYSTEM]
    for question in QUESTIONS:
        chat.append(Message("user", question))
        done = run(engine, chat)
        chat.append(Message("assistant", done.text, token_ids=done.token_ids))

    variants = {
        "Regenerate the last answer": chat[:-1],
        "Ask something more": [*chat, Message("user", "And where do I live?")],
        "Edit the second question": [*chat[:3], Message("user", "I live in Porto.")],
        "Change the system prompt": [replace(SYSTEM, content="Answer in rhyme."), *chat[1:-1]],
    }
    for title, messages in variants.items():
        print(title)
        plan = engine.probe(messages)
        show("predicted", plan)
        show("happened", run(engine, messages).report.plan)
        print(f"  {plan.detail}")
