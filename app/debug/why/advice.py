"""What to change, in words: a suggestion and its predicted effect. Without Qt."""

from __future__ import annotations

from app.words import format as fmt
from engine.trace.settings import CacheSettings
from engine.trace.what_if import WhatIf
from engine.trace.why.cause import NORMAL, Cause
from engine.trace.why.evidence import Evidence
from engine.trace.why.suggestion import Behaviour, Effect, Suggestion

_DO = {
    Behaviour.KEEP_THE_DATE_OUT: (
        "Keep the date and the time out of the system text, or put them into the last message."
    ),
    Behaviour.KEEP_THE_SYSTEM_TEXT: (
        "Leave the system text as it is during a conversation, or begin a new one with it."
    ),
    Behaviour.KEEP_THE_TOOLS: "Keep the list of tools the same, in the same order.",
}
_NOTHING = {
    Cause.MESSAGE_EDITED: "What follows an edit has to be read again.",
    Cause.QUARANTINED: "The wrong state is not used any more, and this run stored a sound one.",
    Cause.DAMAGED_FILE: (
        "The file was removed, and this run stored its state anew. If it happens again, check the "
        "disk."
    ),
    Cause.REMOVED: "It was removed on request.",
    Cause.CACHE_OFF: "The request asked for no cache.",
    Cause.UNRECORDED: "Record from the start to see why.",
    Cause.DIVERGED: "Another text has to be read.",
    Cause.ANSWER_RETOKENISED: "It is the model's template that does so.",
    Cause.RENDERED_DIFFERENTLY: "It is the model's template that does so.",
}
_MIB = 1 << 20


def advice(suggestion: Suggestion, evidence: Evidence, settings: CacheSettings | None) -> str:
    """What to do, in one sentence."""
    if suggestion.behaviour is not None:
        return _DO[suggestion.behaviour]
    if suggestion.change is not None and settings is not None:
        return _change(suggestion.change, settings)
    if evidence.cause in NORMAL:
        return "Nothing to change: nothing ran that could have been saved."
    why = _NOTHING.get(evidence.cause)
    if why is None:
        tried = fmt.plural(suggestion.tried, "change")
        why = f"None of {tried} tried in the simulator would have helped."
    return f"Nothing to change. {why}"


def _change(change: WhatIf, settings: CacheSettings) -> str:
    if change.device_bytes is not None:
        return (
            f"Give the device's cache {_size(change.device_bytes)} instead of "
            f"{_size(settings.device_bytes)} (--cache-mb {_mib(change.device_bytes)})."
        )
    if change.host_bytes is not None:
        return (
            f"Give the host tier {_size(change.host_bytes)} instead of "
            f"{_size(settings.host_bytes)} (--host-mb {_mib(change.host_bytes)})."
        )
    if change.interval is not None:
        return (
            f"Store a checkpoint every {fmt.count(change.interval)} tokens instead of "
            f"{fmt.count(settings.interval)} (--interval {change.interval})."
        )
    if change.decode_interval is not None:
        return (
            f"Store one every {fmt.count(change.decode_interval)} tokens of an answer instead of "
            f"{fmt.count(settings.decode_interval)}."
        )
    if change.mode is not None:
        return f"Use {change.mode} mode (--mode {change.mode})."
    return f"Use the eviction policy {change.policy} (--policy {change.policy})."


def effect_words(effect: Effect) -> str:
    """What it would do, as the simulator predicts."""
    was, now = effect.ran
    line = f"This turn would run {fmt.count(now)} tokens instead of {fmt.count(was)}"
    saved_s = effect.saved_s
    if saved_s is not None and saved_s > 0:
        line += f", {fmt.about(saved_s)} sooner"
    if effect.saved_in_all != effect.saved:
        all_was, all_now = effect.ran_in_all
        line += f"; all requests up to it, {fmt.count(all_now)} instead of {fmt.count(all_was)}"
    return f"{line}. Predicted by replaying the recorded requests."


def _size(value: int) -> str:
    return fmt.byte_size(value)


def _mib(value: int) -> int:
    return max(1, -(-value // _MIB))
