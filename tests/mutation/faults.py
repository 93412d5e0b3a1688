"""Deliberate faults, all of which the tests must catch.

`python -m tests.mutation.check` applies them one at a time to a copy and runs the tests they name.
"""

from __future__ import annotations

from tests.mutation.bench_faults import BENCH_FAULTS
from tests.mutation.by_hand_faults import BY_HAND_FAULTS
from tests.mutation.fault import Fault
from tests.mutation.guard_faults import GUARD_FAULTS
from tests.mutation.kernel_faults import KERNEL_FAULTS
from tests.mutation.learn_faults import LEARN_FAULTS
from tests.mutation.report_faults import REPORT_FAULTS
from tests.mutation.tape_faults import TAPE_FAULTS
from tests.mutation.tier_faults import TIER_FAULTS
from tests.mutation.timeline_faults import TIMELINE_FAULTS
from tests.mutation.tree_faults import TREE_FAULTS
from tests.mutation.view_faults import VIEW_FAULTS
from tests.mutation.why_faults import WHY_FAULTS

__all__ = ["FAULTS", "Fault"]

FAULTS = (
    *TREE_FAULTS,
    *TIER_FAULTS,
    *REPORT_FAULTS,
    *GUARD_FAULTS,
    *LEARN_FAULTS,
    *WHY_FAULTS,
    *BY_HAND_FAULTS,
    *TAPE_FAULTS,
    *TIMELINE_FAULTS,
    *VIEW_FAULTS,
    *KERNEL_FAULTS,
    *BENCH_FAULTS,
)
