"""Deliberate faults in the explanation of what a request ran."""

from __future__ import annotations

from tests.mutation.fault import Fault

WHY = "tests/engine/trace/why"
TRACE = "tests/engine/run/test_trace.py"

WHY_FAULTS = (
    Fault(
        "trace/why/obstacles.py",
        "foreign = evictor.session not in ours",
        "foreign = False",
        "a chat that pushes out another one is not blamed",
        WHY,
    ),
    Fault(
        "trace/why/obstacles.py",
        "chances = [found[at] for at in sorted(found) if at >= enough]",
        "chances = [found[at] for at in sorted(found)]",
        "the last checkpoint to go is said to be needed, however little it would have saved",
        WHY,
    ),
    Fault(
        "trace/why/lives.py",
        "                place.request = source.request",
        "                place.request = self._request",
        "a checkpoint on the host stands for the prefix of whoever pushed it out",
        WHY,
    ),
    Fault(
        "trace/why/lives.py",
        "            life.wrong = index\n",
        "            pass\n",
        "a verdict is overlooked",
        WHY,
    ),
    Fault(
        "trace/why/evidence.py",
        "if known - lost_to <= lost_to - reused:",
        "if found is not None:",
        "a small eviction is blamed for what was never stored",
        WHY,
    ),
    Fault(
        "trace/why/evidence.py",
        "state = text not in CHANGED or again > total - known or known == total",
        "state = True",
        "an edit is blamed on the cache",
        WHY,
    ),
    Fault(
        "trace/why/suggestion.py",
        "chosen = (one for gain, one in helpful if gain >= MOST_OF_IT * best)",
        "chosen = (one for gain, one in helpful if gain >= 0)",
        "the first change that helps a little is suggested",
        WHY,
    ),
    Fault(
        "trace/why/suggestion.py",
        "replay = Replay(change.changed(self._settings), as_recorded=False)",
        "replay = Replay(change.changed(self._settings), as_recorded=True)",
        "what was set on the way takes back what is predicted from the start",
        "tests/app/debug/test_advice.py",
    ),
    Fault(
        "trace/lines.py",
        'return _line(state_fields(what.state) | {"origin": what.state.tier} | head | own)',
        'return _line(head | own | state_fields(what.state) | {"origin": what.state.tier})',
        "a file gives the states of the host tier to the device",
        TRACE,
    ),
)
