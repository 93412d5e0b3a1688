"""Every cause of a miss, on plain data: the reason reported, and its wording."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine import Message, PromptOptions, Reason
from engine.cache.match import Match
from engine.cache.node import Loss
from engine.reuse import ReusePlan
from engine.run.explain import Asked, explain
from engine.run.sightings import Sighting
from engine.text.prompt import MessageSpan, RenderedPrompt

TOTAL, STEP = 60, 10
SYSTEM, FIRST = Message("system", "Be kind."), Message("user", "Hello.")
ANSWER, SECOND = Message("assistant", "Good morning."), Message("user", "What now?")
CHAT = (SYSTEM, FIRST, ANSWER, SECOND)
TOOLS = PromptOptions(tools=({"name": "look"},))
PLAIN = PromptOptions()


def match(
    matched: int,
    resume: int | None = None,
    *,
    tokens: Reason = Reason.DIVERGED,
    state: Reason = Reason.NONE,
    lost: Loss | None = None,
) -> Match:
    at = matched if resume is None else resume
    return Match(TOTAL, matched, at, matched, 1, None, None, (), state, tokens, lost)


def asked(
    *messages: Message,
    before: tuple[Message, ...] | None = CHAT,
    options: PromptOptions = PLAIN,
    cached: str = "old words",
    prompt: str = "new words",
    **more: Any,
) -> Asked:
    """A prompt of ten tokens per message; `before` is the nearest earlier one, None for none."""
    spans = tuple(MessageSpan(n, n * STEP, (n + 1) * STEP) for n in range(len(messages)))
    ids = np.arange(TOTAL)
    made = Asked(
        rendered=RenderedPrompt(tuple(ids.tolist()), spans=spans),
        sighting=Sighting.of(ids, messages, options),
        nearest=None if before is None else Sighting.of(ids, before, PLAIN),
        cached=cached,
        prompt=prompt,
        now=1000.0,
    )
    return replace(made, **more)


def other(message: Message) -> Message:
    return replace(message, content="Something else.")


CAUSES = {
    "the system text": (5, (other(SYSTEM), FIRST), CHAT, Reason.SYSTEM_TEXT_CHANGED),
    "another first question": (15, (SYSTEM, other(FIRST)), CHAT, Reason.ANOTHER_CHAT),
    "the first question with the rest kept": (
        15,
        (SYSTEM, other(FIRST), ANSWER, SECOND),
        CHAT,
        Reason.MESSAGE_EDITED,
    ),
    "a later question": (35, (*CHAT[:3], other(SECOND)), CHAT, Reason.MESSAGE_EDITED),
    "an answer": (25, (SYSTEM, FIRST, other(ANSWER), SECOND), CHAT, Reason.MESSAGE_EDITED),
    "the same messages, put otherwise": (15, (*CHAT, ANSWER), CHAT, Reason.RENDERED_DIFFERENTLY),
    "put otherwise before what was edited": (
        15,
        (*CHAT[:3], other(SECOND)),
        CHAT,
        Reason.RENDERED_DIFFERENTLY,
    ),
    "an answer that came since, in other words": (
        25,
        (SYSTEM, FIRST, ANSWER, SECOND),
        (SYSTEM, FIRST),
        Reason.MESSAGE_EDITED,
    ),
    "a question, with nothing remembered": (35, CHAT, None, Reason.MESSAGE_EDITED),
    "the first one, with nothing remembered": (15, CHAT, None, Reason.ANOTHER_CHAT),
    "the system block, with nothing remembered": (5, CHAT, None, Reason.DIVERGED),
    "raw token ids": (5, (), (), Reason.DIVERGED),
}


@pytest.mark.parametrize(
    ("at", "messages", "before", "reason"), list(CAUSES.values()), ids=list(CAUSES)
)
def test_the_cause_of_a_divergence(
    at: int,
    messages: tuple[Message, ...],
    before: tuple[Message, ...] | None,
    reason: Reason,
) -> None:
    found = explain(match(at), asked(*messages, before=before))
    assert found.reason is reason
    assert found.divergence is not None
    assert found.divergence.token == at
    assert "old words" in found.detail
    assert "new words" in found.detail
    if messages:
        assert found.divergence.message == at // STEP
        assert found.divergence.role == messages[at // STEP].role
        assert f"in message {at // STEP + 1}" in found.detail


class TestDivergence:
    def test_changed_tools_differ_from_a_changed_system_text(self) -> None:
        assert explain(match(5), asked(*CHAT, options=TOOLS)).reason is Reason.TOOLS_CHANGED
        changed = asked(other(SYSTEM), *CHAT[1:])
        assert explain(match(5), changed).reason is Reason.SYSTEM_TEXT_CHANGED

    def test_what_the_renderer_knows_takes_precedence(self) -> None:
        plain = asked(*CHAT, other(ANSWER), before=(*CHAT, ANSWER))
        for rendered, reason in (
            (replace(plain.rendered, retokenised=(2,)), Reason.ANSWER_RETOKENISED),
            (replace(plain.rendered, edited=(2,)), Reason.MESSAGE_EDITED),
        ):
            assert explain(match(25), replace(plain, rendered=rendered)).reason is reason

    def test_a_dropped_thought(self) -> None:
        thought = asked(*CHAT, cached="<think>\nWell", prompt="Good morning.")
        assert explain(match(22), thought).reason is Reason.TEMPLATE_DROPPED_THINKING
        both = asked(*CHAT, cached="<think>\nWell", prompt="<think>\nHmm")
        assert explain(match(22), both).reason is not Reason.TEMPLATE_DROPPED_THINKING

    def test_an_answer_in_the_same_words_was_re_tokenised(self) -> None:
        same = asked(*CHAT, before=(SYSTEM, FIRST), cached="Good mor", prompt="Good morning.")
        assert explain(match(25), same).reason is Reason.ANSWER_RETOKENISED

    def test_the_very_last_token_counts(self) -> None:
        found = explain(match(TOTAL - 1), asked(*CHAT, ANSWER, other(SECOND), before=CHAT))
        assert found.divergence is not None
        assert found.divergence.token == TOTAL - 1

    def test_a_path_that_ends_is_no_divergence(self) -> None:
        found = explain(match(30, tokens=Reason.NEW_TOKENS), asked(*CHAT, cached=""))
        assert (found.reason, found.divergence) == (Reason.NEW_TOKENS, None)
        assert "by 30 tokens" in found.detail

    def test_nothing_was_cached(self) -> None:
        found = explain(match(0, tokens=Reason.FIRST_SIGHT), asked(*CHAT))
        assert (found.reason, found.divergence) == (Reason.FIRST_SIGHT, None)


class TestStateMissing:
    @pytest.mark.parametrize(
        ("why", "words"),
        [
            (Reason.NO_CHECKPOINT, "no checkpoint is stored there"),
            (Reason.NOT_EXACT, "bit-exact"),
            (Reason.COMPRESSED, "compressed"),
            (Reason.QUARANTINED, "audit"),
        ],
    )
    def test_why_a_cached_stretch_was_recomputed(self, why: Reason, words: str) -> None:
        found = explain(match(40, 10, tokens=Reason.NEW_TOKENS, state=why), asked(cached=""))
        assert found.reason is why
        assert found.missing is not None
        assert (found.missing.position, found.missing.why, found.missing.by) == (40, why, "")
        assert words in found.detail
        assert "30 tokens ran again from the checkpoint at 10" in found.detail

    @pytest.mark.parametrize(
        ("ago", "words"), [(7, "7 s ago"), (180, "3 min ago"), (7300, "2 h ago")]
    )
    def test_an_evicted_state_says_by_what_and_when(self, ago: float, words: str) -> None:
        lost = Loss(35, "state pressure", 1000.0 - ago)
        state = Reason.CHECKPOINT_EVICTED
        found = explain(match(40, 10, state=state, lost=lost), asked(*CHAT))
        assert found.reason is Reason.CHECKPOINT_EVICTED
        assert found.missing is not None
        assert (found.missing.position, found.missing.by) == (35, "state pressure")
        assert found.missing.seconds_ago == ago
        assert f"(state pressure, {words})" in found.detail

    def test_a_damaged_file_outranks_the_trees_reason(self) -> None:
        damaged = asked(*CHAT, damaged=True)
        missing = explain(match(40, 10, state=Reason.NO_CHECKPOINT), damaged)
        assert missing.reason is Reason.DAMAGED_FILE
        assert explain(match(0), damaged).reason is Reason.DAMAGED_FILE

    def test_a_divergence_where_no_state_was_due_is_named_first(self) -> None:
        found = explain(match(35, 30, state=Reason.NO_CHECKPOINT), asked(*CHAT[:3], other(SECOND)))
        assert found.reason is Reason.MESSAGE_EDITED
        assert found.missing is not None
        assert "5 tokens ran again" in found.detail

    @pytest.mark.parametrize("matched", [0, 20])
    def test_what_could_not_be_kept_without_a_state(self, matched: int) -> None:
        found = explain(match(matched, tokens=Reason.NO_CHECKPOINT), asked(*CHAT, cached=""))
        assert found.reason is Reason.NO_CHECKPOINT
        assert "could not be kept" in found.detail

    def test_tokens_that_were_evicted_with_their_state(self) -> None:
        lost = Loss(50, "kv pressure", 940.0)
        gone = match(20, tokens=Reason.CHECKPOINT_EVICTED, lost=lost)
        found = explain(gone, asked(*CHAT, cached=""))
        assert found.reason is Reason.CHECKPOINT_EVICTED
        assert "(kv pressure, 1 min ago)" in found.detail


def test_a_full_hit_needs_no_reason() -> None:
    found = explain(match(TOTAL, tokens=Reason.NONE), asked(*CHAT))
    assert (found.reason, found.divergence, found.missing) == (Reason.NONE, None, None)


@pytest.mark.parametrize("changed", [FIRST, SECOND, ANSWER, SYSTEM], ids=lambda m: m.role)
def test_a_plan_can_leave_out_what_the_cache_continues_with(changed: Message) -> None:
    """The wording and what takes the quotation out of it belong together."""
    at = CHAT.index(changed)
    prompt = (*CHAT[:at], other(changed), *CHAT[at + 1 :])
    why = explain(match(at * STEP + 1), asked(*prompt, cached='"Quiet", the prompt'))
    assert why.divergence is not None
    assert "Quiet" in why.detail
    plan = ReusePlan(TOTAL, 0, 0, TOTAL, why.reason, why.detail, divergence=why.divergence)
    assert "Quiet" not in repr(plan.unquoted())
    assert "new words" in plan.unquoted().detail
