"""How every benchmark measures: one call, repeats and rounds of it, or a process of its own.

What a benchmark adds is what it runs. Nothing here knows a model, torch or Qt.
"""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

# Takes one line of text: what is measured next.
Progress = Callable[[str], None]
_ROOT = Path(__file__).parents[2]


def seconds(call: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds that one call takes, by `clock`."""
    began = clock()
    call()
    return clock() - began


def milliseconds(call: Callable[[], object]) -> float:
    """The same in milliseconds."""
    return 1e3 * seconds(call)


def rounds(
    measures: Sequence[Callable[[], float]], repeats: int, ends: float = math.inf
) -> list[tuple[float, ...]]:
    """The figures of each of `measures`, all of which run in every round.

    So a slow moment of the machine hits them alike. No round but the first begins after `ends`, a
    time of `time.perf_counter()`.
    """
    made = [[measure() for measure in measures]]
    while len(made) < repeats and time.perf_counter() < ends:
        made.append([measure() for measure in measures])
    return list(zip(*made, strict=True))


def median(measure: Callable[[], float], repeats: int, ends: float = math.inf) -> float:
    """Of so many figures, or of fewer if there is no time; see `rounds`."""
    return statistics.median(rounds((measure,), repeats, ends)[0])


def fastest(measure: Callable[[], float], repeats: int) -> float:
    """The least of so many figures, after one that is not counted: a floor assumes the best."""
    measure()
    return min(rounds((measure,), repeats)[0])


def quantile(costs: Sequence[float], share: float) -> float:
    """The cost that `share` of all stay below, one of the given."""
    ordered = sorted(costs)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


@dataclass(frozen=True, slots=True)
class Ended:
    """What a process left: its exit code, its output, and its error output."""

    code: int
    output: str
    error: str

    @property
    def last_error(self) -> str:
        """The last line of the error output; "" if there is none."""
        return "".join(self.error.splitlines()[-1:])


def run_process(
    command: Sequence[str], given: bytes | None = None, timeout_s: float | None = None
) -> Ended:
    """Run a command until it has ended; Python finds the modules of this program.

    given: its input. Raises OSError if it cannot be run, TimeoutExpired if it takes longer.
    """
    paths = filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", "")))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        command, input=given, capture_output=True, timeout=timeout_s, env=environment, check=False
    )
    output, error = (part.decode(errors="replace").strip() for part in (done.stdout, done.stderr))
    return Ended(done.returncode, output, error)
