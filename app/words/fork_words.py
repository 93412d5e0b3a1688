"""What going to another branch of a conversation would cost, in words. Without Qt."""

from __future__ import annotations

from app.words import format as fmt
from app.words.tr import tr
from engine.reuse import ReusePlan

# What a next question costs anyway, in tokens.
_FEW = 64
# Above that, a branch is warm if no larger share of it would be read again.
_COLD_SHARE = 0.1


def is_warm(plan: ReusePlan) -> bool:
    """Whether next to nothing of it would have to be read again."""
    return plan.total - plan.reused <= max(_FEW, _COLD_SHARE * plan.total)


def wait_text(plan: ReusePlan | None) -> str:
    """The predicted wait for the first token; "" while nothing is known."""
    if plan is None:
        return ""
    if plan.predicted_seconds is None:
        return tr("warm") if is_warm(plan) else tr("cold")
    return fmt.seconds(plan.predicted_seconds)


def step_tooltip(name: str, plan: ReusePlan | None) -> str:
    """`name`: of the step, such as "Previous version"."""
    if plan is None:
        return name
    cached = tr("{reused} of {total} tokens are in the cache").format(
        reused=fmt.count(plan.reused), total=fmt.count(plan.total)
    )
    if plan.predicted_seconds is None:
        return f"{name}: {cached}"
    wait = fmt.seconds(plan.predicted_seconds)
    return tr("{name}: {cached}, about {wait} to the first token").format(
        name=name, cached=cached, wait=wait
    )
