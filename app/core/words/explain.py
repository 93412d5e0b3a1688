"""Texts about a node, a checkpoint and a request's plan. Without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import in_turn, sentence
from app.core.words.tr import tr
from engine.reuse import Reason, ReusePlan
from engine.snapshot import CacheSnapshot, CheckpointView, LiveView, NodeView
from engine.verdict import Verdict

PROVENANCE_WORDS = {
    "prefill": tr("taken while reading a prompt"),
    "decode": tr("taken while writing"),
    "branch": tr("taken where a conversation forked"),
}
BY_BITS = tr("a prompt with the same cuts resumes from it bit for bit like a cold run")
BY_ROUNDING = tr("resuming from it differs from a cold run by rounding")
TIER_WORDS = {"device": tr("on the device"), "host": tr("in host memory"), "disk": tr("on disk")}
PLACE_WORDS = {"device": tr("the device"), "host": tr("host memory"), "disk": tr("the disk")}
THINKING_IS_NORMAL = tr("This is normal: a straight chat forks here at every turn.")
_TEXT_CHARS = 80
# Tokens that any next question has to run.
_FEW = 64
# A longer branch is warm if at most this share would be prefilled again.
_COLD_SHARE = 0.1


def is_warm(plan: ReusePlan) -> bool:
    """Whether next to nothing would have to be prefilled again."""
    return plan.total - plan.reused <= max(_FEW, _COLD_SHARE * plan.total)


def wait_text(plan: ReusePlan | None) -> str:
    """The predicted wait for the first token; "" if unknown."""
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


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the details drawer.

    Attributes:
        terms: of the glossary, which explain it.
    """

    name: str
    value: str
    terms: tuple[str, ...] = field(default=(), compare=False)


def node_facts(node: NodeView, now: float) -> tuple[Fact, ...]:
    """The drawer's facts about a node; `now` in seconds on the snapshot's clock."""
    facts = [
        Fact(
            tr("Tokens"),
            tr("{start} to {end}").format(start=fmt.count(node.start), end=fmt.count(node.end)),
            ("token",),
        ),
        Fact(tr("Length"), fmt.plural(node.end - node.start, "token")),
        Fact("KV", fmt.byte_size(node.kv_bytes), ("KV",)),
    ]
    point = node.checkpoint
    made = "tombstone" if point is None else point.state.provenance
    facts.append(Fact(tr("Checkpoint"), _checkpoint_words(node), ("checkpoint", made)))
    if point is not None:
        # A file has no slot, and no use count.
        slot = tr(" in slot {slot}").format(slot=point.slot) if point.state.tier != "disk" else ""
        facts.append(Fact(tr("State"), f"{fmt.byte_size(point.bytes)}{slot}", ("state",)))
        if point.state.tier != "disk":
            facts.append(Fact(tr("Resumed"), fmt.plural(point.hits, "time")))
        verdict = point.state.verdict
        found = "audit" if verdict is None else verdict.status
        facts.append(Fact(tr("Audit"), verdict_words(point), (found,)))
    if node.tier != "device":
        facts.append(Fact(tr("Location"), TIER_WORDS[node.tier], (node.tier,)))
    else:
        facts.append(Fact(tr("Matched"), fmt.plural(node.hits, "time")))
        facts.append(Fact(tr("Last used"), age(node.last_used, now)))
    # On the lower tiers only the checkpoint has times.
    if node.tier == "device":
        facts.append(Fact(tr("Made"), age(node.created, now)))
    elif point is not None:
        facts.append(Fact(tr("Made"), age(point.created, now)))
    if node.kv_lock or node.state_lock:
        facts.append(
            Fact(
                tr("Locks"),
                tr("KV {kv_lock}, state {state_lock}").format(
                    kv_lock=node.kv_lock, state_lock=node.state_lock
                ),
                ("in use",),
            )
        )
    return tuple(facts)


def age(moment: float, now: float) -> str:
    """How long ago; a time in the future comes from an earlier boot's clock."""
    return fmt.age(max(0.0, now - moment)) if moment < now + 1 else tr("before the last restart")


def _checkpoint_words(node: NodeView) -> str:
    point = node.checkpoint
    if point is None:
        return tr("none (tombstone)") if node.state_told else tr("not told by the engine")
    return tr("at {position}, {provenance}{point}").format(
        position=fmt.count(point.state.position),
        provenance=said(point.state.provenance),
        point=_origin(point),
    )


def node_title(node: NodeView) -> str:
    """The title of a node: its number on the device, else its tier."""
    return (
        tr("Node {tier_words}").format(tier_words=TIER_WORDS[node.tier])
        if node.tier != "device"
        else tr("Node {id}").format(id=node.id)
    )


def checkpoint_note(point: CheckpointView | None) -> str:
    """The accuracy of resuming from a checkpoint; "" without one."""
    if point is None:
        return ""
    state = point.state
    if state.quarantined:
        return tr("An audit found this state to be wrong, so nothing resumes from it any more.")
    if state.verdict is not None:
        return verdict_sentence(state.verdict)
    if state.stored != "none":
        return tr(
            "This state, or one that it was computed from, was stored as "
            "{stored}: resuming from it differs from a cold run by the error of "
            "that format."
        ).format(stored=state.stored)
    if state.error:
        return tr(
            "This state was computed from one that an audit found {error} away from a cold run's."
        ).format(error=fmt.percent(state.error))
    taken = PROVENANCE_WORDS.get(state.provenance, "stored")
    return tr("The checkpoint was {taken}: {by_bits}.").format(
        taken=taken, by_bits=BY_BITS if state.exact else BY_ROUNDING
    )


def _origin(point: CheckpointView) -> str:
    """A state's tier and stored format, unless they are the usual ones."""
    state = point.state
    words = f", {TIER_WORDS[state.tier]}" if state.tier != "device" else ""
    packed = stored_words(state.stored, state.error)
    return words + (f", {packed}" if packed else "")


def stored_words(stored: str, error: float) -> str:
    """The stored format of a state, or of one it was computed from: "int8, error 0.4%"."""
    if stored == "none":
        return tr("{error} off").format(error=fmt.percent(error)) if error else ""
    return tr("{stored}, error {error}").format(stored=stored, error=fmt.percent(error))


def verdict_words(point: CheckpointView) -> str:
    """An audit's verdict on a checkpoint, in short."""
    verdict = point.state.verdict
    if verdict is None:
        return tr("not yet")
    if verdict.status == "verified" and not verdict.largest:
        return tr("verified: no difference from a cold run")
    return tr("{status}: {largest} off, KL {kl:.2g}").format(
        status=said(verdict.status), largest=fmt.percent(verdict.largest), kl=verdict.kl
    )


def verdict_sentence(verdict: Verdict) -> str:
    """What an audit measured, and what that means for the checkpoint."""
    if verdict.status == "verified" and not verdict.largest:
        return tr("The checkpoint was verified: no difference from a cold run was found.")
    off = fmt.percent(verdict.largest)
    moved = tr("the next token's probabilities move by at most {kl} (KL {kl2:.2g})").format(
        kl=fmt.percent(_shift(verdict.kl)), kl2=verdict.kl
    )
    match verdict.status:
        case "verified":
            return tr(
                "The checkpoint was verified: state, keys, values and scores are "
                "within {off} of a cold run's, and {moved}."
            ).format(off=off, moved=moved)
        case "unclear":
            return tr(
                "The audit is inconclusive: the checkpoint is up to {off} away "
                "from a cold run, which rounding alone can cause with this "
                "model, and {moved}."
            ).format(off=off, moved=moved)
        case "drifted":
            return tr(
                "The checkpoint drifted: it is up to {off} away from a cold run, "
                "more than rounding explains, but {moved}."
            ).format(off=off, moved=moved)
    return tr(
        "The checkpoint was wrong, up to {off} away from a cold run, and is no longer used."
    ).format(off=off)


def _shift(kl: float) -> float:
    """Upper bound on the change in probability of any set of tokens.

    Bounds the total variation by the divergence in nats: Pinsker's bound, or where that is vacuous
    the one of Bretagnolle and Huber.
    """
    return min(math.sqrt(max(kl, 0.0) / 2), math.sqrt(1 - math.exp(-max(kl, 0.0))))


def node_tooltip(node: NodeView, now: float) -> str:
    """The tooltip of a node, at most six short lines."""
    lines = [
        tr("tokens {start} to {end} ({tokens})").format(
            start=fmt.count(node.start),
            end=fmt.count(node.end),
            tokens=fmt.plural(node.end - node.start, "token"),
        )
    ]
    if node.doubtful:
        lines.append(tr("in doubt: events were lost, and it was not heard of since"))
    if node.text:
        lines.append(f"“{clip(node.text)}”")
    lines.append(f"KV {fmt.byte_size(node.kv_bytes)}")
    point = node.checkpoint
    if point is None:
        lines.append(
            tr("tombstone: no checkpoint on any tier, so nothing can resume here")
            if node.state_told
            else tr("the engine does not tell whether it has a checkpoint here")
        )
    else:
        words = tr("checkpoint {bytes}, {provenance}{point}").format(
            bytes=fmt.byte_size(point.bytes),
            provenance=said(point.state.provenance),
            point=_origin(point),
        )
        lines.append(
            words if point.state.verdict is None else f"{words}, {said(point.state.verdict.status)}"
        )
        if point.why:
            lines.append(tr("kept for: {why}").format(why=said(point.why)))
    locked = tr(", locked by the running request") if node.kv_lock or node.state_lock else ""
    if node.tier == "device":
        used = age(node.last_used, now)
        lines.append(
            tr("used {used}, matched {times}{locked}").format(
                used=used, times=fmt.plural(node.hits, "time"), locked=locked
            )
        )
    else:
        lines.append(
            tr("stored {tier_words}{locked}").format(
                tier_words=TIER_WORDS[node.tier], locked=locked
            )
        )
    return "\n".join(lines)


def clip(text: str, most: int = _TEXT_CHARS) -> str:
    """The start of a text, on one line of at most `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def why(plan: ReusePlan) -> str:
    """The sentences below the ruler."""
    text = said(plan.detail)
    if not text:
        reason = said(plan.reason.value)
        text = sentence(f"{reason[:1].upper()}{reason[1:]}")
    normal = plan.reason is Reason.TEMPLATE_DROPPED_THINKING
    return in_turn(text, THINKING_IS_NORMAL if normal else "")


def live_text(live: LiveView | None) -> str:
    """The activity of the running request."""
    if live is None:
        return ""
    matched = live.reused + live.replayed
    if live.position < matched:
        return tr("replaying, at {position} of {matched}").format(
            position=fmt.count(live.position), matched=fmt.count(matched)
        )
    if live.position < live.total:
        return tr("reading, at {position} of {total}").format(
            position=fmt.count(live.position), total=fmt.count(live.total)
        )
    return tr("writing, at {position}").format(position=fmt.count(live.position))


def tree_summary(snapshot: CacheSnapshot, points: int) -> str:
    """The summary above the tree; `points`: the number of nodes with a checkpoint."""
    # Without the root.
    nodes = max(0, len(snapshot.nodes) - 1)
    text = f"{fmt.plural(nodes, 'node')} · {fmt.plural(points, 'checkpoint')}"
    evicted = sum(number for _, number in snapshot.evicted)
    if evicted:
        text += tr(" · {evicted} evicted").format(evicted=fmt.count(evicted))
    return text


def evictions_text(snapshot: CacheSnapshot) -> str:
    """Evictions by cause, for the summary's tooltip."""
    causes = [f"{said(cause)}: {fmt.count(number)}" for cause, number in snapshot.evicted if number]
    if snapshot.quarantined:
        causes.append(
            tr("checkpoints found wrong: {quarantined}").format(
                quarantined=fmt.count(snapshot.quarantined)
            )
        )
    if snapshot.skipped_checkpoints:
        causes.append(
            tr("checkpoints skipped: {skipped_checkpoints}").format(
                skipped_checkpoints=fmt.count(snapshot.skipped_checkpoints)
            )
        )
    return "\n".join(causes) or tr("No evictions yet")
