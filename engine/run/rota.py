"""The requests that run, and whose turn it is.

The person at the window comes before programs, whose prompts are read neither before the person's
nor while the person's answer is written. Among programs each client's prompts have as many passes
as any other's. All that write an answer take their steps together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.commands import FIRST_CLIENT, FIRST_ONE_SHOT, Submit
from engine.plan.draft_depth import Depth
from engine.run.turns import Pass, Step, Wait, Want, Work, run_steps

if TYPE_CHECKING:
    from torch import Tensor


def client_of(submit: Submit) -> int:
    """Who asks: a program, or 0 for the person at the window."""
    owner = submit.owner
    if owner >= FIRST_ONE_SHOT:
        owner -= FIRST_ONE_SHOT - FIRST_CLIENT
    return owner if owner >= FIRST_CLIENT else 0


@dataclass(eq=False, slots=True)
class Turn:
    """A request that was let in.

    Attributes:
        want: what it does next.
        cancelled: whether it must stop at its next turn.
    """

    submit: Submit
    work: Work[None] | None = None
    want: Want | None = None
    cancelled: bool = False

    @property
    def request(self) -> int:
        return self.submit.request

    @property
    def client(self) -> int:
        return client_of(self.submit)


class Rota:
    """Lets requests go on, one pass of the model at a time."""

    def __init__(
        self,
        depth: Depth,
        most: int,
        failed: Callable[[Submit, BaseException], None],
        waits: Callable[[int, str], None],
    ) -> None:
        """most: requests at once; if several, one of the person's may run besides.

        failed: told of each request that raised. waits: told what a request waits for.
        """
        self._depth, self._failed, self._waits = depth, failed, waits
        self.most = most
        self._turns: list[Turn] = []
        # Passes of prompts that each client has had, and whether the last pass was a step.
        self._passes: dict[int, int] = {}
        self._stepped = False

    def __len__(self) -> int:
        return len(self._turns)

    def find(self, request: int) -> Turn | None:
        """The turn of a request that was let in."""
        return next((turn for turn in self._turns if turn.request == request), None)

    def cancel_all(self) -> None:
        """Stop every request at its next turn."""
        for turn in self._turns:
            turn.cancelled = True

    def next_of(self, waiting: Iterable[Submit]) -> Submit | None:
        """Which of the waiting requests to let in now; None if there is no place for any."""
        running = [turn.client for turn in self._turns]

        def rank(submit: Submit) -> tuple[bool, int]:
            client = client_of(submit)
            return client != 0, running.count(client)

        best = min(waiting, key=rank, default=None)
        if best is None or not running:
            return best
        # Beside programs there is always a place for the person.
        places = self.most if client_of(best) or self.most == 1 else self.most + 1
        return best if len(running) < places else None

    def add(self, submit: Submit, begin: Callable[[Callable[[], bool]], Work[None]]) -> None:
        """Let a request in; `begin` makes its work, given a way to ask whether to stop."""
        turn = Turn(submit)
        turn.work = begin(lambda: turn.cancelled)
        self._turns.append(turn)
        # Nobody catches up on passes from before it came.
        among = [self._passes[one.client] for one in self._turns if one.client in self._passes]
        self._passes[turn.client] = max(self._passes.get(turn.client, 0), min(among, default=0))
        self._resume(turn)

    def go_on(self) -> None:
        """One pass: of all answers together, or of the prompt whose turn it is, by turns."""
        for turn in tuple(self._turns):
            if isinstance(turn.want, Wait) and (turn.cancelled or turn.want.ready()):
                self._resume(turn)
        writing = [turn for turn in self._turns if isinstance(turn.want, Step)]
        reading = [turn for turn in self._turns if isinstance(turn.want, Pass)]
        if any(turn.client == 0 for turn in writing):
            # Nobody's prompt holds up what the person is reading.
            reading = [turn for turn in reading if turn.client == 0 or turn.cancelled]
        self._stepped = bool(writing) and not (self._stepped and reading)
        if self._stepped:
            self._step(writing)
        elif reading:
            turn = min(reading, key=self._rank)
            self._passes[turn.client] = self._passes.get(turn.client, 0) + 1
            self._resume(turn)

    def _step(self, writing: list[Turn]) -> None:
        steps = [turn.want for turn in writing if isinstance(turn.want, Step)]
        try:
            found = run_steps(steps, self._depth)
        except BaseException as error:
            # Nobody can tell whose rows it was.
            for turn in writing:
                self._resume(turn, error=error)
            return
        for turn, logits in zip(writing, found, strict=True):
            self._resume(turn, logits)

    def _rank(self, turn: Turn) -> tuple[bool, bool, int]:
        """Of prompts: those that end here; the person's, and what it waits for; then by turns."""
        waited = (
            other.client == 0 and isinstance(other.want, Wait) and other.want.of == turn.request
            for other in self._turns
        )
        first = turn.client == 0 or any(waited)
        return not turn.cancelled, not first, self._passes.get(turn.client, 0)

    def _resume(
        self, turn: Turn, given: Tensor | None = None, error: BaseException | None = None
    ) -> None:
        assert turn.work is not None
        try:
            turn.want = turn.work.send(given) if error is None else turn.work.throw(error)
        except StopIteration:
            self._turns.remove(turn)
            return
        except BaseException as raised:
            self._turns.remove(turn)
            self._failed(turn.submit, raised)
            return
        if isinstance(turn.want, Wait):
            self._waits(turn.request, turn.want.sentence)
