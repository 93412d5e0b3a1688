"""Continue an answer that was cut at the length limit, and see what that costs.

An answer is asked for in parts of eight tokens. Each part continues the one before with
`PromptOptions.continues`: the prompt ends with the answer's own token ids, so everything but the
last sampled token is reused. In the end it is the answer that one long request gives.

    python packaging/examples/continue_answer.py
"""

from pathlib import Path

import assets
from engine import Engine, Message, PromptOptions, Sampling
from engine.events import RequestFinished

DEMO_MODEL = Path(assets.__file__).parent / "demo_model"
QUESTION = Message("user", "What is a checkpoint in Biplane?")
PART, WHOLE = Sampling.greedy(8), Sampling.greedy(400)
CONTINUES = PromptOptions(continues=True)


def run(engine: Engine, messages: list[Message], *, going_on: bool = False) -> RequestFinished:
    """One part of the answer; its text and token ids are those of all parts so far."""
    options = CONTINUES if going_on else PromptOptions()
    *_, last = engine.generate(messages, PART, options)
    assert isinstance(last, RequestFinished), last
    plan = last.report.plan
    print(f"{plan.reused:>3} reused {plan.replayed} replayed {plan.computed:>2} computed", end="")
    print(f", {last.report.generated:>2} generated: {last.stop}")
    return last


with Engine.open(DEMO_MODEL) as engine:
    done = run(engine, [QUESTION])
    while done.stop == "length":
        cut = Message("assistant", done.text, done.thinking, token_ids=done.token_ids)
        done = run(engine, [QUESTION, cut], going_on=True)
    print(f"\n{done.text}\n")
    *_, whole = engine.generate([QUESTION], WHOLE, reuse=False)
    assert isinstance(whole, RequestFinished), whole
    print("The same as in one go:", "yes" if done.token_ids == whole.token_ids else "no")
