"""Why a prompt did not reuse more: the reason, and one plain sentence for the user."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cache.match import Match
from engine.reuse import Reason
from engine.text.prompt import RenderedPrompt


@dataclass(frozen=True, slots=True)
class Divergence:
    """What the cache holds where the prompt left it.

    Attributes:
        cached: the text the cache goes on with after the match; "" where the path ends there.
        prompt: the text the prompt goes on with.
    """

    cached: str
    prompt: str


def explain(
    match: Match, total: int, rendered: RenderedPrompt, divergence: Divergence
) -> tuple[Reason, str]:
    """The reason and its sentence for a match of a prompt of `total` tokens."""
    if match.resume == total:
        return Reason.NONE, "The whole prompt was in the cache, with the state at its end."
    if match.resume < match.matched:
        return match.state_reason, _state_missing(match)
    if match.token_reason is Reason.CHECKPOINT_EVICTED:
        return match.token_reason, _evicted(match)
    if match.matched == 0:
        return Reason.FIRST_SIGHT, "Nothing of this prompt was in the cache."
    if match.matched >= total - 1 or not divergence.cached:
        new = total - match.matched
        return Reason.NEW_TOKENS, f"The prompt goes on from the cache; {_tokens(new)} new."
    return _diverged(match.matched, rendered, divergence)


def _state_missing(match: Match) -> str:
    replay = _tokens(match.matched - match.resume)
    where = f"The prompt was known up to token {match.matched:,}, but"
    again = f"so {replay} ran again from {_start(match.resume)}."
    match match.state_reason:
        case Reason.CHECKPOINT_EVICTED:
            return f"{where} its state had been evicted, {again}"
        case Reason.NOT_EXACT:
            return f"{where} no state there is bit-exact for this prompt, {again}"
        case _:
            return f"{where} no state was stored there, {again}"


def _evicted(match: Match) -> str:
    assert match.lost is not None
    return (
        f"The prompt was known beyond token {match.matched:,} once, but that was evicted "
        f"({match.lost.cause})."
    )


def _diverged(at: int, rendered: RenderedPrompt, divergence: Divergence) -> tuple[Reason, str]:
    index = next((s.index for s in rendered.spans if s.start <= at < s.end), None)
    place = f"token {at:,}" + (f", in message {index + 1}" if index is not None else "")
    cached, prompt = _short(divergence.cached), _short(divergence.prompt)
    sides = f'the cache goes on with "{cached}", the prompt with "{prompt}"'
    if index is not None and index in rendered.retokenised:
        return (
            Reason.ANSWER_RETOKENISED,
            f"At {place}, the template does not put the answer back as it was generated: {sides}.",
        )
    if index is not None and index in rendered.edited:
        return Reason.MESSAGE_EDITED, f"At {place}, an earlier answer was edited: {sides}."
    if divergence.cached.lstrip().startswith(
        "<think>"
    ) and not divergence.prompt.lstrip().startswith("<think>"):
        return (
            Reason.TEMPLATE_DROPPED_THINKING,
            f"At {place}, the template leaves out the thinking block that the earlier prompt "
            "opened, so the answer after it is read once more.",
        )
    return Reason.DIVERGED, f"At {place}, {sides}."


def _start(resume: int) -> str:
    return f"the checkpoint at {resume:,}" if resume else "the beginning"


def _tokens(count: int) -> str:
    return "1 token" if count == 1 else f"{count:,} tokens"


def _short(text: str, most: int = 24) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
