"""Two chats on one system prompt, and the tree that holds both.

The second chat finds the system prompt in the cache, though the chats share nothing else. The tree
is drawn from a snapshot: each line is a span of tokens whose keys and values are stored once; `*`
marks a checkpoint at its end, from which a prompt can resume.

    python packaging/examples/branches.py
"""

from pathlib import Path

import assets
from engine import Engine, Message, Sampling
from engine.events import RequestFinished
from engine.snapshot import CacheSnapshot

DEMO_MODEL = Path(assets.__file__).parent / "demo_model"
SYSTEM = Message("system", "You are a friendly assistant. " + "Answer kindly and briefly. " * 10)


def draw(snapshot: CacheSnapshot, parent: int = 0, indent: str = "") -> None:
    """Print the nodes below `parent`, deeper ones further to the right."""
    children = sorted((n for n in snapshot.nodes if n.parent == parent), key=lambda n: n.id)
    for node in children:
        last = node is children[-1]
        mark = "*" if node.checkpoint else " "
        text = " ".join(node.text.split())[:40]
        print(f"{indent}{'└─' if last else '├─'}[{node.start:>4}, {node.end:>4}) {mark} {text}")
        draw(snapshot, node.id, indent + ("   " if last else "│  "))


with Engine.open(DEMO_MODEL) as engine:
    for question in ("My name is Ada. What is my name?", "I have a cat. What is your name?"):
        *_, last = engine.generate([SYSTEM, Message("user", question)], Sampling.greedy(40))
        assert isinstance(last, RequestFinished), last
        plan = last.report.plan
        print(f"> {question}\n{last.text}\n  [{plan.reused} of {plan.total} tokens reused]")
    snapshot = engine.snapshot()
    print(f"\nThe tree: {snapshot.kv.cached} tokens, {snapshot.state.cached} checkpoints")
    draw(snapshot)
