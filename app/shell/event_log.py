"""The lines of Cache > Event log. Without Qt."""

from __future__ import annotations

import time

from app.cache.eviction_words import eviction_sentence
from app.session.event_log import EventLog, LoggedNotice
from app.words import format as fmt
from app.words.explain import evictions_text
from engine.snapshot import CacheSnapshot


def log_lines(log: EventLog, snapshot: CacheSnapshot | None) -> list[str]:
    """The entries, oldest first, each with the time of day; then evictions by cause."""
    lines = []
    for entry in log.entries():
        sentence = (
            entry.sentence if isinstance(entry, LoggedNotice) else eviction_sentence(entry.evicted)
        )
        lines.append(f"{time.strftime('%H:%M:%S', time.localtime(entry.clock))}  {sentence}")
    if log.left_out:
        verb = "is" if log.left_out == 1 else "are"
        lines.append(f"{fmt.plural(log.left_out, 'more eviction')} {verb} not listed individually.")
    if snapshot is not None:
        lines += ["", "Evictions from the device since the model was opened:"]
        lines += [f"  {line}" for line in evictions_text(snapshot).splitlines()]
    return lines
