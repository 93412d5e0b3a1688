"""Texts about a download's progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.words import format as fmt
from app.core.words.tr import tr

if TYPE_CHECKING:
    from engine.hub.download import Progress


def progress_line(progress: Progress) -> str:
    """One line: the amount done, the speed, and the time left."""
    phase = progress.phase
    if phase == "asking":
        return tr("Asking what the repository holds…")
    of = amount(progress.done_bytes, progress.total_bytes)
    if phase == "checking":
        return tr("{amount} · checking what is there").format(amount=of)
    if phase == "waiting":
        return tr("{amount} · waiting for the connection").format(amount=of)
    if phase == "paused":
        return tr("Paused at {amount}").format(amount=of)
    if phase == "done":
        return tr("Downloaded, every file verified")
    if phase == "cancelled":
        return tr("Cancelled")
    if phase == "failed":
        return tr("Stopped at {amount}").format(amount=of)
    if progress.rate_bytes_s <= 0:
        return of
    rate = tr("{size} a second").format(size=fmt.byte_size(int(progress.rate_bytes_s)))
    left = progress.left_s
    if left is None:
        return f"{of} · {rate}"
    return f"{of} · {rate} · " + tr("{time} left").format(time=time_left(left))


def amount(done: int, total: int) -> str:
    """ "1.20 of 3.40 GiB"; without a total, the amount done alone."""
    if not total:
        return fmt.byte_size(done)
    both = tr("{done} of {total}").format(done=fmt.byte_size(done), total=fmt.byte_size(total))
    return fmt.shared_unit(both)


def time_left(seconds: float) -> str:
    """A rough time: "40 s", "3 min", "1 h 20 min"."""
    if seconds < 60:
        return tr("{count} s").format(count=max(1, round(seconds)))
    minutes = round(seconds / 60)
    if minutes < 60:
        return tr("{count} min").format(count=minutes)
    return tr("{hours} h {minutes} min").format(hours=minutes // 60, minutes=minutes % 60)
