"""Idle-time audits of checkpoints that were resumed from, after a pause."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.events import Event, NodeVerified
from engine.failures import Failures

if TYPE_CHECKING:
    from engine.run.core import Core

# An audit starts after this long without a command.
AUDIT_AFTER_S = 2.0
_POLL_S = 0.01


class IdleAudits:
    """Verifies one checkpoint after another, until a command arrives or none is left.

    Attributes:
        on: whether audits are enabled.
    """

    def __init__(self, emit: Callable[[Event], None], failures: Failures, *, on: bool) -> None:
        self._emit = emit
        self._failures = failures
        self.on = on

    def run_next(self, core: Core, wanted: Callable[[], bool]) -> bool:
        """Audit one checkpoint; `wanted` returns whether a command waits, which has priority.

        Returns False if there is nothing to do until the next command.
        """
        if not self.on:
            return False
        deadline = time.perf_counter() + AUDIT_AFTER_S
        while time.perf_counter() < deadline:
            if wanted():
                return True
            time.sleep(_POLL_S)
        try:
            done = core.audit(wanted)
        except BaseException as error:
            # The same checkpoint would fail again every time.
            self.on = False
            self._failures.tell("Verifying states when idle, which is now off,", error)
            return False
        if done is None:
            return False
        node, verdict = done
        if verdict is not None:
            self._emit(NodeVerified(node=node, verdict=verdict, background=True))
        # Without a verdict it was interrupted or could not run at all: do not retry in a loop.
        return verdict is not None
