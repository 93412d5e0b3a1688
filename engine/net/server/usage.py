"""A request's reuse, in each interface's own accounting and in Biplane's terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from engine.net.server.pieces import Over
from engine.reuse import ReusePlan
from engine.sentence import as_data


def openai_usage(overs: Sequence[Over], n: int = 1) -> dict[str, Any]:
    """`usage` of chat completions: prompt_tokens includes the cached ones.

    Args:
        overs: of all answers.
        n: how many answers there are to each prompt, which counts once.
    """
    plans = [over.report.plan for over in overs[::n]]
    prompt, generated = sum(plan.total for plan in plans), sum(o.report.generated for o in overs)
    thought = sum(min(over.thinking_tokens, over.report.generated) for over in overs)
    kept = sum(over.report.drafts.kept for over in overs)
    first, *others = map(biplane_usage, overs)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": generated,
        "total_tokens": prompt + generated,
        # Clients read a missing number as "this server has no cache", so 0 is stated.
        "prompt_tokens_details": {"cached_tokens": sum(plan.reused for plan in plans)},
        "completion_tokens_details": {
            "reasoning_tokens": thought,
            "accepted_prediction_tokens": kept,
            "rejected_prediction_tokens": sum(o.report.drafts.drafted for o in overs) - kept,
        },
        "biplane": first | ({"other_answers": others} if others else {}),
    }


def responses_usage(over: Over) -> dict[str, Any]:
    """`usage` of responses: the same numbers under other names."""
    plan, generated = over.report.plan, over.report.generated
    return {
        "input_tokens": plan.total,
        "input_tokens_details": {"cached_tokens": plan.reused, "cache_write_tokens": 0},
        "output_tokens": generated,
        "output_tokens_details": {"reasoning_tokens": min(over.thinking_tokens, generated)},
        "total_tokens": plan.total + generated,
        "biplane": biplane_usage(over),
    }


def anthropic_input(plan: ReusePlan) -> dict[str, int]:
    """The prompt in Anthropic's accounting: input_tokens excludes what came from the cache."""
    return {
        "input_tokens": plan.replayed + plan.computed,
        "cache_read_input_tokens": plan.reused,
        "cache_creation_input_tokens": 0,
    }


def anthropic_usage(over: Over) -> dict[str, Any]:
    """`usage` of messages."""
    return {
        **anthropic_input(over.report.plan),
        "output_tokens": over.report.generated,
        "biplane": biplane_usage(over),
    }


def biplane_usage(over: Over) -> dict[str, Any]:
    """How the prompt was processed, why no more came from the cache, and how long it took."""
    report = over.report
    return plan_usage(report.plan) | {
        "first_token_s": report.first_token_s,
        "total_s": report.total_s,
        "tokens_per_s": report.decode_tok_s,
        "steps": report.drafts.steps,
        "drafted": report.drafts.drafted,
        "drafts_kept": report.drafts.kept,
        "volatile": [
            asdict(span) | {"would_save": span.saves(report.plan)} for span in over.volatile
        ],
        "opened": over.opened and asdict(over.opened) | {"sentence": over.opened.sentence},
    }


def plan_usage(plan: ReusePlan) -> dict[str, Any]:
    """The three parts of a prompt in tokens, the reason, and the two texts where it diverged."""
    state, checkpoint = plan.state, None
    if state is not None:
        checkpoint = {
            "position": state.position,
            "provenance": state.provenance,
            "exact": state.exact,
            "node": plan.checkpoint,
        }
    return {
        "reused": plan.reused,
        "replayed": plan.replayed,
        "new": plan.computed,
        # Of the new ones: they had run with the thinking that the template leaves out of history.
        "reread_for_thinking": plan.reread_for_thinking,
        "reason": plan.reason.value,
        "detail": plan.detail,
        # For a window in another language.
        "sentence": as_data(plan.detail),
        "divergence": plan.divergence and asdict(plan.divergence),
        "checkpoint": checkpoint,
        "tier": state.tier if state is not None else None,
    }
