"""What a view takes of the tokens per second: opened and closed by turns.

Between two answers a machine's speed moves by several percent; between two seconds it hardly does.
So each stretch with the view open is compared with those right before and after it, without it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator

from app.bench.stage import Stage

# Stretches with the view open, and how long one takes.
PAIRS, STRETCH_S = 16, 1.0
_LEAST_TOKENS = 6
_TIMEOUT_S = 60.0


def stretches(
    made: Stage, show: Callable[[bool], None], ask: Callable[[], None], tok_s: float
) -> Iterator[float]:
    """Seconds for each token, by the engine's own clock: without the view, with it, without it, …

    It ends with the answer.

    Args:
        show: opens or closes the view, and waits until that is done.
        ask: begins an answer.
        tok_s: about how fast it is written.
    """
    tokens, written = max(_LEAST_TOKENS, round(STRETCH_S * tok_s)), made.bridge.written

    def over() -> bool:
        return made.session.current.running is None

    written.clear()
    ask()
    made.until(lambda: bool(written) or over(), _TIMEOUT_S)
    for number in range(2 * PAIRS + 1):
        show(number % 2 == 1)
        begun, first = written[-1]
        wanted = first + tokens
        made.until(lambda wanted=wanted: written[-1][1] >= wanted or over(), _TIMEOUT_S)  # type: ignore[misc]
        ended, last = written[-1]
        if over():
            return
        yield (ended - begun) / (last - first)
    made.bridge.perform(made.session.stop())
    made.until(over, _TIMEOUT_S)


def shares(costs: list[float]) -> list[float]:
    """Percent that the view takes, of each cost with it; see `stretches`."""
    last = len(costs) - 1
    return [100 * (1 - (costs[at - 1] + costs[at + 1]) / 2 / costs[at]) for at in range(1, last, 2)]


def margin(found: list[float]) -> float:
    """Percent by which the median of such shares may be off, 19 times of 20."""
    return float(1.96 * 1.25 * statistics.stdev(found) / math.sqrt(len(found)))
