"""`python -m engine.bench.start_probe FOLDER`: one start of the engine, timed, as one line of JSON.

A process of its own: only a fresh one imports, maps the weights and loads kernels anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

PROMPT_TOKENS = 16


def main(argv: Sequence[str] | None = None) -> int:
    """Print the times of day (`time.time()`) at which each stage was over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--config", type=json.loads, required=True, help="of EngineConfig, as JSON")
    args = parser.parse_args(argv)
    # Opening a model would import it anyway, and take the blame for it.
    import torch  # noqa: F401

    from engine import Engine, EngineConfig
    from engine.bench.timed import answer, exactly, token_ids

    imported = time.time()
    fields = dict(args.config)
    fields["cache_dir"] = fields["cache_dir"] and Path(fields["cache_dir"])
    with Engine.open(args.folder, EngineConfig(**fields)) as engine:
        opened = time.time()
        answer(engine, token_ids(1, PROMPT_TOKENS, engine.model.vocab_size), exactly(1))
        answered = time.time()
    print(json.dumps({"imported": imported, "opened": opened, "answered": answered}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
