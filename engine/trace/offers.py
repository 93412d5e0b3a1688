"""What the disk tier gave for a prompt, read from the records of that time."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cache.journal.changes import CheckpointCopied, CheckpointStored
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_record import DiskOffer


def disk_offers(entries: Iterable[Entry]) -> tuple[DiskOffer, ...]:
    """What the disk gave to the device, in order."""
    offers = []
    stored: CheckpointStored | None = None
    for entry in entries:
        what = entry.what
        if isinstance(what, CheckpointStored):
            stored = what
        elif isinstance(what, CheckpointCopied) and what.source == "disk":
            offer = DiskOffer(what.position, what.outcome)
            if stored is not None and stored.position == what.position and stored.tier == "disk":
                offer = DiskOffer(
                    what.position,
                    what.outcome,
                    stored.provenance,
                    stored.chain,
                    stored.has_hidden,
                    stored.stored,
                    stored.error,
                )
            offers.append(offer)
            stored = None
    return tuple(offers)
