"""Writes assets/demo_logits.json.gz: what the bundled model says, for `biplane check --all`.

    BIPLANE_KERNELS=torch python packaging/demo_logits.py [FILE]

Plain operators make it, so that every set of kernels is measured against something else than
itself. Run it again when the bundled model changes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.core.checks.stored_logits import measured, stored_file, write
from app.core.options.shared import demo_model_dir
from engine import Engine, EngineConfig


def main(target: Path) -> None:
    with Engine.open(demo_model_dir(), EngineConfig(device="cpu", dtype="float32")) as engine:
        cases = measured(engine)
    write(cases, target)
    for case in cases:
        print(f"{case.question}: {len(case.logits)} logits, {len(case.greedy)} tokens")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else stored_file())
