"""Deliberate faults by what goes wrong, all of which the tests must catch.

`python -m tests.mutation.check` plants them one at a time in a copy and runs the tests they name.
"""

from __future__ import annotations

from tests.mutation.app_faults import APP_FAULTS
from tests.mutation.cache_faults import CACHE_FAULTS
from tests.mutation.draft_faults import DRAFT_FAULTS
from tests.mutation.engine_faults import ENGINE_FAULTS
from tests.mutation.kernel_faults import KERNEL_FAULTS

FAULTS = CACHE_FAULTS | ENGINE_FAULTS | APP_FAULTS | KERNEL_FAULTS | DRAFT_FAULTS
