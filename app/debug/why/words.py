"""Why a request ran what it ran, in words: sentence, facts, suggestion. Without Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.words import format as fmt
from app.words.explain import TIER_WORDS, Fact
from engine.trace.ledger import KnownEviction
from engine.trace.why.cause import Cause, Obstacle
from engine.trace.why.divergence import times_of
from engine.trace.why.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Known:
    """What words need besides the evidence.

    Attributes:
        title: the name of a conversation, by its number in the tape.
        ago: seconds from an entry, by its index, to the request.
        session: the conversation of a request, by its number.
        policy: eviction policy, "" if it is not known.
        gone: the eviction of what was needed, if it was one.
    """

    title: Callable[[int], str]
    ago: Callable[[int], float]
    session: Callable[[int], int]
    policy: str = ""
    gone: KnownEviction | None = None


def sentence(evidence: Evidence, known: Known) -> str:
    """Why, in one sentence."""
    obstacle = evidence.obstacle
    if obstacle is not None and obstacle.cause is evidence.cause:
        return f"{_missing(evidence, obstacle, known)}, so {_again(evidence)}."
    return _text(evidence)


def _again(evidence: Evidence) -> str:
    tokens = fmt.plural(evidence.again, "token")
    start = f"the checkpoint at {fmt.count(evidence.reused)}" if evidence.reused else "the start"
    return f"{tokens} ran again from {start}"


def _missing(evidence: Evidence, obstacle: Obstacle, known: Known) -> str:
    """What became of the state that the prompt would have resumed from."""
    at = fmt.count(obstacle.position)
    when = "" if obstacle.index is None else f"{_before(known.ago(obstacle.index))}, "
    match obstacle.cause:
        case Cause.CHECKPOINT_EVICTED:
            return (
                f"The checkpoint at token {at} was evicted {when}while its own conversation went "
                f"on ({obstacle.named})"
            )
        case Cause.BUDGET_TOO_SMALL:
            return (
                f"The cache is too small for both chats: {_evictor(obstacle, known)} pushed out "
                f"the checkpoint at token {at}, {when}by {obstacle.named}"
            )
        case Cause.HOST_FULL:
            return (
                f"Host memory was full: the copy of the checkpoint at token {at} was evicted from "
                f"there {when.rstrip(', ')}"
            )
        case Cause.DISK_FULL:
            return f"The disk budget was used up: the file with the checkpoint at {at} is gone"
        case Cause.NO_FREE_SLOT:
            return f"No checkpoint was taken at {at}, because every state slot was in use"
        case Cause.INTERVAL_TOO_WIDE:
            return f"No checkpoint was ever taken near token {at}: {_every(obstacle)}"
        case Cause.QUARANTINED:
            return f"An audit had found the checkpoint at {at} to be wrong, and nothing uses it"
        case Cause.DAMAGED_FILE:
            return f"The file with the checkpoint at {at} was damaged"
        case Cause.NOT_EXACT:
            return f"No state up to token {at} is bit-exact for this prompt"
        case Cause.REMOVED:
            return f"The checkpoint at {at} had been removed ({obstacle.named})"
    return f"What became of the state at {at} happened before the recording began"


def _every(obstacle: Obstacle) -> str:
    if not obstacle.every:
        return "checkpoints at an interval are switched off"
    if obstacle.decoding:
        return f"while an answer is written, one is stored every {fmt.count(obstacle.every)} tokens"
    return f"besides those at messages, one is stored every {fmt.count(obstacle.every)} tokens"


def _evictor(obstacle: Obstacle, known: Known) -> str:
    if obstacle.during is None:
        return "another one"
    return f"“{known.title(known.session(obstacle.during))}”"


def _before(seconds: float) -> str:
    return f"{fmt.age(max(seconds, 1.0)).removesuffix(' ago')} before"


def _text(evidence: Evidence) -> str:
    total, rest = evidence.total, evidence.total - evidence.known
    tokens, all_of = fmt.plural(rest, "token"), fmt.plural(total, "token")
    at = fmt.count(evidence.sides.at if evidence.sides is not None else evidence.known)
    after = f"so the {tokens} after it ran again"
    match evidence.cause:
        case Cause.CACHE_OFF:
            return f"The cache was not used for this request, so all {all_of} ran."
        case Cause.WHOLE:
            return f"All {all_of} were in the cache, with the state at their end: nothing ran."
        case Cause.REFUSED:
            return f"The device's cache has no room for a prompt of {all_of}, so nothing ran."
        case Cause.FIRST_SIGHT:
            return f"Nothing of this prompt had been seen before, so all {all_of} ran."
        case Cause.NEW_TOKENS:
            return f"Only what is new ran, {tokens}: the prompt goes on from what was cached."
        case Cause.ANOTHER_CHAT:
            shared = fmt.plural(evidence.known, "token")
            return f"It shares its first {shared} with another chat; the other {tokens} are new."
        case Cause.THINKING_DROPPED:
            return (
                "This is normal in a straight chat: the template leaves earlier thinking out of "
                f"the prompt, so the answer after it and the new message, {tokens}, were read."
            )
        case Cause.DATE_CHANGED:
            times = None if evidence.sides is None else times_of(evidence.sides)
            was, now = times or ("", "")
            return f"The date or time at token {at} changed from “{was}” to “{now}”, {after}."
        case Cause.SYSTEM_TEXT_CHANGED:
            return f"The system text changed at token {at}, {after}."
        case Cause.TOOLS_CHANGED:
            return f"The list of tools changed at token {at}, {after}."
        case Cause.MESSAGE_EDITED:
            return f"An earlier message was edited at token {at}, {after}."
        case Cause.ANSWER_RETOKENISED:
            return (
                f"The template does not reproduce an earlier answer as it was written, from token "
                f"{at} on, {after}."
            )
        case Cause.RENDERED_DIFFERENTLY:
            return f"The template rendered the same messages differently at token {at}, {after}."
    return f"The prompt leaves what was cached at token {at}; its other {tokens} ran."


def request_line(evidence: Evidence, known: Known) -> str:
    """Which request it is: "Request 6 · Walks · 908 tokens"."""
    request = evidence.request
    title = known.title(request.session)
    return f"Request {request.number + 1} · {title} · {fmt.plural(evidence.total, 'token')}"


def cause_words(evidence: Evidence) -> str:
    """The cause in a few words, for a table."""
    return evidence.cause.value


def facts(evidence: Evidence, known: Known) -> tuple[Fact, ...]:
    """What the sentence rests on."""
    made = [Fact("Checkpoint used", _used(evidence))]
    obstacle = evidence.obstacle
    if obstacle is not None:
        made.append(Fact("Would have been needed", f"at {fmt.count(obstacle.position)}"))
        made.append(Fact("What became of it", _fate(obstacle, known)))
        if known.gone is not None and known.gone.rank:
            made.append(Fact("Its rank then", _rank(known.gone, known.policy)))
    if evidence.nearest is not None:
        shared = fmt.plural(evidence.known, "token")
        made.append(Fact("Shares most with", f"request {evidence.nearest + 1}, its first {shared}"))
    return tuple(made)


def _used(evidence: Evidence) -> str:
    if not evidence.reused:
        return "none: it began at the start"
    place = TIER_WORDS.get(evidence.tier, evidence.tier)
    return f"at {fmt.count(evidence.reused)}, {place}, {evidence.provenance}"


def _fate(obstacle: Obstacle, known: Known) -> str:
    when = "" if obstacle.index is None else f", {_before(known.ago(obstacle.index))}"
    if obstacle.cause is Cause.NO_FREE_SLOT:
        return f"never taken: no slot was free{when}"
    if obstacle.cause is Cause.INTERVAL_TOO_WIDE:
        return f"never taken: {_every(obstacle)}"
    if obstacle.cause is Cause.QUARANTINED:
        return f"quarantined{when}"
    if obstacle.cause is Cause.DAMAGED_FILE:
        return "its file was damaged"
    if not obstacle.named:
        return obstacle.cause.value
    place = {"device": "the device", "host": "host memory", "disk": "the disk"}
    went = f"left {place.get(obstacle.tier, obstacle.tier)}{when}: {obstacle.named}"
    if obstacle.during is None or obstacle.cause is not Cause.BUDGET_TOO_SMALL:
        return went
    return f"{went}, for request {obstacle.during + 1}"


def _rank(gone: KnownEviction, policy: str) -> str:
    by = f"; {policy} chose it" if policy else ""
    if gone.among == 1:
        return f"the only candidate{by}"
    older = gone.rank - 1
    if not older:
        return f"the longest unused of {gone.among} candidates{by}"
    return f"{fmt.count(older)} of {gone.among} candidates had been unused for longer{by}"
