"""How long a program that ran before takes to start again, up to its first token."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from engine.config import EngineConfig
from engine.errors import ModelError

PROBE = "engine.bench.start_probe"


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds from the start of the process, one after the other.

    Attributes:
        import_s: until the engine's modules, torch included, are imported.
        open_s: from then until the model is open.
        first_token_s: from then until the first token of an answer to a short prompt.
        whole_s: all three.
    """

    import_s: float
    open_s: float
    first_token_s: float
    whole_s: float


def second_start(folder: Path, config: EngineConfig, repeats: int) -> Start:
    """The median start on a model that `config` was used on before. Raises ModelError."""
    starts = [one_start(folder, config) for _ in range(repeats)]
    return sorted(starts, key=lambda start: start.whole_s)[len(starts) // 2]


def one_start(folder: Path, config: EngineConfig) -> Start:
    """Start one process and wait until it has ended. Raises ModelError."""
    fields = {
        "device": config.device,
        "dtype": config.dtype,
        "weights": config.weights,
        "threads": config.threads,
        "cache_bytes": config.cache_bytes,
        "cache_dir": config.cache_dir and str(config.cache_dir),
    }
    command = [sys.executable, "-m", PROBE, str(folder), "--config", json.dumps(fields)]
    began = time.time()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no error output"])[-1]
        raise ModelError(f"A start of the engine failed: {last}")
    times = json.loads(done.stdout.strip().splitlines()[-1])
    imported, opened, answered = times["imported"], times["opened"], times["answered"]
    return Start(imported - began, opened - imported, answered - opened, answered - began)
