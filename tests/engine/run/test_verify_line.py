"""The queue of audits: each requested node gets one answer."""

from __future__ import annotations

from types import SimpleNamespace

from engine import events
from engine.failures import Failures
from engine.run.verify_line import VerifyLine


def test_a_stop_during_an_audits_yield_ends_it() -> None:
    """Checking whether a request waits processes the commands, and one may be to stop."""
    received: list[events.Event] = []
    line = VerifyLine(received.append, Failures(received.append))
    core = SimpleNamespace(verify=lambda node, wanted: None)
    line.add(5)

    def wanted() -> bool:
        line.stop()
        return True

    line.run_next(core, wanted)  # type: ignore[arg-type]
    assert not line
    assert [type(event) for event in received] == [events.VerifyStopped]
