"""The queue of checkpoints to verify on request: one at a time, while no request waits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.errors import BiplaneError
from engine.events import Event, NodeVerified, Notice, VerifyStopped
from engine.failures import Failures
from engine.sentence import say

if TYPE_CHECKING:
    from engine.run.core import Core

WHAT = say("Verifying the checkpoint")
STOPPED = say("Verification was stopped before it finished; that checkpoint was not checked.")
AGAIN = say("Verification starts over once the answer is finished.")


class VerifyLine:
    """Nodes waiting to be audited.

    An audit may take minutes. It can be stopped, and starts over after a request.
    """

    def __init__(self, emit: Callable[[Event], None], failures: Failures) -> None:
        self._emit = emit
        self._failures = failures
        self._nodes: deque[int] = deque()
        self._stopped = False

    def __bool__(self) -> bool:
        return bool(self._nodes)

    def add(self, node: int) -> None:
        self._nodes.append(node)

    def stop(self) -> None:
        """Stop the running audit and drop the queued ones."""
        self._stopped = True
        while self._nodes:
            self._emit(VerifyStopped(node=self._nodes.popleft(), sentence=STOPPED))

    def run_next(self, core: Core, wanted: Callable[[], bool]) -> None:
        """Audit the first node. `wanted` returns between two passes whether a request waits."""
        node = self._nodes.popleft()
        self._stopped = False
        try:
            verdict = core.verify(node, lambda: wanted() or self._stopped)
        except BiplaneError as error:
            self._emit(VerifyStopped(node=node, sentence=str(error)))
        except BaseException as error:
            sentence = self._failures.sentence(WHAT, error)
            self._emit(VerifyStopped(node=node, sentence=sentence))
        else:
            # Evaluated first, since it processes commands, and one may be to stop.
            gives_way = verdict is None and wanted()
            if verdict is None and self._stopped:
                self._emit(VerifyStopped(node=node, sentence=STOPPED))
            elif gives_way:
                self._nodes.appendleft(node)
                self._emit(Notice(sentence=AGAIN))
            else:
                self._emit(NodeVerified(node=node, verdict=verdict))
