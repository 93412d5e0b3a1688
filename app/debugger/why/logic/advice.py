"""Sentences about a suggestion and its predicted effect. Without Qt."""

from __future__ import annotations

from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.analysis.why.cause import NORMAL, Cause
from engine.analysis.why.evidence import Evidence
from engine.analysis.why.suggestion import Behaviour, Suggestion
from engine.journal.settings import CacheSettings, WhatIf

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
_UNTOLD = tr(
    "How much that would save cannot be predicted: in a recording this old, hashes do not tell "
    "which later text is the same."
)
_OPTIONS = {
    "policy": "--policy",
    "mode": "--mode",
    "interval": "--interval",
    "decode_interval": "--decode-interval",
    "state_share": "--state-share",
    "device_bytes": "--cache-mb",
    "host_bytes": "--host-mb",
}


def advice(suggestion: Suggestion, evidence: Evidence) -> str:
    """What to do, in one sentence."""
    if suggestion.behaviour is not None:
        return _DO[suggestion.behaviour]
    if suggestion.change is not None:
        return _change(suggestion.change, suggestion.today, options(suggestion.whole))
    if evidence.cause in NORMAL and not suggestion.tried:
        again = evidence.known - evidence.reused
        if not again:
            return tr("Nothing to change: nothing ran that could have been saved.")
        return tr("Nothing to change: of {ran} that ran, only {again} had run before.").format(
            ran=fmt.plural(evidence.ran, "token"), again=fmt.count(again)
        )
    why = _NOTHING.get(evidence.cause)
    if why is None:
        tried = fmt.plural(suggestion.tried, "change")
        why = tr("None of {tried} tried in the simulator would have helped.").format(tried=tried)
    return tr("Nothing to change. {why}").format(why=why)


def options(change: WhatIf) -> str:
    """The options of `biplane`, or `biplane trace replay`, for these settings."""
    return " ".join(
        f"{_OPTIONS[name]} {value >> 20 if name.endswith('_bytes') else value}"
        for name, value in change.given.items()
    )


def _change(change: WhatIf, today: CacheSettings, options: str) -> str:
    if change.device_bytes is not None:
        return tr("Give the device's cache {new} instead of {old} ({options}).").format(
            new=fmt.byte_size(change.device_bytes),
            old=fmt.byte_size(today.device_bytes),
            options=options,
        )
    if change.host_bytes is not None:
        new, old = fmt.byte_size(change.host_bytes), fmt.byte_size(today.host_bytes)
        if not today.host_bytes:
            return tr("Keep what the device evicts in {new} of host memory ({options}).").format(
                new=new, options=options
            )
        return tr("Give the host tier {new} instead of {old} ({options}).").format(
            new=new, old=old, options=options
        )
    if change.state_share is not None:
        return tr(
            "Give the states {new:.0%} of the budget at first, instead of {old:.0%} ({options})."
        ).format(new=change.state_share, old=today.state_share, options=options)
    if change.interval is not None:
        old = fmt.count(today.interval) if today.interval else tr("none")
        return tr("Store a checkpoint every {new} tokens instead of {old} ({options}).").format(
            new=fmt.count(change.interval), old=old, options=options
        )
    if change.decode_interval is not None:
        old = fmt.count(today.decode_interval) if today.decode_interval else tr("none")
        return tr(
            "Store a checkpoint every {new} tokens of an answer instead of {old} ({options})."
        ).format(new=fmt.count(change.decode_interval), old=old, options=options)
    if change.mode is not None:
        return tr("Use {mode} mode, where resuming may differ by rounding ({options}).").format(
            mode=change.mode, options=options
        )
    return tr("Use the eviction policy {policy} ({options}).").format(
        policy=change.policy, options=options
    )


def effect_words(suggestion: Suggestion) -> str:
    """The effect that the simulator predicts; "" if nothing is suggested."""
    effect = suggestion.effect
    if effect is None:
        return "" if suggestion.nothing else _UNTOLD
    was, now = effect.ran
    if effect.refused:
        line = tr("This turn would run {now} tokens instead of being refused").format(
            now=fmt.count(now)
        )
    else:
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
