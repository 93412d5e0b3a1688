"""Every cause of a miss, on plain data: the reason reported, and its wording."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine import Message, PromptOptions, Reason
from engine.cache.match import Match
from engine.cache.node import Loss
from engine.commands import FIRST_CLIENT
from engine.reuse import ReusePlan
from engine.run.explain import Asked, explain, run_again, run_for_thinking
from engine.run.sightings import Sighting
from engine.text.prompt import MessageSpan, RenderedPrompt
from tests.present import present

TOTAL, STEP = 120, 20
SYSTEM, FIRST = Message("system", "Be kind."), Message("user", "Hello.")
ANSWER, SECOND = Message("assistant", "Good morning."), Message("user", "What now?")
CHAT = (SYSTEM, FIRST, ANSWER, SECOND)
DOCUMENT = Message("system", "The manual says: turn it off and on again.")
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
    owners: tuple[int, int] = (0, 0),
    **more: Any,
) -> Asked:
    """A prompt of twenty tokens per message; `before` is the nearest earlier one, None for none.

    `owners`: of the two.
    """
    spans = tuple(MessageSpan(n, n * STEP, (n + 1) * STEP) for n in range(len(messages)))
    ids = np.arange(TOTAL)
    made = Asked(
        rendered=RenderedPrompt(tuple(ids.tolist()), spans=spans),
        sighting=Sighting.of(ids, messages, options, owners[0]),
        nearest=None if before is None else Sighting.of(ids, before, PLAIN, owners[1]),
        cached=cached,
        prompt=prompt,
        now=1000.0,
    )
    return replace(made, **more)


def other(message: Message) -> Message:
    return replace(message, content="Something else.")


def retokenised(of: Asked, message: int) -> Asked:
    return replace(of, rendered=replace(of.rendered, retokenised=(message,)))


CAUSES = {
    "the system text": (10, (other(SYSTEM), FIRST), CHAT, Reason.SYSTEM_TEXT_CHANGED),
    "another first question": (30, (SYSTEM, other(FIRST)), CHAT, Reason.ANOTHER_CHAT),
    "the first question with the rest kept": (
        30,
        (SYSTEM, other(FIRST), ANSWER, SECOND),
        CHAT,
        Reason.MESSAGE_EDITED,
    ),
    "a later question": (70, (*CHAT[:3], other(SECOND)), CHAT, Reason.MESSAGE_EDITED),
    "an answer": (50, (SYSTEM, FIRST, other(ANSWER), SECOND), CHAT, Reason.MESSAGE_EDITED),
    "the same messages, put otherwise": (30, (*CHAT, ANSWER), CHAT, Reason.RENDERED_DIFFERENTLY),
    "turns that a window left behind": (
        30,
        (SYSTEM, SECOND, other(ANSWER), other(FIRST)),
        CHAT,
        Reason.OLDEST_DROPPED,
    ),
    "a document that is no longer there": (
        50,
        (SYSTEM, FIRST, ANSWER, SECOND),
        (SYSTEM, FIRST, DOCUMENT, ANSWER, SECOND),
        Reason.TEXT_LEFT_OUT,
    ),
    "a document before the first question": (
        30,
        (SYSTEM, FIRST, ANSWER, SECOND),
        (SYSTEM, DOCUMENT, FIRST, ANSWER, SECOND),
        Reason.TEXT_LEFT_OUT,
    ),
    "a system text that was taken out": (10, CHAT[1:], CHAT, Reason.SYSTEM_TEXT_CHANGED),
    "put otherwise before what was edited": (
        30,
        (*CHAT[:3], other(SECOND)),
        CHAT,
        Reason.RENDERED_DIFFERENTLY,
    ),
    "an answer that came since, in other words": (
        50,
        (SYSTEM, FIRST, ANSWER, SECOND),
        (SYSTEM, FIRST),
        Reason.MESSAGE_EDITED,
    ),
    "a question, with nothing remembered": (70, CHAT, None, Reason.MESSAGE_EDITED),
    "the first one, with nothing remembered": (30, CHAT, None, Reason.ANOTHER_CHAT),
    "the system block, with nothing remembered": (18, CHAT, None, Reason.DIVERGED),
    "raw token ids": (18, (), (), Reason.DIVERGED),
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


class TestWhoseItIs:
    """What changed is of one conversation; what two have in common is no change."""

    NEW = (other(SYSTEM), other(FIRST))

    @pytest.mark.parametrize("owners", [(0, 0), (7, 3), (FIRST_CLIENT, FIRST_CLIENT)])
    def test_a_few_words_in_common_with_another_chat_are_no_change(
        self, owners: tuple[int, int]
    ) -> None:
        found = explain(match(6), asked(*self.NEW, owners=owners))
        assert found.reason is Reason.FIRST_SIGHT
        assert found.detail == (
            "Only the first 6 tokens of this prompt were in the cache, as another prompt begins "
            "alike."
        )

    @pytest.mark.parametrize(
        ("owners", "reason"),
        [
            ((3, 3), Reason.SYSTEM_TEXT_CHANGED),
            ((7, 3), Reason.SYSTEM_TEXT_SHARED),
            ((0, 0), Reason.SYSTEM_TEXT_SHARED),
            ((FIRST_CLIENT, FIRST_CLIENT), Reason.SYSTEM_TEXT_SHARED),
        ],
    )
    def test_another_system_text_is_a_change_in_one_conversation_only(
        self, owners: tuple[int, int], reason: Reason
    ) -> None:
        found = explain(match(18), asked(*self.NEW, owners=owners))
        assert found.reason is reason
        assert ("changed" in found.detail) is (reason is Reason.SYSTEM_TEXT_CHANGED)

    def test_a_system_text_that_goes_on_alike_was_changed(self) -> None:
        """A date in the system text of a program whose chats have nothing else in common."""
        both = asked(*self.NEW)
        ids = both.sighting.ids.copy()
        ids[18:20] += 1000
        dated = replace(both, nearest=replace(present(both.nearest), ids=ids))
        assert explain(match(18), dated).reason is Reason.SYSTEM_TEXT_CHANGED

    def test_the_first_question_of_one_conversation_was_edited(self) -> None:
        edited = SYSTEM, other(FIRST)
        for owners, reason in (
            ((3, 3), Reason.MESSAGE_EDITED),
            ((7, 3), Reason.ANOTHER_CHAT),
            ((FIRST_CLIENT, FIRST_CLIENT), Reason.ANOTHER_CHAT),
        ):
            assert explain(match(30), asked(*edited, owners=owners)).reason is reason

    def test_the_same_history_in_another_conversation_is_no_edit(self) -> None:
        forked = (*CHAT[:3], other(SECOND))
        assert explain(match(70), asked(*forked, owners=(7, 3))).reason is Reason.ANOTHER_CHAT
        assert explain(match(70), asked(*forked, owners=(3, 3))).reason is Reason.MESSAGE_EDITED

    def test_other_tools_of_another_chat_did_not_change(self) -> None:
        for owners, reason in (
            ((3, 3), Reason.TOOLS_CHANGED),
            ((7, 3), Reason.ANOTHER_CHAT),
            ((0, 0), Reason.TOOLS_CHANGED),
        ):
            both = asked(*CHAT, options=TOOLS, owners=owners)
            assert explain(match(18), both).reason is reason


class TestNotSeenBefore:
    def test_files_of_other_weights_are_named(self) -> None:
        found = explain(match(3), asked(*CHAT, elsewhere=48, before=None))
        assert found.reason is Reason.OTHER_FILES
        assert "the first 48 tokens of this prompt" in found.detail

    def test_an_answer_of_before_says_that_it_was_read(self) -> None:
        found = explain(match(0, tokens=Reason.FIRST_SIGHT), asked(*CHAT, answers=(2,)))
        assert found.reason is Reason.READ_BEFORE
        assert "were generated before" in found.detail

    def test_what_extends_a_few_tokens_is_new(self) -> None:
        few = explain(match(3, tokens=Reason.NEW_TOKENS), asked(*CHAT, cached=""))
        assert few.reason is Reason.FIRST_SIGHT
        assert "Only the first 3 tokens" in few.detail


class TestDivergence:
    def test_raw_ids_of_the_same_text_were_cut_otherwise(self) -> None:
        same = asked(cached="the old mill stands", prompt="the old mill st", before=())
        found = explain(match(40), same)
        assert found.reason is Reason.ANSWER_RETOKENISED
        assert "the same text is cut into other tokens" in found.detail

    def test_two_texts_that_begin_with_a_letter_in_common_are_two(self) -> None:
        found = explain(match(40), asked(cached=" the", prompt=" them", before=()))
        assert found.reason is Reason.DIVERGED

    def test_a_part_of_a_message_that_is_no_longer_there(self) -> None:
        both = asked(SYSTEM, FIRST, ANSWER, other(SECOND))
        ids = both.sighting.ids
        longer = np.concatenate([ids[:66], np.arange(500, 530), ids[66:]]).astype(ids.dtype)
        shorter = replace(both, nearest=replace(present(both.nearest), ids=longer))
        found = explain(match(66), shorter)
        assert found.reason is Reason.TEXT_LEFT_OUT
        assert "left out" in found.detail

    def test_a_small_state_that_was_evicted_is_not_the_cause(self) -> None:
        lost = Loss(6, "state pressure", 990.0)
        gone = match(6, 0, state=Reason.CHECKPOINT_EVICTED, lost=lost)
        found = explain(gone, asked(*TestWhoseItIs.NEW))
        assert found.reason is Reason.FIRST_SIGHT

    def test_changed_tools_differ_from_a_changed_system_text(self) -> None:
        assert explain(match(10), asked(*CHAT, options=TOOLS)).reason is Reason.TOOLS_CHANGED
        changed = asked(other(SYSTEM), *CHAT[1:])
        assert explain(match(10), changed).reason is Reason.SYSTEM_TEXT_CHANGED

    def test_what_the_renderer_knows_takes_precedence(self) -> None:
        plain = asked(*CHAT, other(ANSWER), before=(*CHAT, ANSWER))
        for rendered, reason in (
            (replace(plain.rendered, retokenised=(2,)), Reason.ANSWER_RETOKENISED),
            (replace(plain.rendered, edited=(2,)), Reason.MESSAGE_EDITED),
        ):
            assert explain(match(50), replace(plain, rendered=rendered)).reason is reason

    def test_a_dropped_thought(self) -> None:
        thought = asked(*CHAT, cached="<think>\nWell", prompt="Good morning.")
        assert explain(match(44), thought).reason is Reason.TEMPLATE_DROPPED_THINKING
        both = asked(*CHAT, cached="<think>\nWell", prompt="<think>\nHmm")
        assert explain(match(44), both).reason is not Reason.TEMPLATE_DROPPED_THINKING

    def test_an_answer_in_the_same_words_was_re_tokenised(self) -> None:
        same = asked(*CHAT, before=(SYSTEM, FIRST), cached="Good mor", prompt="Good morning.")
        assert explain(match(50), same).reason is Reason.ANSWER_RETOKENISED

    def test_the_very_last_token_counts(self) -> None:
        found = explain(match(TOTAL - 1), asked(*CHAT, ANSWER, other(SECOND), before=CHAT))
        assert found.divergence is not None
        assert found.divergence.token == TOTAL - 1

    def test_a_path_that_ends_is_no_divergence(self) -> None:
        found = explain(match(60, tokens=Reason.NEW_TOKENS), asked(*CHAT, cached=""))
        assert (found.reason, found.divergence) == (Reason.NEW_TOKENS, None)
        assert "by 60 tokens" in found.detail

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
        damaged = asked(*CHAT, damaged=Reason.DAMAGED_FILE)
        missing = explain(match(40, 10, state=Reason.NO_CHECKPOINT), damaged)
        assert missing.reason is Reason.DAMAGED_FILE
        assert explain(match(0), damaged).reason is Reason.DAMAGED_FILE

    def test_a_deleted_file_is_told_from_a_damaged_one(self) -> None:
        deleted = asked(*CHAT, damaged=Reason.FILE_GONE)
        found = explain(match(40, 10, state=Reason.NO_CHECKPOINT), deleted)
        assert found.reason is Reason.FILE_GONE
        assert "had been deleted" in found.detail
        whole = explain(match(0), deleted)
        assert (whole.reason, "had been deleted" in whole.detail) == (Reason.FILE_GONE, True)

    def test_a_divergence_where_no_state_was_due_is_named_first(self) -> None:
        found = explain(match(70, 65, state=Reason.NO_CHECKPOINT), asked(*CHAT[:3], other(SECOND)))
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


AGAIN = {
    "what a changed system text precedes": (
        *(match(10), asked(other(SYSTEM), *CHAT[1:])),
        *(Reason.SYSTEM_TEXT_CHANGED, 60),
    ),
    "what is after other tools": (match(10), asked(*CHAT, options=TOOLS), Reason.TOOLS_CHANGED, 60),
    "nothing, if the edited message is the last": (
        *(match(70), asked(*CHAT[:3], other(SECOND))),
        *(Reason.MESSAGE_EDITED, 0),
    ),
    "what comes after an edited message": (
        *(match(30), asked(SYSTEM, other(FIRST), ANSWER, SECOND)),
        *(Reason.MESSAGE_EDITED, 40),
    ),
    "an answer in other tokens, but not what follows it": (
        match(50),
        retokenised(asked(*CHAT, before=CHAT[:2]), 2),
        *(Reason.ANSWER_RETOKENISED, 10),
    ),
    "what the cache lost, but not the new message": (
        match(20, tokens=Reason.CHECKPOINT_EVICTED, lost=Loss(50, "kv pressure", 940.0)),
        asked(*CHAT, Message("user", "And then?"), cached=""),
        *(Reason.CHECKPOINT_EVICTED, 60),
    ),
    "what was replayed, whatever follows": (
        match(40, 10, tokens=Reason.NEW_TOKENS, state=Reason.NO_CHECKPOINT),
        asked(*CHAT, before=None, cached=""),
        *(Reason.NO_CHECKPOINT, 30),
    ),
    "all before an answer of an earlier run": (
        match(0, tokens=Reason.FIRST_SIGHT),
        asked(*CHAT, before=None, answers=(2,)),
        *(Reason.READ_BEFORE, 60),
    ),
    "what other weights have in files": (
        *(match(3), asked(*CHAT, elsewhere=48, before=None)),
        *(Reason.OTHER_FILES, 45),
    ),
    "nothing of a new prompt": (
        *(match(0, tokens=Reason.FIRST_SIGHT), asked(*CHAT)),
        *(Reason.FIRST_SIGHT, 0),
    ),
    "nothing of a new message": (
        *(match(60, tokens=Reason.NEW_TOKENS), asked(*CHAT, cached="")),
        *(Reason.NEW_TOKENS, 0),
    ),
    "nothing of an answer without its thinking, as at every turn": (
        *(match(44), asked(*CHAT, cached="<think>\nWell", prompt="Good morning.", answers=(2,))),
        *(Reason.TEMPLATE_DROPPED_THINKING, 0),
    ),
    "nothing of another chat": (match(30), asked(SYSTEM, other(FIRST)), Reason.ANOTHER_CHAT, 0),
}


@pytest.mark.parametrize(("found", "prompt", "reason", "tokens"), AGAIN.values(), ids=AGAIN)
def test_what_had_run_before(found: Match, prompt: Asked, reason: Reason, tokens: int) -> None:
    why = explain(found, prompt)
    assert why.reason is reason
    assert run_again(found, prompt, why) == tokens


def test_what_runs_again_since_thinking_was_left_out() -> None:
    """The messages from the divergence to the last one that was generated, and no new one."""
    for text, tokens in (("Good morning.", 16), ("<think>\nNo", 0)):
        found = match(44)
        prompt = asked(*CHAT, before=CHAT[:2], cached="<think>\nWell", prompt=text, answers=(2,))
        assert run_for_thinking(found, prompt, explain(found, prompt)) == tokens


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
