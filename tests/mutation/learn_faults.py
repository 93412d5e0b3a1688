"""Deliberate faults in what the memory lab reads from the tensors."""

from __future__ import annotations

from tests.mutation.fault import Fault

MEMORY = "tests/engine/run/inspect/test_memory.py"
RECALL = "tests/engine/run/inspect/test_recall.py"
LINE = "tests/engine/run/inspect/test_inspections.py"

LEARN_FAULTS = (
    Fault(
        "run/inspect/jobs.py",
        "decay=given.log_decay.exp(),",
        "decay=given.log_decay.exp().sqrt(),",
        "the lab shows a gate that forgets less than the model's",
        MEMORY,
    ),
    Fault(
        "run/inspect/jobs.py",
        "rows[tap : tap + tokens] * given.taps[tap]",
        "rows[tap : tap + tokens] * given.taps[kept - 1 - tap]",
        "the lab convolves with the kernel the wrong way round",
        MEMORY,
    ),
    Fault(
        "run/inspect/jobs.py",
        "larger = torch.maximum(norm, _norm(before)).clamp_min(1e-30)",
        "larger = norm.clamp_min(1e-30)",
        "a change is compared with the new state alone",
        MEMORY,
    ),
    Fault(
        "run/inspect/jobs.py",
        "self._earlier[-lag].flatten(1)",
        "self._earlier[-1].flatten(1)",
        "every lag compares with the state one token ago",
        MEMORY,
    ),
    Fault(
        "run/inspect/jobs.py",
        "decay * (left - rate * key * (key * left).sum(-1, keepdim=True)) for left in self._left",
        "decay * left for left in self._left",
        "later tokens erase nothing of the needle",
        RECALL,
    ),
    Fault(
        "run/inspect/jobs.py",
        "seen = keys[:, : first + row + 1]",
        "seen = keys[:, : first + row + 2]",
        "a query attends to the token after it",
        RECALL,
    ),
    Fault(
        "run/inspect/jobs.py",
        "part += weight * (value * out).sum(-1)",
        "part = weight * (value * out).sum(-1)",
        "of a needle of several tokens only the last one counts",
        RECALL,
    ),
    Fault(
        "run/inspect/private_run.py",
        "ends[-2] -= 1",
        "pass",
        "a watched pass of one token takes the path of a decode and is not seen",
        LINE,
    ),
    Fault(
        "run/inspect/inspections.py",
        "self._asked, self._steps = command, None",
        "self._asked = command",
        "a new question gets the answer to the one before it",
        LINE,
    ),
)
