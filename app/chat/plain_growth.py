"""Whether a Markdown text has only grown by words of its last paragraph. Without Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A paragraph of these alone means what it says: no emphasis, links, lists, tables or formulas.
_WORDS = re.compile(r"[^\W\d_](?:[^\W_]| (?! )|[,.;:!?'\"()’“”…–—。，、！？：；（）-])*")
# Where a formula may be open, or a link begins without a mark.
_DOUBTFUL = re.compile(r"[$\\]|www\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Growth:
    """What the last paragraph showed, and what it shows now."""

    before: str
    after: str


def plain_growth(before: str, after: str) -> Growth | None:
    """None where more than words came, or may have."""
    start = before.rfind("\n\n") + 2 if "\n\n" in before else 0
    if not after.startswith(before) or not before[start:]:
        return None
    if not _WORDS.fullmatch(after, start) or _DOUBTFUL.search(after):
        return None
    return Growth(before[start:].rstrip(), after[start:].rstrip())
