"""Why a prompt did not reuse more: the reason as data, and one plain sentence for the user."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.match import Match
from engine.reuse import Divergence, Reason, StateMissing
from engine.run.sightings import Sighting
from engine.text.prompt import RenderedPrompt

MINUTE_S, HOUR_S = 60, 3600


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known about a prompt besides its match.

    Attributes:
        rendered: where its messages are, and which were generated here.
        sighting: the prompt itself.
        nearest: the earlier prompt that shares the longest prefix with it.
        cached, prompt: the text with which the cache and the prompt continue after the match;
            `cached` is "" if the path ends there.
        now: seconds on the cache's clock.
        damaged: a file that would have been used turned out to be damaged.
    """

    rendered: RenderedPrompt
    sighting: Sighting
    nearest: Sighting | None
    cached: str
    prompt: str
    now: float
    damaged: bool = False


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
            Reason.NONE, "The whole prompt was in the cache, with the state at its end."
        )
    missing = _missing(match, asked)
    divergence = _divergence(match, asked)
    if missing is not None and (missing.why is not Reason.NO_CHECKPOINT or divergence is None):
        return Explanation(missing.why, _missing_words(match, missing), divergence, missing)
    if match.token_reason is Reason.CHECKPOINT_EVICTED:
        return Explanation(Reason.CHECKPOINT_EVICTED, _evicted_words(match, asked), divergence)
    if match.matched == 0:
        if asked.damaged:
            return Explanation(Reason.DAMAGED_FILE, "The file that held this prompt was damaged.")
        if match.token_reason is Reason.NO_CHECKPOINT:
            return Explanation(Reason.NO_CHECKPOINT, _never_kept_words(match))
        return Explanation(Reason.FIRST_SIGHT, "No part of this prompt was in the cache.")
    if divergence is None:
        new = _tokens(match.computed)
        if asked.damaged:
            detail = f"A file that held more of this prompt was damaged; {new} ran again."
            return Explanation(Reason.DAMAGED_FILE, detail)
        if match.token_reason is Reason.NO_CHECKPOINT:
            return Explanation(Reason.NO_CHECKPOINT, _never_kept_words(match))
        return Explanation(Reason.NEW_TOKENS, f"The prompt extends what was cached by {new}.")
    reason = _cause(divergence, asked)
    words = _diverged_words(reason, divergence)
    if missing is not None:
        # A prompt diverged where no state was expected: the divergence is the cause.
        words += f" No checkpoint is stored there, so {_replay(match)}."
    return Explanation(reason, words, divergence, missing)


def _missing(match: Match, asked: Asked) -> StateMissing | None:
    if match.resume == match.matched:
        return None
    if asked.damaged:
        return StateMissing(match.matched, Reason.DAMAGED_FILE)
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
    # Raw token ids have no messages.
    if not here.roles:
        return Reason.DIVERGED
    nearest = asked.nearest
    if nearest is None or not nearest.roles:
        return _cause_by_place(at, here)
    if (index is None or index == 0) and nearest.tools != here.tools:
        return Reason.TOOLS_CHANGED
    changed = here.first_change(nearest)
    if changed is not None and (index is None or index >= changed):
        if here.roles[changed] == "system":
            return Reason.SYSTEM_TEXT_CHANGED
        opening = all(role == "system" for role in here.roles[:changed])
        # With only the system prompt before it, no conversation was edited, unless a later message
        # is the same in both.
        if opening and not here.same_after(changed, nearest):
            return Reason.ANOTHER_CHAT
        return Reason.MESSAGE_EDITED
    if index is None or index < len(nearest.roles):
        return Reason.RENDERED_DIFFERENTLY
    return _cause_by_place(at, here)


def _cause_by_place(at: Divergence, here: Sighting) -> Reason:
    # A system block also holds the tools: it does not show which of the two changed.
    if at.message is None or at.role == "system":
        return Reason.DIVERGED
    if at.role == "assistant":
        same = _same_text(at.cached, at.prompt)
        return Reason.ANSWER_RETOKENISED if same else Reason.MESSAGE_EDITED
    opening = all(role == "system" for role in here.roles[: at.message])
    return Reason.ANOTHER_CHAT if opening else Reason.MESSAGE_EDITED


def _thought(text: str) -> bool:
    return text.lstrip().startswith("<think>")


def _same_text(one: str, other: str) -> bool:
    """Whether two texts of equally many tokens agree over the length of the shorter one."""
    length = min(len(one), len(other))
    return bool(length) and one[:length] == other[:length]


def _missing_words(match: Match, missing: StateMissing) -> str:
    where = f"The prompt was known up to token {match.matched:,}, but"
    again = f"so {_replay(match)}."
    match missing.why:
        case Reason.CHECKPOINT_EVICTED:
            return f"{where} its state had been evicted ({missing.by}, {_ago(missing)}), {again}"
        case Reason.NOT_EXACT:
            return f"{where} no state there is bit-exact for this prompt, {again}"
        case Reason.COMPRESSED:
            return f"{where} the state there was computed from a compressed one, {again}"
        case Reason.QUARANTINED:
            return f"{where} an audit had found the state there to be wrong, {again}"
        case Reason.DAMAGED_FILE:
            return f"{where} the file with its state was damaged, {again}"
        case _:
            # Either none was stored, or the record of its eviction was lost with its node.
            return f"{where} no checkpoint is stored there, {again}"


def _never_kept_words(match: Match) -> str:
    return (
        f"The prompt was once cached beyond token {match.matched:,}, but without a checkpoint, "
        "so that part could not be kept."
    )


def _evicted_words(match: Match, asked: Asked) -> str:
    assert match.lost is not None
    gone = StateMissing(
        match.lost.position,
        Reason.CHECKPOINT_EVICTED,
        match.lost.cause,
        max(asked.now - match.lost.time, 0.0),
    )
    if not match.matched:
        return f"The prompt was once cached, but was evicted ({gone.by}, {_ago(gone)})."
    return (
        f"The prompt was once cached beyond token {match.matched:,}, but that part was evicted "
        f"({gone.by}, {_ago(gone)})."
    )


def _diverged_words(reason: Reason, at: Divergence) -> str:
    place = (
        f"At token {at.token:,}"
        if at.message is None
        else f"At token {at.token:,}, in message {at.message + 1}"
    )
    sides = f'the cache continues with "{_short(at.cached)}", the prompt with "{_short(at.prompt)}"'
    match reason:
        case Reason.ANSWER_RETOKENISED:
            return f"{place}, the template does not reproduce the answer as it was: {sides}."
        case Reason.MESSAGE_EDITED:
            what = "an earlier answer" if at.role == "assistant" else "an earlier message"
            return f"{place}, {what} changed: {sides}."
        case Reason.TEMPLATE_DROPPED_THINKING:
            return (
                f"{place}, the template leaves out the thinking block that the earlier prompt "
                "opened, so the answer after it is processed again."
            )
        case Reason.SYSTEM_TEXT_CHANGED:
            return f"{place}, the system prompt changed: {sides}."
        case Reason.TOOLS_CHANGED:
            return f"{place}, the list of tools changed: {sides}."
        case Reason.ANOTHER_CHAT:
            return f"{place}, a different chat with the same beginning: {sides}."
        case Reason.RENDERED_DIFFERENTLY:
            return f"{place}, the template rendered the same text differently: {sides}."
    return f"{place}, {sides}."


def _replay(match: Match) -> str:
    start = f"the checkpoint at {match.resume:,}" if match.resume else "the beginning"
    return f"{_tokens(match.replayed)} ran again from {start}"


def _ago(missing: StateMissing) -> str:
    seconds = missing.seconds_ago or 0.0
    if seconds < MINUTE_S:
        return f"{seconds:.0f} s ago"
    if seconds < HOUR_S:
        return f"{seconds / MINUTE_S:.0f} min ago"
    return f"{seconds / HOUR_S:.0f} h ago"


def _tokens(count: int) -> str:
    return "1 token" if count == 1 else f"{count:,} tokens"


def _short(text: str, most: int = 24) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
