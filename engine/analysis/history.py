"""The requests before a recording starts, needed to reproduce its hits.

A cache is the result of its requests. So an engine keeps its requests from the start, up to a
limit, storing only the tokens that differ from an earlier request's; a recording that starts
later writes them at the beginning of its file.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from msgspec import structs

from engine.cache.journal.changes import ByUser, Cleared, Forgot, Stamped, Tuned
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan, TokenArray

MOST_TOKENS = 4_000_000
MOST_REQUESTS = 20_000
# How many recent requests a new one is compared with.
COMPARED = 8
# Tokens of a user's action are not delta-encoded, so they cost this much more memory.
BY_USER_COST = 9


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry; for a request, the tokens after the first `shared` ones of entry `base`."""

    entry: Entry
    base: int
    shared: int
    tail: npt.NDArray[np.int32]
    prompt: int


class History:
    """A listener of the journal; register it before the first entry.

    Attributes:
        complete: nothing had to be dropped, for lack of room or because it was deleted.
    """

    def __init__(self) -> None:
        self._kept: list[Kept] = []
        self._recent: deque[tuple[int, TokenArray]] = deque(maxlen=COMPARED)
        self._tokens = 0
        self.complete = True

    def on_entry(self, entry: Entry) -> None:
        """Keep requests and user actions; all other entries follow from those."""
        what = entry.what
        if not self.complete:
            return
        if isinstance(what, RequestRan):
            if what.reuse:
                self._keep(entry, what)
        elif isinstance(what, Forgot):
            # A recording that starts later must not bring a deleted conversation back to disk.
            self._give_up()
        elif isinstance(what, ByUser):
            self._tokens += BY_USER_COST * len(what.tokens)
            if self._tokens > MOST_TOKENS:
                self._give_up()
            else:
                self._kept.append(Kept(entry, -1, 0, np.empty(0, np.int32), 0))
        elif isinstance(what, Cleared | Tuned) or (
            isinstance(what, Stamped) and not what.inherited
        ):
            self._kept.append(Kept(entry, -1, 0, np.empty(0, np.int32), 0))

    def entries(self) -> list[Entry]:
        """The requests, with all tokens; empty if incomplete."""
        whole: list[TokenArray] = []
        entries: list[Entry] = []
        for kept in self._kept:
            above = whole[kept.base][: kept.shared] if kept.base >= 0 else kept.tail[:0]
            tokens = np.concatenate([above, kept.tail]).astype(np.int64)
            whole.append(tokens)
            what = kept.entry.what
            if isinstance(what, RequestRan):
                ran = replace(what, prompt=tokens[: kept.prompt], decoded=tokens[kept.prompt :])
                entries.append(structs.replace(kept.entry, what=ran))
            else:
                entries.append(kept.entry)
        return entries

    def _keep(self, entry: Entry, ran: RequestRan) -> None:
        tokens = ran.sequence
        base, shared = -1, 0
        for at, known in self._recent:
            length = min(len(known), len(tokens))
            same = known[:length] == tokens[:length]
            found = length if same.all() else int(same.argmin())
            if found > shared:
                base, shared = at, found
        tail = tokens[shared:].astype(np.int32)
        # Drafts are kept whole, four bytes a number.
        self._tokens += len(tail) + len(ran.drafts.tried) // 4
        if self._tokens > MOST_TOKENS or len(self._kept) >= MOST_REQUESTS:
            self._give_up()
            return
        self._recent.append((len(self._kept), tokens))
        kept = structs.replace(entry, what=ran.without_tokens())
        self._kept.append(Kept(kept, base, shared, tail, len(ran.prompt)))

    def _give_up(self) -> None:
        self.complete = False
        self._kept.clear()
        self._recent.clear()
