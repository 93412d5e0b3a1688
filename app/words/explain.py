"""Words for a node, a checkpoint and a request's plan. Without Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import repeat
from operator import attrgetter, is_not

from app.words import format as fmt
from engine.reuse import Reason, ReusePlan
from engine.snapshot import CacheSnapshot, CheckpointView, LiveView, NodeView
from engine.verdict import Verdict

PROVENANCE_WORDS = {
    "prefill": "taken while reading a prompt",
    "decode": "taken while writing",
    "branch": "taken where a conversation forked",
}
BY_BITS = "a prompt with the same cuts resumes from it bit for bit like a cold run"
BY_ROUNDING = "resuming from it differs from a cold run by rounding"
TIER_WORDS = {"device": "on the device", "host": "in host memory", "disk": "on disk"}
THINKING_IS_NORMAL = "This is normal: a straight chat forks here at every turn."
_TEXT_CHARS = 80


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the details drawer."""

    name: str
    value: str


def node_facts(node: NodeView, now: float) -> tuple[Fact, ...]:
    """The facts that the drawer lists about a node; `now` in seconds on the snapshot's clock."""
    facts = [
        Fact("Tokens", f"{fmt.count(node.start)} to {fmt.count(node.end)}"),
        Fact("Length", fmt.plural(node.end - node.start, "token")),
        Fact("KV", fmt.byte_size(node.kv_bytes)),
        Fact("Checkpoint", _checkpoint_words(node)),
    ]
    point = node.checkpoint
    if point is not None:
        # A file has no slot and does not record how often it was used.
        slot = f" in slot {point.slot}" if point.state.tier != "disk" else ""
        facts.append(Fact("State", f"{fmt.byte_size(point.bytes)}{slot}"))
        if point.state.tier != "disk":
            facts.append(Fact("Resumed", fmt.plural(point.hits, "time")))
        facts.append(Fact("Audit", verdict_words(point)))
    if node.tier != "device":
        facts.append(Fact("Location", TIER_WORDS[node.tier]))
    else:
        facts.append(Fact("Matched", fmt.plural(node.hits, "time")))
        facts.append(Fact("Last used", age(node.last_used, now)))
    # On the lower tiers only the checkpoint has a time.
    if node.tier == "device":
        facts.append(Fact("Made", age(node.created, now)))
    elif point is not None:
        facts.append(Fact("Made", age(point.created, now)))
    if node.kv_lock or node.state_lock:
        facts.append(Fact("Locks", f"KV {node.kv_lock}, state {node.state_lock}"))
    return tuple(facts)


def age(moment: float, now: float) -> str:
    """How long ago; a time in the future was measured by the clock of an earlier boot."""
    return fmt.age(max(0.0, now - moment)) if moment < now + 1 else "before the last restart"


def _checkpoint_words(node: NodeView) -> str:
    point = node.checkpoint
    if point is None:
        return "none (tombstone)" if node.state_told else "not told by the engine"
    return f"at {fmt.count(point.state.position)}, {point.state.provenance}{_origin(point)}"


def node_title(node: NodeView) -> str:
    """Nodes on the device are named by number, those of other tiers by their tier."""
    return f"Node {TIER_WORDS[node.tier]}" if node.tier != "device" else f"Node {node.id}"


def checkpoint_note(point: CheckpointView | None) -> str:
    """How exact resuming from a checkpoint is; "" without one."""
    if point is None:
        return ""
    state = point.state
    if state.quarantined:
        return "An audit found this state to be wrong, so nothing resumes from it any more."
    if state.verdict is not None:
        return verdict_sentence(state.verdict)
    if state.stored != "none":
        return (
            f"This state, or one that it was computed from, was stored as {state.stored}: resuming "
            "from it differs from a cold run by the error of that format."
        )
    if state.error:
        return (
            "This state was computed from one that an audit found "
            f"{fmt.percent(state.error)} away from a cold run's."
        )
    taken = PROVENANCE_WORDS.get(state.provenance, "stored")
    return f"The checkpoint was {taken}: {BY_BITS if state.exact else BY_ROUNDING}."


def _origin(point: CheckpointView) -> str:
    """A state's tier and stored format, where they are worth mentioning."""
    state = point.state
    words = f", {TIER_WORDS[state.tier]}" if state.tier != "device" else ""
    packed = stored_words(state.stored, state.error)
    return words + (f", {packed}" if packed else "")


def stored_words(stored: str, error: float) -> str:
    """The format that a state, or one it was computed from, was stored in: "int8, error 0.4 %"."""
    if stored == "none":
        return f"{fmt.percent(error)} off" if error else ""
    return f"{stored}, error {fmt.percent(error)}"


def verdict_words(point: CheckpointView) -> str:
    """An audit's verdict on a checkpoint, in short."""
    verdict = point.state.verdict
    if verdict is None:
        return "not yet"
    if verdict.status == "verified" and not verdict.largest:
        return "verified: no difference from a cold run"
    return f"{verdict.status}: {fmt.percent(verdict.largest)} off, KL {verdict.kl:.2g}"


def verdict_sentence(verdict: Verdict) -> str:
    """What an audit measured, and what that means for the checkpoint."""
    if verdict.status == "verified" and not verdict.largest:
        return "The checkpoint was verified: no difference from a cold run was found."
    off = fmt.percent(verdict.largest)
    moved = (
        f"the next token's probabilities move by at most {fmt.percent(_shift(verdict.kl))} "
        f"(KL {verdict.kl:.2g})"
    )
    match verdict.status:
        case "verified":
            return (
                "The checkpoint was verified: state, keys, values and scores are within "
                f"{off} of a cold run's, and {moved}."
            )
        case "unclear":
            return (
                f"The audit is inconclusive: the checkpoint is up to {off} away from a cold run, "
                f"which rounding alone can cause with this model, and {moved}."
            )
        case "drifted":
            return (
                f"The checkpoint drifted: it is up to {off} away from a cold run, more than "
                f"rounding explains, but {moved}."
            )
    return f"The checkpoint was wrong, up to {off} away from a cold run, and is no longer used."


def _shift(kl: float) -> float:
    """Upper bound on the change in probability of any set of tokens.

    Bounds the total variation by the divergence in nats: Pinsker's bound, or where that is vacuous
    the one of Bretagnolle and Huber.
    """
    return min(math.sqrt(max(kl, 0.0) / 2), math.sqrt(1 - math.exp(-max(kl, 0.0))))


def node_tooltip(node: NodeView, now: float) -> str:
    """The tooltip of a node, at most six short lines."""
    lines = [
        f"tokens {fmt.count(node.start)} to {fmt.count(node.end)}"
        f" ({fmt.plural(node.end - node.start, 'token')})"
    ]
    if node.doubtful:
        lines.append("in doubt: events were lost, and it was not heard of since")
    if node.text:
        lines.append(f"“{clip(node.text)}”")
    lines.append(f"KV {fmt.byte_size(node.kv_bytes)}")
    point = node.checkpoint
    if point is None:
        lines.append(
            "tombstone: no checkpoint on any tier, so nothing can resume here"
            if node.state_told
            else "the engine does not tell whether it has a checkpoint here"
        )
    else:
        words = f"checkpoint {fmt.byte_size(point.bytes)}, {point.state.provenance}{_origin(point)}"
        lines.append(
            words if point.state.verdict is None else f"{words}, {point.state.verdict.status}"
        )
        if point.why:
            lines.append(f"kept for: {point.why}")
    locked = ", locked by the running request" if node.kv_lock or node.state_lock else ""
    if node.tier == "device":
        used = age(node.last_used, now)
        lines.append(f"used {used}, matched {fmt.plural(node.hits, 'time')}{locked}")
    else:
        lines.append(f"stored {TIER_WORDS[node.tier]}{locked}")
    return "\n".join(lines)


def clip(text: str, most: int = _TEXT_CHARS) -> str:
    """The start of a text, on one line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def why(plan: ReusePlan) -> str:
    """The sentences under the ruler."""
    said = plan.detail or f"{plan.reason.value[:1].upper()}{plan.reason.value[1:]}."
    normal = plan.reason is Reason.TEMPLATE_DROPPED_THINKING
    return f"{said} {THINKING_IS_NORMAL}" if normal else said


def live_text(live: LiveView | None) -> str:
    """What the running request is doing."""
    if live is None:
        return ""
    matched = live.reused + live.replayed
    if live.position < matched:
        return f"replaying, at {fmt.count(live.position)} of {fmt.count(matched)}"
    if live.position < live.total:
        return f"reading, at {fmt.count(live.position)} of {fmt.count(live.total)}"
    return f"writing, at {fmt.count(live.position)}"


_CHECKPOINT = attrgetter("checkpoint")


def tree_summary(snapshot: CacheSnapshot) -> str:
    """The summary line above the tree."""
    # All but the root, which has no checkpoint. Counted where thousands take the least time.
    nodes = max(0, len(snapshot.nodes) - 1)
    points = sum(map(is_not, map(_CHECKPOINT, snapshot.nodes), repeat(None)))
    text = f"{fmt.plural(nodes, 'node')} · {fmt.plural(points, 'checkpoint')}"
    evicted = sum(number for _, number in snapshot.evicted)
    if evicted:
        text += f" · {fmt.count(evicted)} evicted"
    return text


def evictions_text(snapshot: CacheSnapshot) -> str:
    """Evictions by cause, for the tooltip of the summary."""
    causes = [f"{cause}: {fmt.count(number)}" for cause, number in snapshot.evicted if number]
    if snapshot.quarantined:
        causes.append(f"checkpoints found wrong: {fmt.count(snapshot.quarantined)}")
    if snapshot.skipped_checkpoints:
        causes.append(f"checkpoints skipped: {fmt.count(snapshot.skipped_checkpoints)}")
    return "\n".join(causes) or "No evictions yet"
