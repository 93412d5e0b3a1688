"""Two turns of a chat: the answers stream, and the second turn processes only what is new.

Each turn passes the whole conversation, as with any chat engine. The line under each answer says
how many tokens of its prompt came from the cache, how many had to run again, and how many were new:
on the second turn nearly everything is reused, whatever the first answer was.

    python packaging/examples/chat.py
"""

from pathlib import Path

import assets
from engine import Engine, Message, PromptOptions, Sampling
from engine.events import RequestFinished, TextDelta

DEMO_MODEL = Path(assets.__file__).parent / "demo_model"
THINKING = PromptOptions(thinking=True)


def answer(engine: Engine, messages: list[Message]) -> Message:
    """Stream one answer to the terminal and return it as the next message of the conversation."""
    for event in engine.generate(messages, Sampling.greedy(80), THINKING):
        match event:
            case TextDelta(channel="answer"):
                print(event.text, end="", flush=True)
            case RequestFinished(report=report):
                plan = report.plan
                print(
                    f"\n  [{plan.reused} reused, {plan.replayed} replayed, "
                    f"{plan.computed} computed of {plan.total} tokens]"
                )
                # With its token ids, so that the next prompt holds exactly what was generated.
                return Message("assistant", event.text, event.thinking, token_ids=event.token_ids)
    raise SystemExit("The request failed.")


with Engine.open(DEMO_MODEL) as engine:
    conversation = [Message("system", "You are a friendly assistant who answers briefly.")]
    for question in ("Hi! My name is Ada.", "What is my name?"):
        print(f"\n> {question}")
        conversation.append(Message("user", question))
        conversation.append(answer(engine, conversation))
