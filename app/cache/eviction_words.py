"""Words for evictions: what left, why, and what is left of it. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from app.cache.fading import Mark, fate_of
from app.words import format as fmt
from app.words.engine_words import said
from app.words.tr import tr
from engine.snapshot import Evicted

# Each continues "… left the device".
CAUSE_WORDS = {
    "kv pressure": tr("to make room for keys and values"),
    "state pressure": tr("to make room for another state"),
    "one-shot request": tr("to make room, as the first: only requests without history had used it"),
    "tombstone chain": tr("because it was a tombstone that nothing came after any more"),
    "uncovered tail": tr("because no checkpoint was stored after it"),
    "superseded": tr("because a better one replaced it"),
    "session dropped": tr("because its session was dropped"),
    "dropped by user": tr("because you cleared it"),
    "conversation deleted": tr("because its conversation was deleted"),
    "quarantined above": tr("because it was computed from a state that was found to be wrong"),
    "drifted above": tr("because it was computed from a state that is less exact than claimed"),
    "quarantined": tr("because an audit found its state to be wrong"),
    "disk budget": tr("to make room on disk"),
    "file damaged": tr("because its file was damaged"),
    "file deleted": tr("because its file was deleted"),
    "replaced by another process": tr("because another process replaced its file"),
    "what it goes on from is gone": tr("because the file that it continues is gone"),
    "could not be written": tr("because its file could not be written"),
}
_LEFT = {
    "device": tr("left the device"),
    "host": tr("left host memory"),
    "disk": tr("left the disk"),
}
_PLACE = {"device": tr("on the device"), "host": tr("in host memory"), "disk": tr("on disk")}
_MOST_IN_TOOLTIP = 3


def what_went(gone: Evicted) -> str:
    """ "Tokens 0 to 400 and their state"."""
    if gone.plane == "state":
        return tr("The state at token {end}").format(end=fmt.count(gone.end))
    text = (
        tr("Tokens {start} to {end} and their state")
        if gone.plane == "both"
        else tr("Keys and values of tokens {start} to {end}")
    )
    return text.format(start=fmt.count(gone.start), end=fmt.count(gone.end))


def what_is_left(gone: Evicted) -> str:
    """Whether a copy of it is left, without a full stop."""
    if gone.cause == "superseded":
        return tr("nothing was lost")
    fate = fate_of(gone)
    if state_alone_lost(gone):
        return tr("the state is lost, but its keys and values are still in the tree")
    if fate == "lost":
        return tr("no copy is left")
    if fate == "moved":
        return tr("a copy is {place}").format(place=_PLACE[gone.copy])
    return tr("it is still {place}").format(place=_PLACE[gone.copy])


def state_alone_lost(gone: Evicted) -> bool:
    """Another node still has the keys and values that went with the state."""
    return gone.plane == "both" and not gone.copy and gone.node_now is not None


def eviction_sentence(gone: Evicted) -> str:
    """One line of the event log."""
    return tr("{what} {left} {why}; {rest}.").format(
        what=what_went(gone), left=_LEFT[gone.tier], why=why(gone), rest=what_is_left(gone)
    )


def why(gone: Evicted) -> str:
    """Its cause in words; a cause without words here is shown as the journal has it."""
    return CAUSE_WORDS.get(gone.cause, f"({said(gone.cause)})")


def eviction_tooltip(marks: Sequence[Mark], now: float) -> str:
    """Tooltip of the marks under the mouse, newest first; `now` on the cache's clock."""
    parts = [_part(mark.evicted, now) for mark in marks[:_MOST_IN_TOOLTIP]]
    more = len(marks) - len(parts)
    if more:
        parts.append(
            tr("and {evictions} here").format(evictions=fmt.plural(more, "earlier eviction"))
        )
    return "\n\n".join(parts)


def _part(gone: Evicted, now: float) -> str:
    age = max(0.0, now - gone.time)
    when = fmt.age(age) if age >= 1 else tr("just now")
    freed = fmt.byte_size(gone.kv_bytes + gone.state_bytes)
    what = what_went(gone)
    return "\n".join(
        (
            f"{what[0].lower()}{what[1:]} {_LEFT[gone.tier]} {when}",
            why(gone),
            tr("{freed} freed, {gone}").format(freed=freed, gone=what_is_left(gone)),
        )
    )
