"""Runs the programs that a bundle is made and tried with."""

from __future__ import annotations

import os
import subprocess


class BundleError(Exception):
    """Why a bundle cannot be made, or what failed when it was tried, in a sentence."""


def run(*command: object, **environment: str) -> str:
    """Run a command, with more variables, and return what it printed.

    Raises BundleError with what it said where it fails.
    """
    words = [*map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | environment)
    if done.returncode:
        said = f"{done.stdout}\n{done.stderr}".strip()[-3000:]
        raise BundleError(f"{' '.join(words[:4])} ended with {done.returncode}: {said}")
    return done.stdout
