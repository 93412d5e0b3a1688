"""Audits of one core: checks that there is something to audit, and reports what was wrong."""

from __future__ import annotations

from collections.abc import Callable

from engine.config import StateFormat
from engine.errors import CacheError
from engine.run.notices import Notices
from engine.run.rounding import Bound
from engine.run.store import Store
from engine.run.verify import Verifier
from engine.verdict import Verdict


class Audits:
    """Audits checkpoints between requests, on request or one that was resumed from.

    Attributes:
        verifier: what compares.
    """

    def __init__(
        self, store: Store, rounding: Callable[[StateFormat], Bound], notices: Notices
    ) -> None:
        """rounding: the error that rounding explains, by the format of a stored state."""
        self.verifier = Verifier(store, rounding)
        self._store = store
        self._notices = notices
        self._drops = 0

    def interrupt(self) -> None:
        """The cache was dropped: whatever is being audited is gone."""
        self._drops += 1

    def verify(
        self, node: int, wanted: Callable[[], bool], *, brief: bool = False
    ) -> Verdict | None:
        """Audit the checkpoint of a node; see Verifier.verify. Raises CacheError if it is gone.

        A command handled by `wanted` may drop the cache; then nothing is left to audit.
        """
        reader, tiers = self._store.cache.reader, self._store.tiers
        if node not in {view.id for view in reader.nodes()}:
            raise CacheError("That node is no longer in memory.")
        at, before = len(reader.holding(node).tokens), tiers.quarantined
        drops = self._drops
        verdict = self.verifier.verify(node, lambda: wanted() or self._drops != drops, brief=brief)
        more = tiers.quarantined - before - 1
        if more >= 0:
            also = f", nor are {more} before it" if more else ""
            self._notices.add(
                f"The checkpoint at token {at:,} gave a wrong answer and is no longer used{also}."
            )
        return verdict

    def next(self, wanted: Callable[[], bool]) -> tuple[int, Verdict | None] | None:
        """Audit one checkpoint that was resumed from but never audited; None if there is none."""
        node = self.verifier.next_unverified()
        return None if node is None else (node, self.verify(node, wanted, brief=True))
