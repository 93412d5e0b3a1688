"""What the disk tier offered for a prompt, derived from the records at that time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.cache.journal.changes import CheckpointCopied, CheckpointStored
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import DiskOffer
from engine.stored_state import StoredState


def disk_offers(entries: Iterable[Entry]) -> tuple[DiskOffer, ...]:
    """What the disk provided to the device, in order."""
    offers = []
    stored: StoredState | None = None
    for entry in entries:
        what = entry.what
        if isinstance(what, CheckpointStored):
            stored = what.state
        elif isinstance(what, CheckpointCopied) and what.source == "disk":
            state = StoredState(what.position, tier="disk")
            if stored is not None and (stored.position, stored.tier) == (what.position, "disk"):
                state = replace(stored, verdict=None)
            offers.append(DiskOffer(what.outcome, state))
            stored = None
    return tuple(offers)
