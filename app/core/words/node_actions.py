"""Texts about manual actions on a cached node: effect, cost, and objections. Without Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.commands import Action
from engine.message import Message
from engine.snapshot import CacheSnapshot, NodeView

NO_MODEL = tr("No model is open.")
EARLIER = tr("An earlier moment is on screen: go to the newest one to change the cache.")
FROM_FILE = tr("This is a trace file: nothing in it can be changed.")
ELSEWHERE = tr("This engine is only watched: nothing in it can be changed from here.")
# Evicting fewer tokens costs little.
_LITTLE_TOKENS = 256
_READ = tr("The running answer reads it: wait until it is finished, or stop it.")
HINT = tr(
    "A line “system:”, “user:” or “assistant:” begins a message, which follows "
    "on that line or below it. Text before the first of these lines is a user "
    "message."
)
_HEAD = re.compile(r"(system|user|assistant):(.*)", re.IGNORECASE)


class PromptTextError(ValueError):
    """A text is not a valid prompt; the message says why, in one sentence."""


def messages_of(text: str) -> tuple[Message, ...]:
    """Parse a text into messages. Raises PromptTextError."""
    parts = _parts(text)
    if not parts:
        raise PromptTextError(tr("There is nothing to warm: write at least one message."))
    for at, (line, role, said) in enumerate(parts):
        if not said:
            raise PromptTextError(
                tr(
                    "The {role} message in line {line:,} is empty: write its text, "
                    "or remove the line."
                ).format(role=role, line=line)
            )
        if role == "system" and at:
            raise PromptTextError(
                tr(
                    "The system message in line {line:,} must be the first message: move it up."
                ).format(line=line)
            )
    if all(role == "system" for _, role, _ in parts):
        raise PromptTextError(
            tr(
                "A system message alone is not a prompt: add a user message, of one word if "
                "need be."
            )
        )
    return tuple(Message(role, said) for _, role, said in parts)


def text_of(system: str) -> str:
    """The initial text: a system message if there is one, and an empty user message."""
    return f"system:\n{system.strip()}\n\nuser:\n" if system.strip() else ""


def _parts(text: str) -> list[tuple[int, str, str]]:
    """Line, role and text of each message."""
    parts: list[tuple[int, str, list[str]]] = [(1, "user", [])]
    for number, line in enumerate(text.splitlines(), 1):
        head = _HEAD.fullmatch(line.strip())
        if head is not None:
            parts.append((number, head[1].lower(), [head[2]]))
        else:
            parts[-1][2].append(line)
    made = [(line, role, "\n".join(said).strip()) for line, role, said in parts]
    return made if made[0][2] else made[1:]


@dataclass(frozen=True, slots=True)
class Offer:
    """An action on one node.

    Attributes:
        text: on its button.
        tooltip: what it will do and what that costs.
        refusal: why it is not possible now; "" if it is.
    """

    action: Action
    text: str
    tooltip: str
    refusal: str = ""

    @property
    def hint(self) -> str:
        """The tooltip's text."""
        return f"{self.tooltip}\n{self.refusal}" if self.refusal else self.tooltip


def offers(node: NodeView, snapshot: CacheSnapshot, barred: str = "") -> tuple[Offer, ...]:
    """Every action on a node, in the order of the buttons.

    Args:
        barred: why no action is possible; "" if some are.
    """
    made = (
        _pin(node),
        _checkpoint(node, snapshot),
        _warm(node),
        _move(node, snapshot),
        _drop(node, snapshot),
        _evict(node, snapshot),
    )
    return tuple(replace(one, refusal=barred) for one in made) if barred else made


def _pin(node: NodeView) -> Offer:
    if node.pinned:
        return Offer(
            "unpin",
            tr("Unpin", "in the cache"),
            tr("Lets this state and its path be evicted like any other."),
        )
    point = node.checkpoint
    refusal = ""
    if point is None:
        refusal = tr("There is no state here: make a checkpoint first.")
    elif point.state.quarantined:
        refusal = tr("An audit found this state wrong.")
    return Offer(
        "pin",
        tr("Pin", "in the cache"),
        tr(
            "Keeps {tokens} and the state at their end in memory until you unpin "
            "them. Pins may hold half of the memory."
        ).format(tokens=fmt.plural(node.end, "token")),
        refusal,
    )


def checkpoint_bounds(node: NodeView) -> tuple[int, int]:
    """The first and last token of a node after which a state can be stored."""
    return node.start + 1, node.end if node.checkpoint is None else node.end - 1


def checkpoint_cost(node: NodeView, snapshot: CacheSnapshot, position: int) -> str:
    """The cost of storing a state inside a node, in one sentence."""
    above = _resume_above(node, snapshot)
    ran = fmt.plural(position - above, "token")
    start = tr("the state at {above}").format(above=fmt.count(above)) if above else tr("the start")
    return tr("Runs {ran} from {start} while no answer runs, and takes one state slot.").format(
        ran=ran, start=start
    )


def _checkpoint(node: NodeView, snapshot: CacheSnapshot) -> Offer:
    first, last = checkpoint_bounds(node)
    point = node.checkpoint
    refusal = ""
    if first > last:
        there = point is None or point.state.tier == "device"
        refusal = (
            tr("There is a state here already.") if there else tr("It has a copy: warm it instead.")
        )
    return Offer(
        "checkpoint",
        tr("Checkpoint here…"),
        tr("Stores the state after a token of this node that you choose. At the last one: ")
        + checkpoint_cost(node, snapshot, max(first, last)),
        refusal,
    )


def _warm(node: NodeView) -> Offer:
    point = node.checkpoint
    below = node.tier != "device" or (point is not None and point.state.tier != "device")
    return Offer(
        "warm",
        tr("Warm this prefix"),
        tr(
            "Copies this prefix and its state up to the device, so that the next "
            "prompt need not wait for it. May evict what is used less."
        ),
        "" if below else tr("No other tier has a state of it that the device lacks."),
    )


def _move(node: NodeView, snapshot: CacheSnapshot) -> Offer:
    point = node.checkpoint
    if snapshot.host is None:
        refusal = tr("There is no host memory tier: give the cache some in the settings.")
    elif point is None or point.state.tier != "device":
        refusal = tr("There is no state on the device here.")
    else:
        refusal = _kept(node)
    size = "" if point is None else f" ({fmt.byte_size(point.bytes)})"
    return Offer(
        "move to host",
        tr("Move to host"),
        tr(
            "Copies the state{size} and the KV below it to host memory and frees its "
            "slot on the device. Using it again costs a copy."
        ).format(size=size),
        refusal,
    )


def _drop(node: NodeView, snapshot: CacheSnapshot) -> Offer:
    point = node.checkpoint
    refusal = _kept(node)
    if point is None or point.state.tier != "device":
        refusal = tr("There is no state on the device here.")
    again = node.end - _resume_above(node, snapshot)
    leaf = not any(other.parent == node.id for other in snapshot.nodes)
    goes = tr(" Nothing goes on from here, so its KV goes, too.") if leaf else ""
    return Offer(
        "drop state",
        tr("Drop state"),
        tr(
            "Frees the state's slot and leaves a tombstone: a prompt that comes back "
            "here runs {tokens} again.{goes}"
        ).format(tokens=fmt.plural(again, "token"), goes=goes),
        refusal,
    )


def _evict(node: NodeView, snapshot: CacheSnapshot) -> Offer:
    below = _with_below(node, snapshot)
    refusal = ""
    if any(one.kv_lock for one in below):
        refusal = _READ
    elif any(one.pinned for one in below):
        refusal = tr("It or a node below it is pinned: unpin that first.")
    return Offer(
        "evict",
        tr("Evict"),
        tr(
            "Removes {nodes}, this one and all below it, from every tier: {size}. "
            "Cannot be undone, only computed again."
        ).format(nodes=fmt.plural(len(below), "node"), size=fmt.byte_size(_bytes_of(below))),
        refusal,
    )


def evict_question(node: NodeView, snapshot: CacheSnapshot) -> str:
    """The question before evicting a node, with the cost; "" if that is low."""
    below = _with_below(node, snapshot)
    tokens = sum(one.end - one.start for one in below)
    if tokens < _LITTLE_TOKENS:
        return ""
    return tr(
        "This removes {nodes} from every tier and frees {size}. It cannot be undone: what needs "
        "them computes {tokens} again."
    ).format(
        nodes=fmt.plural(len(below), "node"),
        size=fmt.byte_size(_bytes_of(below)),
        tokens=fmt.plural(tokens, "token"),
    )


def _kept(node: NodeView) -> str:
    if node.state_lock:
        return _READ
    return tr("It is pinned: unpin it first.") if node.pinned else ""


def _bytes_of(nodes: Iterable[NodeView]) -> int:
    """Size of KV and states, in bytes."""
    return sum(
        one.kv_bytes + (one.checkpoint.bytes if one.checkpoint is not None else 0) for one in nodes
    )


def _with_below(node: NodeView, snapshot: CacheSnapshot) -> list[NodeView]:
    """A node and its descendants; parents come before children in a snapshot."""
    inside = {node.id}
    found = [node]
    for other in snapshot.nodes:
        if other.parent in inside:
            inside.add(other.id)
            found.append(other)
    return found


def _resume_above(node: NodeView, snapshot: CacheSnapshot) -> int:
    """The position of the nearest usable checkpoint above a node's end; 0 if there is none."""
    by_id = {one.id: one for one in snapshot.nodes}
    at = None if node.parent is None else by_id.get(node.parent)
    while at is not None:
        if at.checkpoint is not None and not at.checkpoint.state.quarantined:
            return at.end
        at = None if at.parent is None else by_id.get(at.parent)
    return 0
