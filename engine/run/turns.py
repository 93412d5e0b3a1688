"""What a request does next, and doing it beside others.

A request is a generator: it yields what it wants to run and is resumed with the result, so that
between two passes others have their turns, and decoded tokens of several run in one pass.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from engine.plan.draft_depth import Depth
from engine.plan.drafter import Drafter
from engine.run.sequence import LiveSequence, run_together
from kernels.native.rows import MOST_FEW

if TYPE_CHECKING:
    from torch import Tensor

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pass:
    """Resumed, it runs a pass of its prompt."""


@dataclass(frozen=True, slots=True)
class Step:
    """Resumed with the logits after `token`, None if the KV plane has no slot for it.

    Attributes:
        most: tokens that may follow it as a draft.
    """

    sequence: LiveSequence
    token: int
    drafts: Drafter | None
    most: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Resumed once `ready`.

    Attributes:
        sentence: what it waits for.
        of: the request that it waits for; 0: any.
    """

    sentence: str
    ready: Callable[[], bool]
    of: int = 0


Want = Pass | Step | Wait
Work = Generator[Want, "Tensor | None", T]


def run_steps(steps: Sequence[Step], depth: Depth) -> list[Tensor | None]:
    """Apply the tokens of several sequences, in one pass if they can run together.

    Tokens and drafts share the rows of a pass; a draft gets what its sequence's chances are worth.
    """
    found: list[Tensor | None] = [None] * len(steps)
    due: list[int] = []
    began = time.perf_counter()
    for at, step in enumerate(steps):
        if not step.sequence.push(step.token):
            continue
        if step.drafts is not None:
            step.drafts.follow(step.token)
            if step.sequence.given:
                step.drafts.took()
        if step.sequence.given:
            found[at] = step.sequence.run()
        else:
            due.append(at)
    # Taking a draft, and the state forward by it, belong to the step that is over.
    depth.spent(time.perf_counter() - began)
    together = [at for at in due if not steps[at].sequence.alone] if len(due) > 1 else []
    for at in due:
        if at not in together:
            found[at] = _run([steps[at]], depth)[0]
    if together:
        for at, logits in zip(together, _run([steps[at] for at in together], depth), strict=True):
            found[at] = logits
    return found


def _run(steps: Sequence[Step], depth: Depth) -> list[Tensor]:
    """One pass for all of them."""
    before = time.perf_counter()
    rows, drafts = len(steps), list[tuple[int, ...]]()
    for step in steps:
        room = min(step.most, step.sequence.room, MOST_FEW - rows)
        ask = step.sequence.predictions if step.sequence.predicts else None
        drafts.append(() if step.drafts is None else step.drafts.draft(room, rows - 1, ask))
        rows += len(drafts[-1])
    began = time.perf_counter()
    if len(steps) == 1:
        logits = [steps[0].sequence.run(drafts[0])]
    else:
        logits = run_together([(step.sequence, d) for step, d in zip(steps, drafts, strict=True)])
    now = time.perf_counter()
    depth.took(rows, now - began)
    depth.spent(now - before)
    for step, draft in zip(steps, drafts, strict=True):
        if step.drafts is not None:
            step.drafts.ran(draft)
    return logits


def finish(work: Work[T], depth: Depth | None = None) -> T:
    """Run it to its end with nothing beside it; it must not wait."""
    depth = depth or Depth()
    given: Tensor | None = None
    while True:
        try:
            want = work.send(given)
        except StopIteration as ended:
            result: T = ended.value
            return result
        assert not isinstance(want, Wait), "nothing would end the waiting"
        given = run_steps([want], depth)[0] if isinstance(want, Step) else None
