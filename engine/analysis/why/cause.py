"""The causes of what a request had to run, and the details of each: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """Why a request ran what it ran. Exactly one per request; never "other"."""

    CACHE_OFF = "cache not used"
    WHOLE = "everything reused"
    NEARLY_WHOLE = "nearly everything reused"
    REFUSED = "no room for the prompt"
    # Only new text had to run.
    FIRST_SIGHT = "first sight"
    NEW_TOKENS = "new text"
    ANOTHER_CHAT = "another chat"
    THINKING_DROPPED = "thinking left out"
    # The prompt changed where the cache had other text.
    DATE_CHANGED = "date changed"
    SYSTEM_TEXT_CHANGED = "system text changed"
    TOOLS_CHANGED = "tools changed"
    MESSAGE_EDITED = "message edited"
    OLDEST_DROPPED = "oldest turns left out"
    TEXT_LEFT_OUT = "text left out of the middle"
    ANSWER_RETOKENISED = "answer re-tokenised"
    RENDERED_DIFFERENTLY = "rendered differently"
    DIVERGED = "text differs"
    # Text that had run before ran again, because no state could be resumed from.
    SYSTEM_TEXT_SHARED = "another chat with part of the system text"
    CHECKPOINT_EVICTED = "checkpoint evicted"
    BUDGET_TOO_SMALL = "budget too small"
    HOST_FULL = "host memory full"
    DISK_FULL = "disk budget full"
    NOT_WRITTEN = "file not written"
    NO_FREE_SLOT = "no free state slot"
    INTERVAL_TOO_WIDE = "interval too wide"
    QUARANTINED = "checkpoint quarantined"
    DAMAGED_FILE = "damaged file"
    FILE_GONE = "cache file deleted"
    OTHER_FILES = "files of other weights or kernels"
    READ_BEFORE = "earlier run not in the cache"
    NOT_EXACT = "not exact"
    REMOVED = "removed on request"
    UNRECORDED = "from before the recording"


# A conversation that continues, or a new one: nothing is wrong, and nothing can be gained.
NORMAL = frozenset(
    {
        Cause.WHOLE,
        Cause.NEARLY_WHOLE,
        Cause.FIRST_SIGHT,
        Cause.NEW_TOKENS,
        Cause.ANOTHER_CHAT,
        Cause.THINKING_DROPPED,
    }
)
# The text itself was changed, by the user or by whatever fills in the prompt.
CHANGED = frozenset(
    {
        Cause.DATE_CHANGED,
        Cause.SYSTEM_TEXT_CHANGED,
        Cause.TOOLS_CHANGED,
        Cause.MESSAGE_EDITED,
        Cause.OLDEST_DROPPED,
        Cause.TEXT_LEFT_OUT,
        Cause.ANSWER_RETOKENISED,
        Cause.RENDERED_DIFFERENTLY,
        Cause.DIVERGED,
    }
)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A checkpoint of the prompt's own past that could not be resumed from.

    Attributes:
        cause: why it could not.
        position: in tokens.
        index: of the entry that shows it, None if it is shown by a missing one.
        tier: the one it left, or was on; "" if it was never stored.
        named: the journal's name for the cause, "" if it has none.
        during: number of the request that ran when it was removed, None if none did.
        copy: the tier that had a copy when it left, "" for none.
        every: the interval that was too wide, 0 otherwise.
        decoding: whether `every` is the interval of decoded tokens.
        instead: an interval that would have left one nearby, and its position; None if none would.
    """

    cause: Cause
    position: int
    index: int | None = None
    tier: str = ""
    named: str = ""
    during: int | None = None
    copy: str = ""
    every: int = 0
    decoding: bool = False
    instead: tuple[int, int] | None = None
