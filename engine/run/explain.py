"""Why a prompt did not reuse more: the reason as data, and one plain sentence for the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.analysis.why.divergence import is_slight, left_out, same_text
from engine.cache.eviction.cause import PRESSURE
from engine.cache.match import Match
from engine.cache.tree import common_prefix
from engine.reuse import CLAUSES, Divergence, Reason, StateMissing
from engine.run.sightings import Sighting
from engine.sentence import in_turn, say
from engine.text.prompt import RenderedPrompt

MINUTE_S, HOUR_S = 60, 3600


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known about a prompt besides its match.

    Attributes:
        rendered: with the positions of its messages, and which of them were generated here.
        sighting: the prompt itself.
        nearest: the earlier prompt that shares the longest prefix with it.
        cached, prompt: the text with which the cache and the prompt continue after the match;
            `cached` is "" if the path ends there.
        now: seconds on the cache's clock.
        damaged: why a file that would have been used could not be, DAMAGED_FILE or FILE_GONE;
            None if there was none.
        elsewhere: how many of its first tokens are in files written by other weights or kernels.
        answers: its messages that were generated and still have their original tokens.
        filed: where the prompt diverges from a file that has one of those answers; its message is
            the first whose text the file lacks, None if it has all. None without such a file.
    """

    rendered: RenderedPrompt
    sighting: Sighting
    nearest: Sighting | None
    cached: str
    prompt: str
    now: float
    damaged: Reason | None = None
    elsewhere: int = 0
    answers: Sequence[int] = ()
    filed: Divergence | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The one reason to report, its sentence, and both gaps as data."""

    reason: Reason
    detail: str
    divergence: Divergence | None = None
    missing: StateMissing | None = None


def explain(match: Match, asked: Asked) -> Explanation:
    """Explain the match of a prompt."""
    if match.resume == match.total:
        return Explanation(
            Reason.NONE, say("The whole prompt was in the cache, with the state at its end.")
        )
    missing = _missing(match, asked)
    divergence = _divergence(match, asked)
    if missing is not None and _is_cause(missing, match, divergence):
        return Explanation(missing.why, _missing_words(match, missing), divergence, missing)
    if match.token_reason is Reason.CHECKPOINT_EVICTED:
        return Explanation(Reason.CHECKPOINT_EVICTED, _evicted_words(match, asked), divergence)
    if asked.damaged is not None and (divergence is None or not match.matched):
        return Explanation(asked.damaged, _damaged_words(match, asked.damaged))
    if match.token_reason is Reason.NO_CHECKPOINT and divergence is None:
        return Explanation(Reason.NO_CHECKPOINT, _never_kept_words(match))
    reason = Reason.NEW_TOKENS if divergence is None else _cause(divergence, asked)
    if is_slight(match.matched, match.total) and reason in _UNRELATED:
        reason = _unseen(asked)
        words = _unseen_words(reason, match, asked)
        return Explanation(reason, words, asked.filed or divergence, missing)
    if divergence is None:
        new = _tokens(match.computed)
        return Explanation(reason, say("The prompt extends what was cached by {new}.", new=new))
    words = _diverged_words(reason, divergence)
    if missing is not None:
        # A prompt diverged where no state was expected: the divergence is the cause.
        words = in_turn(
            words, say("No checkpoint is stored there, so {replay}.", replay=_replay(match))
        )
    return Explanation(reason, words, divergence, missing)


def run_again(match: Match, asked: Asked, why: Explanation) -> int:
    """How many of the tokens to run had run before in this chat; see ReusePlan.

    A message had if the nearest earlier prompt has it, or if an answer after it was generated here.
    """
    if why.reason in _ORDINARY:
        return match.replayed
    if why.reason is Reason.OTHER_FILES:
        return max(match.replayed, asked.elsewhere - match.resume)
    changed = why.divergence.message if why.reason in _NEW_THERE and why.divergence else None
    return match.replayed + _read_before(match, asked, changed)


def run_for_thinking(match: Match, asked: Asked, why: Explanation) -> int:
    """How many of them ran again since the template left out thinking; see ReusePlan."""
    if why.reason is not Reason.TEMPLATE_DROPPED_THINKING:
        return 0
    return _read_before(match, asked, None)


def _read_before(match: Match, asked: Asked, changed: int | None) -> int:
    """How many computed tokens are of messages that had run before; message `changed` had not."""
    before = set() if asked.nearest is None else set(asked.nearest.messages)
    rendered = asked.rendered
    read = max((*asked.answers, *rendered.retokenised, *rendered.edited), default=-1)
    here = asked.sighting.messages
    return sum(
        max(0, span.end - max(span.start, match.matched))
        for span in rendered.spans
        if span.index != changed and (span.index <= read or here[span.index] in before)
    )


# What runs is new, or runs again at every turn.
_ORDINARY = (
    Reason.NONE,
    Reason.FIRST_SIGHT,
    Reason.NEW_TOKENS,
    Reason.ANOTHER_CHAT,
    Reason.SYSTEM_TEXT_SHARED,
    Reason.TEMPLATE_DROPPED_THINKING,
)
# The message at the divergence has text that was not there before.
_NEW_THERE = (
    Reason.SYSTEM_TEXT_CHANGED,
    Reason.TOOLS_CHANGED,
    Reason.MESSAGE_EDITED,
    Reason.DIVERGED,
)
# The first few tokens of these may match any other prompt.
_UNRELATED = (
    Reason.ANOTHER_CHAT,
    Reason.SYSTEM_TEXT_SHARED,
    Reason.DIVERGED,
    Reason.NEW_TOKENS,
)


def _is_cause(missing: StateMissing, match: Match, divergence: Divergence | None) -> bool:
    """Whether the missing state, rather than the text, is what made the prompt run."""
    if divergence is None:
        return True
    return missing.why is not Reason.NO_CHECKPOINT and not is_slight(
        match.replayed, match.total - match.resume
    )


def _unseen(asked: Asked) -> Reason:
    """Why nothing significant was in the cache."""
    if asked.elsewhere:
        return Reason.OTHER_FILES
    if asked.filed is None:
        return Reason.READ_BEFORE if asked.answers else Reason.FIRST_SIGHT
    if asked.filed.message is None:
        return Reason.RENDERED_DIFFERENTLY
    system = asked.filed.role == "system"
    return Reason.SYSTEM_TEXT_CHANGED if system else Reason.MESSAGE_EDITED


def _missing(match: Match, asked: Asked) -> StateMissing | None:
    if match.resume == match.matched:
        return None
    if asked.damaged is not None:
        return StateMissing(match.matched, asked.damaged)
    lost = match.lost
    if match.state_reason is Reason.CHECKPOINT_EVICTED and lost is not None:
        ago = max(asked.now - lost.time, 0.0)
        return StateMissing(lost.position, match.state_reason, lost.cause, ago)
    return StateMissing(match.matched, match.state_reason)


def _divergence(match: Match, asked: Asked) -> Divergence | None:
    at = match.matched
    if at >= match.total or not at or not asked.cached:
        return None
    index = next((s.index for s in asked.rendered.spans if s.start <= at < s.end), None)
    roles = asked.sighting.roles
    role = "" if index is None or index >= len(roles) else roles[index]
    return Divergence(at, index, role, asked.cached, asked.prompt)


def _cause(at: Divergence, asked: Asked) -> Reason:
    """Why the prompt diverged from the cache; DIVERGED only if nothing indicates the cause.

    The messages of the nearest earlier prompt decide. If they do not reach that far (an answer
    written since, or a prompt from before a restart), the position and the two texts decide.
    """
    index, here = at.message, asked.sighting
    if index is not None and index in asked.rendered.retokenised:
        return Reason.ANSWER_RETOKENISED
    if index is not None and index in asked.rendered.edited:
        return Reason.MESSAGE_EDITED
    if _thought(at.cached) and not _thought(at.prompt):
        return Reason.TEMPLATE_DROPPED_THINKING
    if same_text(at.cached, at.prompt):
        return Reason.ANSWER_RETOKENISED
    # Raw token ids have no messages.
    if not here.roles:
        return Reason.DIVERGED
    nearest = asked.nearest
    if nearest is None or not nearest.roles:
        return _cause_by_place(at, here)
    same_chat = here.same_chat(nearest)
    changed = here.first_change(nearest)
    if (index is None or index == 0) and nearest.tools != here.tools:
        one = same_chat or (same_chat is None and (changed != 0 or here.one_text(nearest)))
        return Reason.TOOLS_CHANGED if one else Reason.ANOTHER_CHAT
    if changed is not None and (index is None or index >= changed):
        return _cause_of_change(changed, here, nearest, same_chat)
    if index is None or index < len(nearest.roles):
        return Reason.RENDERED_DIFFERENTLY
    return _cause_by_place(at, here)


def _cause_of_change(
    changed: int, here: Sighting, nearest: Sighting, same_chat: bool | None
) -> Reason:
    """How message `changed` of the nearest earlier prompt changed."""
    opening = all(role == "system" for role in here.roles[:changed])
    system = "system" in (here.roles[changed], nearest.roles[changed])
    if same_chat is False:
        return Reason.SYSTEM_TEXT_SHARED if opening and system else Reason.ANOTHER_CHAT
    if here.left_out(changed, nearest) and (changed or not system):
        return Reason.OLDEST_DROPPED if opening and not system else Reason.TEXT_LEFT_OUT
    if system:
        one = same_chat or not opening or here.one_text(nearest)
        return Reason.SYSTEM_TEXT_CHANGED if one else Reason.SYSTEM_TEXT_SHARED
    # With only the system prompt before it, this is another conversation, not an edited one,
    # unless a later message is the same in both.
    if opening and not same_chat:
        return Reason.ANOTHER_CHAT
    at = common_prefix(here.ids, nearest.ids)
    shorter = left_out(here.ids[at:], nearest.ids[at:]) is not None
    return Reason.TEXT_LEFT_OUT if shorter else Reason.MESSAGE_EDITED


def _cause_by_place(at: Divergence, here: Sighting) -> Reason:
    # A system block also contains the tools, so it is unknown which of the two changed.
    if at.message is None or at.role == "system":
        return Reason.DIVERGED
    if at.role == "assistant":
        return Reason.MESSAGE_EDITED
    opening = all(role == "system" for role in here.roles[: at.message])
    return Reason.ANOTHER_CHAT if opening else Reason.MESSAGE_EDITED


def _thought(text: str) -> bool:
    return text.lstrip().startswith("<think>")


def _missing_words(match: Match, missing: StateMissing) -> str:
    ago = _ago(missing)
    if missing.why is not Reason.CHECKPOINT_EVICTED:
        # Either none was stored, or the record of its eviction was lost with its node.
        stored = missing.why is not Reason.NO_CHECKPOINT
        what = CLAUSES[missing.why] if stored else say("no checkpoint is stored there")
    elif missing.by in PRESSURE:
        what = say("its state had been evicted ({by}, {ago})", by=missing.by, ago=ago)
    else:
        what = say("its state had been removed ({by}, {ago})", by=missing.by, ago=ago)
    return say(
        "The prompt was known up to token {matched:,}, but {what}, so {replay}.",
        matched=match.matched,
        what=what,
        replay=_replay(match),
    )


def _never_kept_words(match: Match) -> str:
    return say(
        "The prompt was once cached beyond token {matched:,}, but without a checkpoint, "
        "so that part could not be kept.",
        matched=match.matched,
    )


def _damaged_words(match: Match, why: Reason) -> str:
    new = _tokens(match.computed)
    if why is Reason.FILE_GONE:
        if not match.matched:
            return say("The file that held this prompt had been deleted.")
        return say(
            "A file that held more of this prompt had been deleted; {new} ran again.", new=new
        )
    if not match.matched:
        return say("The file that held this prompt was damaged.")
    return say("A file that held more of this prompt was damaged; {new} ran again.", new=new)


def _unseen_words(reason: Reason, match: Match, asked: Asked) -> str:
    filed = asked.filed
    match reason:
        case Reason.RENDERED_DIFFERENTLY if filed is not None:
            return say(
                "The template or the tools changed since the files were written: at token "
                "{token:,} {filed}.",
                token=filed.token,
                filed=_sides(filed),
            )
        case Reason.SYSTEM_TEXT_CHANGED | Reason.MESSAGE_EDITED if filed is not None:
            return _diverged_words(reason, filed)
        case Reason.OTHER_FILES:
            return say(
                "Files have the first {elsewhere} of this prompt, but other "
                "weights, another number format or other kernels wrote them, so they are of no "
                "use here.",
                elsewhere=_tokens(asked.elsewhere),
            )
        case Reason.READ_BEFORE:
            return say(
                "Answers in this prompt were generated before, but nothing in the cache or its "
                "files begins like it."
            )
    if not match.matched:
        return say("No part of this prompt was in the cache.")
    return say(
        "Only the first {matched} of this prompt were in the cache, as another "
        "prompt begins alike.",
        matched=_tokens(match.matched),
    )


def _evicted_words(match: Match, asked: Asked) -> str:
    assert match.lost is not None
    gone = StateMissing(
        match.lost.position,
        Reason.CHECKPOINT_EVICTED,
        match.lost.cause,
        max(asked.now - match.lost.time, 0.0),
    )
    if gone.by not in PRESSURE:
        return say(
            "What was cached of this prompt was removed ({by}, {ago}).",
            by=gone.by,
            ago=_ago(gone),
        )
    if not match.matched:
        return say(
            "The prompt was once cached, but was evicted ({by}, {ago}).",
            by=gone.by,
            ago=_ago(gone),
        )
    return say(
        "The prompt was once cached beyond token {matched:,}, but that part was evicted "
        "({by}, {ago}).",
        matched=match.matched,
        by=gone.by,
        ago=_ago(gone),
    )


def _diverged_words(reason: Reason, at: Divergence) -> str:
    place = (
        say("At token {token:,}", token=at.token)
        if at.message is None
        else say("At token {token:,}, in message {message}", token=at.token, message=at.message + 1)
    )
    if reason is Reason.TEMPLATE_DROPPED_THINKING:
        return say(
            "{place}, the template leaves out the thinking block that the earlier prompt opened, "
            "so the answer after it is processed again.",
            place=place,
        )
    what = CLAUSES.get(reason)
    if reason is Reason.ANSWER_RETOKENISED and same_text(at.cached, at.prompt):
        what = say("the same text is cut into other tokens")
    elif reason is Reason.MESSAGE_EDITED and at.role == "assistant":
        what = say("an earlier answer changed")
    if what is None:
        return say("{place}, {sides}.", place=place, sides=_sides(at))
    return say("{place}, {what}: {sides}.", place=place, what=what, sides=_sides(at))


def _sides(at: Divergence) -> str:
    return say(
        'the cache continues with {cached}, the prompt with "{prompt}"',
        cached=say('"{text}"', text=_short(at.cached)),
        prompt=_short(at.prompt),
    )


def _replay(match: Match) -> str:
    start = (
        say("the checkpoint at {resume:,}", resume=match.resume)
        if match.resume
        else say("the beginning")
    )
    return say("{replayed} ran again from {start}", replayed=_tokens(match.replayed), start=start)


def _ago(missing: StateMissing) -> str:
    seconds = missing.seconds_ago or 0.0
    if seconds < MINUTE_S:
        return say("{seconds:.0f} s ago", seconds=seconds)
    if seconds < HOUR_S:
        return say("{minutes:.0f} min ago", minutes=seconds / MINUTE_S)
    return say("{hours:.0f} h ago", hours=seconds / HOUR_S)


def _tokens(count: int) -> str:
    return say("1 token") if count == 1 else say("{count:,} tokens", count=count)


def _short(text: str, most: int = 24) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
