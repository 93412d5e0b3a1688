"""One deliberate fault."""

from __future__ import annotations

from dataclasses import dataclass

CACHE = "tests/engine/cache"
EVICTION = "tests/engine/cache/eviction"
TIERS = "tests/engine/cache/tiers/test_tiers.py"
PROVENANCE = "tests/engine/cache/test_provenance.py"
FILES = "tests/engine/storage"
QUARANTINE = "tests/engine/cache/test_quarantine.py"
SAVING = "tests/engine/cache/tiers/test_saving.py tests/engine/run/test_disk_at_rest.py"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and what it breaks.

    Attributes:
        file: under engine/; "../app/..." for one of the app, "../kernels/..." for a kernel.
        old, new: the text, which must occur once in the file, and its replacement.
        meaning: what goes wrong.
        tests: paths under the repository's root, separated by spaces; they must fail.
    """

    file: str
    old: str
    new: str
    meaning: str
    tests: str = CACHE
