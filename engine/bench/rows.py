"""What a pass of a few rows costs, compared with one row: the price of verifying a draft."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from engine.bench.machine import seconds
from engine.bench.timed import token_ids
from engine.model.hybrid import Logits
from engine.run.core import Core

ROWS = (1, 2, 4, 8)
ROUNDS = 9


@dataclass(frozen=True, slots=True)
class RowsRow:
    """A pass of `rows` tokens after a context, logits of all of them included.

    Attributes:
        seconds: median of the passes.
        of_one: seconds / those of a pass with a single row.
    """

    context: int
    rows: int
    seconds: float
    of_one: float


def rows_after(core: Core, context: int) -> tuple[RowsRow, ...]:
    """Measure on planes of its own, so that no cached state is touched.

    All counts of rows in each round, so that a slow moment of the machine hits them alike.
    """
    model = core.model
    ids = torch.tensor(token_ids(context, context + max(ROWS), model.config.vocab_size))
    kv, states = model.make_kv_plane(len(ids)), model.make_state_plane(1)

    def run(first: int, last: int, logits: Logits) -> Tensor | None:
        return model.forward(
            ids[first:last], first, kv, [(0, last)], states, 0, write_from=first, logits=logits
        )

    run(0, context, "none")
    calls = {n: partial(run, context, context + n, "last" if n == 1 else "all") for n in ROWS}
    taken: dict[int, list[float]] = {n: [] for n in ROWS}
    for call in calls.values():
        call()
    for _ in range(ROUNDS):
        for n, call in calls.items():
            taken[n].append(seconds(call, model.device))
    medians = {n: statistics.median(each) for n, each in taken.items()}
    return tuple(RowsRow(context, n, took, took / medians[1]) for n, took in medians.items())
