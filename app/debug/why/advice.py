"""What to change, in words: a suggestion and its predicted effect. Without Qt."""

from __future__ import annotations

from app.words import format as fmt
from app.words.tr import tr
from engine.trace.settings import CacheSettings
from engine.trace.what_if import WhatIf
from engine.trace.why.cause import NORMAL, Cause
from engine.trace.why.evidence import Evidence
from engine.trace.why.suggestion import Behaviour, Effect, Suggestion

_DO = {
    Behaviour.KEEP_THE_DATE_OUT: (
        tr("Keep the date and the time out of the system text, or put them into the last message.")
    ),
    Behaviour.KEEP_THE_SYSTEM_TEXT: (
        tr("Leave the system text as it is during a conversation, or begin a new one with it.")
    ),
    Behaviour.KEEP_THE_TOOLS: tr("Keep the list of tools the same, in the same order."),
}
_NOTHING = {
    Cause.MESSAGE_EDITED: tr("What follows an edit has to be read again."),
    Cause.OLDEST_DROPPED: tr("What follows has to be read again each time that more is left out."),
    Cause.TEXT_LEFT_OUT: tr("What follows has to be read again."),
    Cause.FILE_GONE: tr("This run stored its state anew. Leave the files in the cache folder."),
    Cause.OTHER_FILES: tr("This run stores states that these weights and kernels can use."),
    Cause.READ_BEFORE: tr("This run stores its states anew."),
    Cause.QUARANTINED: tr("The wrong state is not used any more, and this run stored a sound one."),
    Cause.DAMAGED_FILE: (
        tr(
            "The file was removed, and this run stored its state anew. If it happens "
            "again, check the disk."
        )
    ),
    Cause.REMOVED: tr("It was removed on request."),
    Cause.CACHE_OFF: tr("The request asked for no cache."),
    Cause.UNRECORDED: tr("Record from the start to see why."),
    Cause.DIVERGED: tr("Another text has to be read."),
    Cause.ANSWER_RETOKENISED: tr("What comes back is not the answer as the model wrote it."),
    Cause.RENDERED_DIFFERENTLY: tr("It is the model's template that does so."),
}
_MIB = 1 << 20


def advice(suggestion: Suggestion, evidence: Evidence, settings: CacheSettings | None) -> str:
    """What to do, in one sentence."""
    if suggestion.behaviour is not None:
        return _DO[suggestion.behaviour]
    if suggestion.change is not None and settings is not None:
        return _change(suggestion.change, settings)
    if evidence.cause in NORMAL:
        return tr("Nothing to change: nothing ran that could have been saved.")
    why = _NOTHING.get(evidence.cause)
    if why is None:
        tried = fmt.plural(suggestion.tried, "change")
        why = tr("None of {tried} tried in the simulator would have helped.").format(tried=tried)
    return tr("Nothing to change. {why}").format(why=why)


def _change(change: WhatIf, settings: CacheSettings) -> str:
    if change.device_bytes is not None:
        return tr(
            "Give the device's cache {device_bytes} instead of {device_bytes2} "
            "(--cache-mb {device_bytes3})."
        ).format(
            device_bytes=_size(change.device_bytes),
            device_bytes2=_size(settings.device_bytes),
            device_bytes3=_mib(change.device_bytes),
        )
    if change.host_bytes is not None:
        return tr(
            "Give the host tier {host_bytes} instead of {host_bytes2} (--host-mb {host_bytes3})."
        ).format(
            host_bytes=_size(change.host_bytes),
            host_bytes2=_size(settings.host_bytes),
            host_bytes3=_mib(change.host_bytes),
        )
    if change.interval is not None:
        return tr(
            "Store a checkpoint every {interval} tokens instead of {interval2} "
            "(--interval {interval3})."
        ).format(
            interval=fmt.count(change.interval),
            interval2=fmt.count(settings.interval),
            interval3=change.interval,
        )
    if change.decode_interval is not None:
        return tr(
            "Store one every {decode_interval} tokens of an answer instead of {decode_interval2}."
        ).format(
            decode_interval=fmt.count(change.decode_interval),
            decode_interval2=fmt.count(settings.decode_interval),
        )
    if change.mode is not None:
        return tr("Use {mode} mode (--mode {mode}).").format(mode=change.mode)
    return tr("Use the eviction policy {policy} (--policy {policy}).").format(policy=change.policy)


def effect_words(effect: Effect) -> str:
    """What it would do, as the simulator predicts."""
    was, now = effect.ran
    line = tr("This turn would run {now} tokens instead of {was}").format(
        now=fmt.count(now), was=fmt.count(was)
    )
    saved_s = effect.saved_s
    if saved_s is not None and saved_s > 0:
        line += tr(", {saved_s} sooner").format(saved_s=fmt.about(saved_s))
    if effect.saved_in_all != effect.saved:
        all_was, all_now = effect.ran_in_all
        line += tr("; all requests up to it, {all_now} instead of {all_was}").format(
            all_now=fmt.count(all_now), all_was=fmt.count(all_was)
        )
    return tr("{line}. Predicted by replaying the recorded requests.").format(line=line)


def _size(value: int) -> str:
    return fmt.byte_size(value)


def _mib(value: int) -> int:
    return max(1, -(-value // _MIB))
