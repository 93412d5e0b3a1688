"""Compares a prediction with the recording: lines of a table. Without Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import in_turn, listed
from app.core.words.tr import tr, trn
from app.debugger.what_if.logic.knobs import value_words
from app.debugger.what_if.logic.wanted import Wanted, wanted_name
from engine.analysis.redrafting import Passes
from engine.analysis.report import ReplayReport, Sums

Verdict = Literal["better", "worse", "same"]
# A difference of less than this share gets no colour.
_CLEAR = 0.005
_WORDS = {
    "interval": tr("interval"),
    "decode_interval": tr("decode interval"),
    "device_bytes": tr("device budget"),
    "state_share": tr("state share"),
    "host_bytes": tr("host budget"),
    "disk_bytes": tr("disk budget"),
    "policy": tr("policy"),
    "mode": tr("mode"),
}


def remembered_text(values: Mapping[str, Any], overruled: frozenset[str]) -> str:
    """One or two sentences; "" if nothing is remembered.

    Args:
        values, overruled: by their names in EngineConfig.
    """
    if not values:
        return ""
    words = listed(
        f"{_WORDS[name]} {value_words(name, value)}"
        for name, value in ((wanted_name(field), value) for field, value in values.items())
    )
    said = tr("Remembered for the next start of this model: {told}.").format(told=words)
    if overruled:
        names = tr(" and ").join(sorted(_WORDS[wanted_name(field)] for field in overruled))
        return tr("{said} This start's command line sets another {names}.").format(
            said=said, names=names
        )
    return tr("{said} A value on the command line goes before it.").format(said=said)


@dataclass(frozen=True, slots=True)
class Figure:
    """One line: a name, today's value, the predicted one, and the difference."""

    name: str
    today: str
    predicted: str
    change: str
    verdict: Verdict
    hint: str


def figures(
    today: ReplayReport, predicted: ReplayReport | None, now_set: Wanted
) -> tuple[Figure, ...]:
    """The lines of the table.

    Today's figures are measured if the recording has them, and a prediction differs from them as
    the two replays differ. Until there is a prediction, its column is empty.

    Args:
        today: the replay with the settings as recorded.
        now_set: the current settings.
    """
    was, now = today, predicted
    then, changed = was.recorded or was.replayed, _shifted(was, now)
    rows = [
        _share_row(then, changed),
        _row(
            tr("Replayed tokens"),
            then.replayed,
            None if changed is None else changed.replayed,
            tr("Tokens whose keys and values were there, but no state to go on from"),
            lower_is_better=True,
        ),
        _row(
            tr("New tokens"),
            then.computed,
            None if changed is None else changed.computed,
            tr("Tokens that no tier knew"),
            lower_is_better=True,
        ),
        _time_row(
            tr("Replay time"),
            _replay_s(was, then),
            None if changed is None else _replay_s(was, changed),
            tr("What running the replayed tokens takes at the measured speed"),
        ),
        _time_row(
            tr("First token"),
            then.first_token_s,
            None if changed is None else changed.first_token_s,
            tr("Mean time to the first token, at the measured speed"),
        ),
        _bytes_row(
            tr("Reserved"),
            now_set.device_bytes,
            None if now is None else now.settings.device_bytes,
            tr("Device memory for both planes"),
        ),
        _bytes_row(
            tr("Used at most"),
            was.device_bytes,
            None if now is None else now.device_bytes,
            tr("The most that the tree on the device ever held"),
        ),
    ]
    if now_set.host_bytes or (now is not None and now.settings.host_kv_slots):
        rows.append(
            _bytes_row(
                tr("Host memory"),
                now_set.host_bytes,
                None if now is None else now.settings.host_bytes,
                tr("Reserved for what the device evicts"),
            )
        )
    rows.append(
        _row(
            tr("Evictions"),
            _evicted(was),
            None if now is None else _evicted(now),
            tr(
                "Nodes and checkpoints that left the device; more of them are no loss by themselves"
            ),
            lower_is_better=None,
        )
    )
    rows.append(
        _row(
            tr("Not stored"),
            was.skipped,
            None if now is None else now.skipped,
            tr("Checkpoints for which no slot was free"),
            lower_is_better=True,
        )
    )
    if was.recorded_writing.answered:
        rows += _written_rows(was.recorded_writing, None if now is None else now.writing)
    return tuple(rows)


def _written_rows(was: Passes, now: Passes | None) -> list[Figure]:
    """The passes that wrote the answers, and what drafts saved of them."""
    rejected = _row(
        tr("Rejected drafts"),
        was.drafted - was.kept,
        None if now is None else now.drafted - now.kept,
        tr("Drafted tokens that were not the answer's"),
        lower_is_better=True,
    )
    return [
        _row(
            tr("Decode steps"),
            was.passes,
            None if now is None else now.passes,
            tr("Passes of the model that wrote the answers; a kept draft saves some"),
            lower_is_better=True,
        ),
        *([rejected] if was.drafted or (now is not None and now.drafted) else []),
        _time_row(
            tr("Writing time"),
            was.seconds,
            None if now is None else now.seconds,
            tr("What these passes take at the shortest measured for their numbers of rows"),
        ),
    ]


def recorded_text(today: ReplayReport) -> str:
    """Whether the replay with unchanged settings reproduces the recording."""
    if today.recorded is None:
        return tr("The recording has requests only, so there is nothing to compare with.")
    if not today.differing:
        return tr("With unchanged settings the replay reuses exactly what was recorded.")
    count = fmt.plural(len(today.differing), "request")
    why = (
        said(today.notes[0])
        if today.notes
        else tr("The recording does not begin with an empty cache.")
    )
    return tr(
        "With unchanged settings {count} would reuse other tokens than recorded. {why}"
    ).format(count=count, why=why)


def verdict_sentence(today: ReplayReport, predicted: ReplayReport) -> str:
    """The prediction in a sentence."""
    was, now = today.replayed, predicted.replayed
    if today.writing.passes != predicted.writing.passes:
        return in_turn(_reuse_sentence(was, now), _written_sentence(today, predicted))
    return _reuse_sentence(was, now)


def _written_sentence(today: ReplayReport, predicted: ReplayReport) -> str:
    return tr("The answers would have taken {now} passes of the model instead of {was}.").format(
        now=fmt.count(predicted.writing.passes), was=fmt.count(today.writing.passes)
    )


def _reuse_sentence(was: Sums, now: Sums) -> str:
    more = now.reused - was.reused
    if not more and now.replayed == was.replayed:
        return tr("These settings would have reused the same tokens.")
    if more > 0:
        sentence = trn(
            "{count} more token would have been reused",
            "{count} more tokens would have been reused",
            more,
        )
    elif more:
        sentence = trn(
            "{count} fewer token would have been reused",
            "{count} fewer tokens would have been reused",
            -more,
        )
    else:
        sentence = tr("As many tokens would have been reused")
    sentence = sentence.format(count=fmt.count(abs(more)))
    if was.first_token_s is not None and now.first_token_s is not None:
        delta = now.first_token_s - was.first_token_s
        change = (
            tr(", the first token {time} earlier on average")
            if delta < 0
            else tr(", the first token {time} later on average")
        )
        sentence += change.format(time=fmt.seconds(abs(delta)))
    return tr("{sentence}.").format(sentence=sentence)


def _shifted(today: ReplayReport, predicted: ReplayReport | None) -> Sums | None:
    """The measured sums, shifted by the difference between the two replays."""
    if predicted is None or today.recorded is None:
        return None if predicted is None else predicted.replayed
    measured, before, after = today.recorded, today.replayed, predicted.replayed
    first = measured.first_token_s, before.first_token_s, after.first_token_s
    seconds = None
    if first[0] is not None and first[1] is not None and first[2] is not None:
        seconds = max(first[0] + first[2] - first[1], 0.0)
    counts = {
        name: max(getattr(measured, name) + getattr(after, name) - getattr(before, name), 0)
        for name in ("reused", "replayed", "computed")
    }
    return replace(measured, first_token_s=seconds, **counts)


def _replay_s(report: ReplayReport, sums: Sums) -> float | None:
    speed = report.prefill_tok_s
    return None if not speed else sums.replayed / speed


def _evicted(report: ReplayReport) -> int:
    return sum(count for _, count in report.evicted)


def _share_row(was: Sums, now: Sums | None) -> Figure:
    before = was.reused_share
    after = None if now is None else now.reused_share
    change = "" if after is None else f"{100 * (after - before):+.1f} pp"
    return Figure(
        tr("Reused"),
        f"{before:.1%}",
        "" if after is None else f"{after:.1%}",
        "" if change in ("+0.0 pp", "-0.0 pp") else change,
        _verdict(before, after, lower_is_better=False),
        tr("Share of all prompt tokens that no request had to run"),
    )


def _row(
    name: str, before: int, after: int | None, hint: str, *, lower_is_better: bool | None
) -> Figure:
    change = "" if after is None or after == before else f"{after - before:+,}"
    verdict = _verdict(before, after, lower_is_better=lower_is_better)
    now = "" if after is None else fmt.count(after)
    return Figure(name, fmt.count(before), now, change, verdict, hint)


def _time_row(name: str, before: float | None, after: float | None, hint: str) -> Figure:
    was = tr("not known") if before is None else fmt.seconds(before)
    now = "" if after is None else fmt.seconds(after)
    change = ""
    if before and after is not None and now != was:
        change = f"{100 * (after / before - 1):+.0f}%"
    verdict = _verdict(before or 0.0, after, lower_is_better=True)
    return Figure(name, was, now, change, verdict if change else "same", hint)


def _bytes_row(name: str, before: int, after: int | None, hint: str) -> Figure:
    was = fmt.byte_size(before) if before else tr("none")
    now = "" if after is None else fmt.byte_size(after) if after else tr("none")
    change = ""
    if after is not None and after != before and now != was:
        sign = "+" if after > before else "−"
        change = f"{sign}{fmt.byte_size(abs(after - before))}"
    # More memory is neither better nor worse.
    return Figure(name, was, now, change, "same", hint)


def _verdict(before: float, after: float | None, *, lower_is_better: bool | None) -> Verdict:
    if after is None or lower_is_better is None:
        return "same"
    if abs(after - before) <= _CLEAR * max(abs(before), abs(after)):
        return "same"
    return "better" if (after < before) == lower_is_better else "worse"
