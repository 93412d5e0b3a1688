"""Says in words what a node, a checkpoint and a request's plan are. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app import format as fmt
from engine.reuse import ReusePlan
from engine.snapshot import CacheSnapshot, CheckpointView, LiveView, NodeView

PROVENANCE_WORDS = {
    "prefill": "taken while reading a prompt: resuming is bit-equal",
    "decode": "taken while writing: resuming differs by rounding",
    "branch": "taken where a conversation forked",
}
TIER_WORDS = {"device": "on the device", "host": "in host memory", "disk": "on disk"}
_TEXT_CHARS = 80


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the details drawer."""

    name: str
    value: str


def node_facts(node: NodeView, now: float) -> tuple[Fact, ...]:
    """What the drawer lists about a node; `now` in seconds on the snapshot's clock."""
    facts = [
        Fact("Tokens", f"{fmt.count(node.start)} to {fmt.count(node.end)}"),
        Fact("Length", fmt.plural(node.end - node.start, "token")),
        Fact("KV", fmt.byte_size(node.kv_bytes)),
        Fact("Checkpoint", _checkpoint_words(node)),
    ]
    point = node.checkpoint
    if point is not None:
        facts.append(Fact("State", f"{fmt.byte_size(point.bytes)} in slot {point.slot}"))
        facts.append(Fact("Resumed", fmt.plural(point.hits, "time")))
        facts.append(Fact("Audit", verdict_words(point)))
    if node.tier != "device":
        facts.append(Fact("Lies", TIER_WORDS[node.tier]))
    facts.append(Fact("Matched", fmt.plural(node.hits, "time")))
    facts.append(Fact("Last used", fmt.age(max(0.0, now - node.last_used))))
    facts.append(Fact("Made", fmt.age(max(0.0, now - node.created))))
    if node.kv_lock or node.state_lock:
        facts.append(Fact("Locks", f"KV {node.kv_lock}, state {node.state_lock}"))
    return tuple(facts)


def _checkpoint_words(node: NodeView) -> str:
    point = node.checkpoint
    if point is None:
        return "none here: a tombstone"
    return f"at {fmt.count(point.position)}, {point.provenance}{_origin(point)}"


def checkpoint_note(point: CheckpointView | None) -> str:
    """What resuming from a checkpoint gives; "" where there is none."""
    if point is None:
        return ""
    verdict = point.verdict
    if verdict is not None and verdict.status == "quarantined":
        return "An audit found this state to be wrong: nothing resumes from it any more."
    if point.error:
        return "The checkpoint was compressed below: resuming differs by its error."
    words = PROVENANCE_WORDS.get(point.provenance, "")
    return f"The checkpoint was {words}." if words else ""


def _origin(point: CheckpointView) -> str:
    """Where a state lies and what it went through, if that is worth a word."""
    words = f", {TIER_WORDS[point.tier]}" if point.tier != "device" else ""
    return words + (f", {stored_words(point.stored, point.error)}" if point.error else "")


def stored_words(stored: str, error: float) -> str:
    """A compressed state: "int8, error 0.4 %"."""
    return f"{stored}, error {100 * error:.2g} %"


def verdict_words(point: CheckpointView) -> str:
    """What an audit said of a checkpoint."""
    verdict = point.verdict
    if verdict is None:
        return "not yet"
    if verdict.status == "verified":
        return "verified against a cold run"
    return f"{verdict.status}: differs by {100 * verdict.largest:.2g} %, KL {verdict.kl:.2g}"


def node_tooltip(node: NodeView, now: float) -> str:
    """At most six short lines for the mouse."""
    lines = [
        f"tokens {fmt.count(node.start)} to {fmt.count(node.end)}"
        f" ({fmt.plural(node.end - node.start, 'token')})"
    ]
    if node.text:
        lines.append(f"“{clip(node.text)}”")
    lines.append(f"KV {fmt.byte_size(node.kv_bytes)}")
    point = node.checkpoint
    if point is None:
        lines.append("no checkpoint (tombstone): nothing can resume here")
    else:
        words = f"checkpoint {fmt.byte_size(point.bytes)}, {point.provenance}{_origin(point)}"
        lines.append(words if point.verdict is None else f"{words}, {point.verdict.status}")
    used = fmt.age(max(0.0, now - node.last_used))
    lines.append(f"used {used}, matched {fmt.plural(node.hits, 'time')}")
    if node.kv_lock or node.state_lock:
        lines.append("locked by the running request")
    return "\n".join(lines)


def clip(text: str) -> str:
    """One short line of a text."""
    line = " ".join(text.split())
    return line if len(line) <= _TEXT_CHARS else line[: _TEXT_CHARS - 1] + "…"


def why(plan: ReusePlan) -> str:
    """The sentence under the ruler."""
    if plan.detail:
        return plan.detail
    return f"{plan.reason.value[:1].upper()}{plan.reason.value[1:]}."


def live_text(live: LiveView | None) -> str:
    """What the running request does right now."""
    if live is None:
        return ""
    matched = live.reused + live.replayed
    if live.position < matched:
        return f"replaying, at {fmt.count(live.position)} of {fmt.count(matched)}"
    if live.position < live.total:
        return f"reading, at {fmt.count(live.position)} of {fmt.count(live.total)}"
    return f"writing, at {fmt.count(live.position)}"


def tree_summary(snapshot: CacheSnapshot) -> str:
    """One line over the tree."""
    nodes = [node for node in snapshot.nodes if node.parent is not None]
    points = sum(node.checkpoint is not None for node in nodes)
    text = f"{fmt.plural(len(nodes), 'node')} · {fmt.plural(points, 'checkpoint')}"
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
    return "\n".join(causes) or "Nothing was evicted yet"
