"""Tries the CUDA part on this computer, in a process of its own, before it is used.

The bundled model has to say on the card what it is known to say.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from app.core.checks.program import Wrong, compare_logits
from app.core.cuda.part import CudaPart
from app.core.cuda.state import State
from app.core.cuda.use import begin
from app.core.options.shared import demo_model_dir
from app.core.own_program import own_command, own_environment
from app.core.words.tr import tr

# Long enough for Triton to compile every kernel.
_CHECK_S = 300.0
_CACHE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check found, in a sentence; whether models may run on the card."""

    passed: bool
    sentence: str


def check(part: CudaPart) -> Checked:
    """Try the installed part, and write down what came of it. Raises OSError."""
    state = part.state
    if not state.digest:
        return Checked(False, tr("The CUDA part is not installed."))
    found = _in_a_process(part.site(state.digest))
    part.keep(State(state.digest, found.passed, found.sentence))
    return found


def _in_a_process(folder: Path) -> Checked:
    command = own_command("cuda", "try", str(folder))
    try:
        done = subprocess.run(
            command,
            env=own_environment() | {"BIPLANE_CUDA": "off"},
            capture_output=True,
            timeout=_CHECK_S,
            check=False,
        )
        raw = json.loads(done.stdout)
        return Checked(bool(raw["passed"]), str(raw["sentence"]))
    except (OSError, subprocess.TimeoutExpired):
        return Checked(False, tr("The check of the CUDA part did not end."))
    except (ValueError, KeyError, TypeError):
        # A crash in a library, most likely.
        text = tr("The check of the CUDA part ended without a report (code {code}).")
        return Checked(False, text.format(code=done.returncode))


def try_here(folder: Path) -> Checked:
    """Ask the bundled model on the card in this process, with what the folder has."""
    problems: list[str] = []
    begin(folder, problems.append)
    from importlib import import_module

    try:
        torch = import_module("torch")
        if problems:
            text = tr("PyTorch with CUDA cannot be imported ({name}).")
            return Checked(False, text.format(name=problems[0]))
        if not Path(torch.__file__ or "").is_relative_to(folder):
            return Checked(False, tr("Another PyTorch was imported than that of the CUDA part."))
        if not torch.cuda.is_available():
            return Checked(False, tr("PyTorch finds no card that computes."))
        from engine import Engine, EngineConfig

        config = EngineConfig(device="cuda", cache_bytes=_CACHE_BYTES)
        with Engine.open(demo_model_dir(), config) as engine:
            compare_logits(engine)
        name = torch.cuda.get_device_name(0)
    except Wrong:
        return Checked(False, tr("The card computes wrongly: use the processor."))
    except Exception as error:
        text = tr("The CUDA part does not work ({name}).")
        return Checked(False, text.format(name=type(error).__name__))
    return Checked(True, tr("{name} computes.").format(name=name))


def report(found: Checked) -> None:
    """For the process that asked."""
    json.dump({"passed": found.passed, "sentence": found.sentence}, sys.stdout)
