"""The lines of figures about an answer. Without Qt."""

from __future__ import annotations

from collections.abc import Iterator

from app.core.words import format as fmt
from app.core.words.draft_words import drafts_detail
from app.core.words.engine_words import said
from app.core.words.explain import stored_words, verdict_sentence
from app.core.words.tr import tr
from engine.reuse import ReusePlan, ReuseReport

_DOT = " · "
_BOUNDED = {"decode": tr("while writing"), "branch": tr("where a conversation forked")}


def stats_line(report: ReuseReport) -> str:
    """All figures by name: `reused 12,416 · replayed 0 · new 57 · first token 0.18 s · …`."""
    parts = [reuse_text(report.plan), *_source(report.plan)]
    if report.first_token_s is not None:
        parts.append(
            tr("first token {first_token_s}").format(
                first_token_s=fmt.seconds(report.first_token_s)
            )
        )
    if report.decode_tok_s is not None:
        parts.append(fmt.rate(report.decode_tok_s))
    return _DOT.join((*parts, *_drafts(report)))


def speed_text(report: ReuseReport) -> str:
    """What stands under an answer at rest, without names: `0.2 s · 63 tok/s`."""
    parts = []
    if report.first_token_s is not None:
        parts.append(fmt.brief_seconds(report.first_token_s))
    if report.decode_tok_s is not None:
        parts.append(fmt.rate(report.decode_tok_s))
    return _DOT.join(parts)


def figures_text(report: ReuseReport, *, drafts: bool = True) -> str:
    """The same, then the rest of the line: `0.2 s · 63 tok/s · reused 12,416 · …`."""
    parts = (
        *(speed_text(report), *(_drafts(report) if drafts else ())),
        *(reuse_text(report.plan), *_source(report.plan)),
    )
    return _DOT.join(part for part in parts if part)


def _drafts(report: ReuseReport) -> list[str]:
    """What drafts did: "2.4 tokens a step", "71 % of drafts kept"; nothing if none were made."""
    drafts = report.drafts
    if not drafts.drafted or not drafts.steps:
        return []
    return [
        tr("{count:.1f} tokens a step").format(count=1 + drafts.kept / drafts.steps),
        tr("{share} of drafts kept").format(share=fmt.percent(drafts.kept / drafts.drafted)),
    ]


def wrapping_by_figure(line: str) -> str:
    """The line for a narrow column: it only wraps between figures."""
    figures = line.split(_DOT)
    kept = (figure.replace(" ", "\u00a0").replace("/", "/\u2060") for figure in figures)
    return _DOT.join(kept)


def reuse_text(plan: ReusePlan) -> str:
    """The three parts of a prompt, in tokens."""
    if plan.reported_by:
        return _DOT.join(_reported(plan))
    return tr("reused {reused}{dot}replayed {replayed}{dot}new {computed}").format(
        reused=fmt.count(plan.reused),
        dot=_DOT,
        replayed=fmt.count(plan.replayed),
        computed=fmt.count(plan.computed),
    )


def _reported(plan: ReusePlan) -> Iterator[str]:
    """The figures that an engine elsewhere reports; missing ones are called unknown."""
    if not plan.total:
        yield tr("prompt and reuse not reported")
        return
    expected: tuple[str, ...] = ()
    if plan.expected is not None:
        expected = (tr("expected {count}").format(count=fmt.count(plan.expected)),)
    if plan.unknown:
        yield tr("prompt {count}").format(count=fmt.count(plan.total))
        yield from expected
        yield tr("reuse not reported")
    else:
        yield tr("reused {count}").format(count=fmt.count(plan.reused))
        yield from expected
        if plan.replayed:
            yield tr("replayed {count}").format(count=fmt.count(plan.replayed))
        yield tr("new {count}").format(count=fmt.count(plan.computed))


def _source(plan: ReusePlan) -> list[str]:
    """The source of the state, if not the device: "from disk, int8, error 0.4%"."""
    state = plan.state
    if not plan.reused or state is None or (state.tier == "device" and not state.error):
        return []
    packed = stored_words(state.stored, state.error)
    place = {"host": tr("from host memory"), "disk": tr("from disk")}.get(state.tier, "")
    return [", ".join(part for part in (place, packed) if part)]


def stats_detail(report: ReuseReport) -> str:
    """The tooltip: the figures by name, the reason, and a breakdown of the time."""
    lines = [stats_line(report)]
    if report.plan.detail:
        lines.append(said(report.plan.detail))
    # An engine elsewhere does not report how its time was spent.
    if not report.plan.reported_by:
        lines.append(
            tr(
                "lookup {lookup_ms:.1f} ms{dot}restore {restore_ms:.1f} ms{dot}replay "
                "{replay_ms:,.0f} ms{dot}prefill {prefill_ms:,.0f} ms"
            ).format(
                lookup_ms=report.lookup_ms,
                dot=_DOT,
                restore_ms=report.restore_ms,
                replay_ms=report.replay_ms,
                prefill_ms=report.prefill_ms,
            )
        )
    state = report.plan.state
    if state is not None and state.provenance in _BOUNDED and report.plan.reused:
        words = _BOUNDED[state.provenance]
        lines.append(
            tr(
                "Resumed at {reused} from a state taken {words}: a cold run may differ by rounding"
            ).format(reused=fmt.count(report.plan.reused), words=words)
        )
    if state is not None and state.verdict is not None:
        finding = verdict_sentence(state.verdict)
        lines.append(
            tr("An audit had checked the state it resumed from. {said}").format(said=finding)
        )
    lines.append(
        tr("{tokens} in {total_s}").format(
            tokens=fmt.plural(report.generated, "token"), total_s=fmt.seconds(report.total_s)
        )
    )
    lines += drafts_detail(report.drafts)
    if report.skipped_checkpoints:
        skipped = fmt.plural(report.skipped_checkpoints, "checkpoint")
        lines.append(tr("{skipped} skipped: every state slot was in use").format(skipped=skipped))
    return "\n".join(lines)
