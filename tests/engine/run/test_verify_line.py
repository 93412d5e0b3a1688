"""The line of audits: each node that was asked for gets one answer."""

from __future__ import annotations

from types import SimpleNamespace

from engine import events
from engine.failures import Failures
from engine.run.verify_line import VerifyLine


def test_a_stop_that_comes_as_an_audit_gives_way_ends_it() -> None:
    """To ask whether a request waits is to look at the commands, and one may be to stop."""
    heard: list[events.Event] = []
    line = VerifyLine(heard.append, Failures(heard.append))
    core = SimpleNamespace(verify=lambda node, wanted: None)
    line.add(5)

    def wanted() -> bool:
        line.stop()
        return True

    line.run_next(core, wanted)  # type: ignore[arg-type]
    assert not line
    assert [type(event) for event in heard] == [events.VerifyStopped]
