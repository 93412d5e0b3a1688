"""What is worth saying under an answer: what a miss has cost, and what the cache has saved.

Without Qt.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.tr import tr
from engine.reuse import CLAUSES, ReusePlan, ReuseReport

# Half of what interrupts a train of thought: a shorter wait is not worth a line of its own.
LEAST_COST_S = 0.5
# The least saving worth telling in seconds, or, of a model too fast for that, in tokens.
LEAST_SAVED_S = 0.2
LEAST_SAVED = 24


def miss_text(report: ReuseReport | None) -> str:
    """What was read again, and why: "read 4,210 tokens again: the system prompt changed".

    "" unless tokens had run before, and running them again took a noticeable time.
    """
    if report is None or _again_s(report) < LEAST_COST_S:
        return ""
    tokens = fmt.plural(report.plan.again, "token")
    clause = _clause(report.plan)
    if not clause:
        return tr("read {tokens} again").format(tokens=tokens)
    return tr("read {tokens} again: {clause}").format(tokens=tokens, clause=clause)


def _again_s(report: ReuseReport) -> float:
    """The share of the time that went into tokens that had run before, in seconds."""
    plan = report.plan
    ran = plan.replayed + plan.computed
    return (report.replay_ms + report.prefill_ms) / 1000 * plan.again / ran if ran else 0.0


def _clause(plan: ReusePlan) -> str:
    """Why: of replayed tokens, what became of their state."""
    replayed = plan.missing is not None and 2 * plan.replayed > plan.again
    reason = plan.missing.why if plan.missing is not None and replayed else plan.reason
    return said(CLAUSES.get(reason, ""))


def saving_text(report: ReuseReport, reports: Iterable[ReuseReport]) -> str:
    """What the cache has saved, in time if that is noticeable; "" if it is not worth telling.

    reports: of the same model. The fastest of them tells how long reading would have taken, so
        that no more is claimed than was saved.
    """
    plan = report.plan
    if plan.reported_by:
        return ""
    tok_s = max(filter(None, map(_read_tok_s, reports)), default=None)
    saved_s = plan.reused / tok_s - report.restore_ms / 1000 if tok_s is not None else 0.0
    tokens = fmt.plural(plan.reused, "token")
    if saved_s >= LEAST_SAVED_S:
        return tr("{time} saved: {tokens} were not read again").format(
            time=fmt.brief_seconds(saved_s), tokens=tokens
        )
    if plan.reused >= LEAST_SAVED:
        return tr("{tokens} came from the cache and were not read again").format(tokens=tokens)
    return ""


def _read_tok_s(report: ReuseReport) -> float | None:
    """The speed at which a prompt was read, in tokens per second; None if none was."""
    ran, ms = report.plan.replayed + report.plan.computed, report.replay_ms + report.prefill_ms
    return 1000 * ran / ms if ran and ms > 0 else None
