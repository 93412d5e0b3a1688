"""Explains in words why a request ran what it ran: sentence and facts. Without Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.explain import PLACE_WORDS, TIER_WORDS, Fact
from app.core.words.joining import more
from app.core.words.tr import tr
from app.debugger.logic.entry_place import path_end
from engine.analysis.ledger import KnownEviction
from engine.analysis.why.cause import Cause, Obstacle
from engine.analysis.why.divergence import same_text_of, times_of
from engine.analysis.why.evidence import Evidence, Investigator
from engine.cache.eviction.cause import PRESSURE
from engine.cache.tiers.lower import FileCause
from engine.events import NodeOwner
from engine.journal.tape import Tape
from engine.snapshot import CacheSnapshot, NodeView


def fork_in(tape: Tape, evidence: Evidence, snapshot: CacheSnapshot | None) -> int | None:
    """The node at whose end the prompt diverged from the cache; None if its path is gone."""
    end = _end_node(tape, evidence)
    if end is None or snapshot is None:
        return None
    nodes = {node.id: node for node in snapshot.nodes}
    at = nodes.get(end)
    found: NodeView | None = None
    while at is not None and at.parent is not None:
        if at.end < evidence.known:
            break
        found = at
        at = nodes.get(at.parent)
    if found is None or found.end > len(evidence.request.ran.sequence):
        return None
    return found.id


def _end_node(tape: Tape, evidence: Evidence) -> int | None:
    """The deepest node of a request's path at its end, from its locks and checkpoints."""
    at = path_end(tape, evidence.request.index)
    return None if at is None else getattr(tape.entry(at).what, "node", None)


def owner_of(evidence: Evidence) -> NodeOwner | None:
    """The message that the request answered, by the engine's names; None without an owner."""
    ran = evidence.request.ran
    return NodeOwner(ran.owner, len(ran.prompt), ran.request) if ran.owner else None


@dataclass(frozen=True, slots=True)
class Known:
    """The context that sentences need in addition to the evidence.

    Attributes:
        title: the name of a conversation, by its number in the tape.
        ago: seconds from an entry, by its index, to the request.
        session: the conversation of a request, by its number.
        policy: eviction policy, "" if unknown.
        gone: the eviction of what was needed, if it was evicted.
    """

    title: Callable[[int], str]
    ago: Callable[[int], float]
    session: Callable[[int], int]
    policy: str = ""
    gone: KnownEviction | None = None


def context_of(
    investigator: Investigator, evidence: Evidence, title: Callable[[int], str]
) -> Known:
    """The context for sentences about a request; `title` names a conversation of its tape."""
    tape = investigator.tape
    requests, request = tape.requests, evidence.request
    return Known(
        title=title,
        ago=lambda index: request.began - tape.time(index + 1),
        session=lambda number: (
            requests[number].session if number < len(requests) else request.session
        ),
        policy="" if tape.header is None else tape.header.settings.policy,
        gone=investigator.eviction(evidence),
    )


def sentence(evidence: Evidence, known: Known) -> str:
    """The explanation in one sentence."""
    obstacle = evidence.obstacle
    if obstacle is not None and obstacle.cause is evidence.cause:
        return tr("{evidence}, so {evidence2}.").format(
            evidence=_missing(evidence, obstacle, known), evidence2=_again(evidence)
        )
    return _text(evidence)


def _again(evidence: Evidence) -> str:
    tokens = fmt.plural(evidence.again, "token")
    start = (
        tr("the checkpoint at {reused}").format(reused=fmt.count(evidence.reused))
        if evidence.reused
        else tr("the start")
    )
    return tr("{tokens} ran again from {start}").format(tokens=tokens, start=start)


def _missing(evidence: Evidence, obstacle: Obstacle, known: Known) -> str:
    """What happened to the state that the prompt would have resumed from."""
    at = fmt.count(obstacle.position)
    when = "" if obstacle.index is None else f"{_before(known.ago(obstacle.index))}{tr(', ')}"
    match obstacle.cause:
        case Cause.CHECKPOINT_EVICTED:
            return tr(
                "The checkpoint at token {at} was evicted {when}while its own "
                "conversation went on ({named})"
            ).format(at=at, when=when, named=said(obstacle.named))
        case Cause.BUDGET_TOO_SMALL:
            return tr(
                "The cache is too small for both chats: {obstacle} pushed out "
                "the checkpoint at token {at}, {when}by {named}"
            ).format(
                obstacle=_evictor(obstacle, known), at=at, when=when, named=said(obstacle.named)
            )
        case Cause.HOST_FULL if obstacle.tier != "host":
            return tr(
                "Host memory had no room for the checkpoint at token {at} when it left the "
                "device {when}"
            ).format(at=at, when=when.rstrip(", "))
        case Cause.HOST_FULL:
            return tr(
                "Host memory was full: the copy of the checkpoint at token {at} "
                "was evicted from there {when}"
            ).format(at=at, when=when.rstrip(", "))
        case Cause.DISK_FULL:
            return tr(
                "The disk budget was used up: the file with the checkpoint at {at} is gone"
            ).format(at=at)
        case Cause.NOT_WRITTEN:
            return tr("The file with the checkpoint at {at} could not be written").format(at=at)
        case Cause.NO_FREE_SLOT:
            return tr(
                "No checkpoint was taken at {at}, because every state slot was in use"
            ).format(at=at)
        case Cause.INTERVAL_TOO_WIDE:
            return tr("No checkpoint was ever taken near token {at}: {obstacle}").format(
                at=at, obstacle=_every(obstacle)
            )
        case Cause.QUARANTINED:
            return tr(
                "An audit had found the checkpoint at {at} to be wrong, and nothing uses it"
            ).format(at=at)
        case Cause.DAMAGED_FILE if obstacle.named == FileCause.PARENT_GONE:
            return tr("A file that the one with the checkpoint at {at} continues was lost").format(
                at=at
            )
        case Cause.DAMAGED_FILE:
            return tr("The file with the checkpoint at {at} was damaged").format(at=at)
        case Cause.FILE_GONE:
            return tr("The file with the checkpoint at {at} had been deleted").format(at=at)
        case Cause.NOT_EXACT:
            if evidence.reused:
                return tr(
                    "No checkpoint beyond token {reused} is bit-exact for this prompt"
                ).format(reused=fmt.count(evidence.reused))
            return tr("No state up to token {at} is bit-exact for this prompt").format(at=at)
        case Cause.REMOVED:
            return tr("The checkpoint at {at} had been removed ({named})").format(
                at=at, named=said(obstacle.named)
            )
    return tr("What became of the state at {at} happened before the recording began").format(at=at)


def _every(obstacle: Obstacle) -> str:
    if not obstacle.every and obstacle.decoding:
        return tr("checkpoints while an answer is written are switched off")
    if not obstacle.every:
        return tr("checkpoints at an interval are switched off")
    if obstacle.decoding:
        return tr("while an answer is written, one is stored every {every} tokens").format(
            every=fmt.count(obstacle.every)
        )
    return tr("besides those at messages, one is stored every {every} tokens").format(
        every=fmt.count(obstacle.every)
    )


def _evictor(obstacle: Obstacle, known: Known) -> str:
    if obstacle.during is None:
        return tr("another one")
    return f"“{known.title(known.session(obstacle.during))}”"


def _before(seconds: float) -> str:
    return tr("{seconds} before").format(seconds=fmt.age(max(seconds, 1.0)).removesuffix(" ago"))


def _text(evidence: Evidence) -> str:
    total, rest = evidence.total, evidence.total - evidence.known
    tokens, all_of = fmt.plural(rest, "token"), fmt.plural(total, "token")
    at = fmt.count(evidence.sides.at if evidence.sides is not None else evidence.known)
    after = tr("so the {tokens} after it ran again").format(tokens=tokens)
    match evidence.cause:
        case Cause.CACHE_OFF:
            return tr("The cache was not used for this request, so all {all_of} ran.").format(
                all_of=all_of
            )
        case Cause.WHOLE:
            return tr(
                "All {all_of} were in the cache, with the state at their end: nothing ran."
            ).format(all_of=all_of)
        case Cause.NEARLY_WHOLE:
            return tr(
                "All of it had run before, and only the {tokens} at its end ran again."
            ).format(tokens=fmt.plural(evidence.ran, "token"))
        case Cause.REFUSED:
            return tr(
                "The device's cache has no room for a prompt of {all_of}, so nothing ran."
            ).format(all_of=all_of)
        case Cause.FIRST_SIGHT if evidence.known:
            shared = fmt.plural(evidence.known, "token")
            return tr(
                "Only its first {shared} had been seen before, as another prompt begins alike; "
                "the other {tokens} are new."
            ).format(shared=shared, tokens=tokens)
        case Cause.FIRST_SIGHT if evidence.all_told:
            return tr("Nothing of this prompt had been seen before, so all {all_of} ran.").format(
                all_of=all_of
            )
        case Cause.FIRST_SIGHT:
            return tr(
                "Nothing of this prompt was in the cache, nor in the recording before it, so all "
                "{all_of} ran."
            ).format(all_of=all_of)
        case Cause.UNRECORDED:
            return tr(
                "What the cache had of this prompt was evicted before the recording began, so "
                "all {all_of} ran."
            ).format(all_of=all_of)
        case Cause.OTHER_FILES:
            return tr(
                "Files had the beginning of this prompt, but other weights, another number format "
                "or other kernels wrote them, so all {all_of} ran."
            ).format(all_of=all_of)
        case Cause.READ_BEFORE:
            return tr(
                "Answers in this prompt were generated before, but nothing in the cache or its "
                "files began like it, so all {all_of} ran."
            ).format(all_of=all_of)
        case Cause.NEW_TOKENS:
            return tr(
                "Only what is new ran, {tokens}: the prompt goes on from what was cached."
            ).format(tokens=tokens)
        case Cause.ANOTHER_CHAT:
            shared = fmt.plural(evidence.known, "token")
            return tr(
                "It shares its first {shared} with another chat; the other {tokens} are new."
            ).format(shared=shared, tokens=tokens)
        case Cause.SYSTEM_TEXT_SHARED:
            return tr(
                "Its system text and another chat's are the same up to token {at}{state}; the "
                "other {tokens} are new."
            ).format(at=at, state=_shared_state(evidence), tokens=tokens)
        case Cause.THINKING_DROPPED:
            return tr(
                "This is normal in a straight chat: the template leaves earlier "
                "thinking out of the prompt, so the answer after it and the new "
                "message, {tokens}, were read."
            ).format(tokens=tokens)
        case Cause.DATE_CHANGED:
            times = None if evidence.sides is None else times_of(evidence.sides)
            was, now = times or ("", "")
            return tr(
                "The date or time at token {at} changed from “{was}” to “{now}”, {after}."
            ).format(at=at, was=was, now=now, after=after)
        case Cause.RENDERED_DIFFERENTLY if not evidence.known:
            return tr(
                "The template or the tools changed since the files were written, so all {all_of} "
                "ran."
            ).format(all_of=all_of)
        case Cause.SYSTEM_TEXT_CHANGED if not evidence.known:
            return tr(
                "The system text changed since the files were written, so all {all_of} ran."
            ).format(all_of=all_of)
        case Cause.MESSAGE_EDITED if not evidence.known:
            return tr(
                "The conversation was edited since the files were written, so all {all_of} ran."
            ).format(all_of=all_of)
        case Cause.SYSTEM_TEXT_CHANGED:
            return tr("The system text changed at token {at}, {after}.").format(at=at, after=after)
        case Cause.TOOLS_CHANGED:
            return tr("The list of tools changed at token {at}, {after}.").format(
                at=at, after=after
            )
        case Cause.MESSAGE_EDITED:
            return tr("An earlier message was edited at token {at}, {after}.").format(
                at=at, after=after
            )
        case Cause.OLDEST_DROPPED:
            return tr("The oldest turns were left out at token {at}{length}, {after}.").format(
                at=at, length=_length_left_out(evidence), after=after
            )
        case Cause.TEXT_LEFT_OUT:
            return tr(
                "A text that was there before was left out at token {at}{length}, {after}."
            ).format(at=at, length=_length_left_out(evidence), after=after)
        case Cause.ANSWER_RETOKENISED if evidence.sides is not None and same_text_of(
            evidence.sides
        ):
            return tr(
                "From token {at} on the same text is cut into other tokens, as when an answer is "
                "sent back as text, {after}."
            ).format(at=at, after=after)
        case Cause.ANSWER_RETOKENISED:
            return tr(
                "An earlier answer is not in the prompt as it was written, from token {at} on, "
                "{after}."
            ).format(at=at, after=after)
        case Cause.RENDERED_DIFFERENTLY:
            return tr(
                "The template rendered the same messages differently at token {at}, {after}."
            ).format(at=at, after=after)
    return tr("The prompt leaves what was cached at token {at}; its other {tokens} ran.").format(
        at=at, tokens=tokens
    )


def _length_left_out(evidence: Evidence) -> str:
    tokens = 0 if evidence.sides is None else evidence.sides.left_out
    return tr(" ({tokens})").format(tokens=fmt.plural(tokens, "token")) if tokens else ""


def _shared_state(evidence: Evidence) -> str:
    """What a checkpoint in text shared by two chats would have saved; "" if one was used."""
    obstacle = evidence.obstacle
    if obstacle is None or obstacle.instead is None:
        return ""
    every, at = obstacle.instead
    return tr(
        ", where no checkpoint was stored; one every {every} tokens would have saved {saved} of "
        "them"
    ).format(every=fmt.count(every), saved=fmt.count(at - evidence.reused))


def request_line(evidence: Evidence, known: Known) -> str:
    """A line that identifies the request: "Request 6 · Walks · 908 tokens"."""
    request = evidence.request
    title = known.title(request.session)
    return tr("Request {number} · {title} · {tokens}").format(
        number=request.number + 1, title=title, tokens=fmt.plural(evidence.total, "token")
    )


def facts(evidence: Evidence, known: Known) -> tuple[Fact, ...]:
    """The facts behind the sentence."""
    made = [Fact(tr("Checkpoint used"), _used(evidence))]
    obstacle = evidence.obstacle
    if obstacle is not None:
        made.append(
            Fact(
                tr("Would have been needed"),
                tr("at {position}").format(position=fmt.count(obstacle.position)),
            )
        )
        made.append(Fact(tr("What became of it"), _fate(obstacle, known)))
        if known.gone is not None and known.gone.rank and obstacle.named in PRESSURE:
            made.append(Fact(tr("Its rank then"), _rank(known.gone, known.policy)))
    if evidence.nearest is not None:
        shared = fmt.plural(evidence.known, "token")
        made.append(
            Fact(
                tr("Shares most with"),
                tr("request {nearest}, its first {shared}").format(
                    nearest=evidence.nearest + 1, shared=shared
                ),
            )
        )
    return tuple(made)


def _used(evidence: Evidence) -> str:
    if not evidence.reused:
        return tr("none: it began at the start")
    place = TIER_WORDS.get(evidence.tier, evidence.tier)
    return tr("at {reused}, {place}, {provenance}").format(
        reused=fmt.count(evidence.reused), place=place, provenance=said(evidence.provenance)
    )


def _fate(obstacle: Obstacle, known: Known) -> str:
    when = "" if obstacle.index is None else more(_before(known.ago(obstacle.index)))
    if obstacle.cause is Cause.NO_FREE_SLOT:
        return tr("never taken: no slot was free{when}").format(when=when)
    if obstacle.cause is Cause.INTERVAL_TOO_WIDE:
        return tr("never taken: {obstacle}").format(obstacle=_every(obstacle))
    if obstacle.cause is Cause.QUARANTINED:
        return tr("quarantined{when}").format(when=when)
    if obstacle.cause is Cause.DAMAGED_FILE:
        if obstacle.named == FileCause.PARENT_GONE:
            return said(obstacle.named)
        return tr("its file was damaged")
    if obstacle.cause is Cause.FILE_GONE:
        return tr("its file had been deleted")
    if obstacle.cause is Cause.NOT_EXACT and obstacle.tier:
        return tr("still there, but not bit-exact for this prompt")
    if not obstacle.named:
        return said(obstacle.cause.value)
    went = tr("left {place}{when}: {named}").format(
        place=PLACE_WORDS.get(obstacle.tier, obstacle.tier), when=when, named=said(obstacle.named)
    )
    if obstacle.during is None or obstacle.cause is not Cause.BUDGET_TOO_SMALL:
        return went
    return tr("{went}, for request {during}").format(went=went, during=obstacle.during + 1)


def _rank(gone: KnownEviction, policy: str) -> str:
    by = tr("; {policy} chose it").format(policy=policy) if policy else ""
    if gone.among == 1:
        return tr("the only candidate{by}").format(by=by)
    older = gone.rank - 1
    if not older:
        return tr("the longest unused of {among} candidates{by}").format(among=gone.among, by=by)
    return tr("{older} of {among} candidates had been unused for longer{by}").format(
        older=fmt.count(older), among=gone.among, by=by
    )
