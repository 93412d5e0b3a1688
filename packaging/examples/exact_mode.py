"""Resume from the cache and get the exact bits of a cold run, then audit every checkpoint.

In exact mode a resumed run is cut where a cold run is cut, so the same kernels see the same shapes.
The logits are compared bit for bit with a run that does not touch the cache. Afterwards the engine
recomputes each checkpoint from scratch and stamps it with a verdict. If another question has since
rewritten the keys and values below a checkpoint, exact mode no longer resumes from it, and the
audit checks only whether rounding explains the difference.

    python packaging/examples/exact_mode.py
"""

from pathlib import Path

import torch

import assets
from engine import Engine, EngineConfig, Message

DEMO_MODEL = Path(assets.__file__).parent / "demo_model"
NOTES = "Ada has a boat, a dog and a red door, and tells of them at length. " * 40
QUESTIONS = ("What does Ada have?", "Who has a boat?", "What is red?")

with Engine.open(DEMO_MODEL, EngineConfig(mode="exact", interval=256)) as engine:
    for question in QUESTIONS:
        prompt = [Message("system", NOTES), Message("user", question)]
        resumed = engine.logits(prompt)
        cold = engine.logits(prompt, reuse=False)
        same = torch.equal(resumed.logits, cold.logits)
        print(
            f"{question:<22}{resumed.reused:>5} reused, {resumed.computed:>4} computed; "
            f"{'bit for bit the cold run' if same else 'NOT the cold run'}"
        )

    print("\nAudits:")
    for node in engine.snapshot().nodes:
        if node.checkpoint is None:
            continue
        verdict = engine.verify(node.id)
        assert verdict is not None
        found = "bit for bit" if not verdict.largest else f"within rounding, {verdict.largest:.1%}"
        print(f"  checkpoint at {node.end:>4}: {verdict.status}, {found}")
    engine.check_invariants()
