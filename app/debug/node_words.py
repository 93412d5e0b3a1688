"""What the debugger says of a node besides the drawer's facts. Without Qt."""

from __future__ import annotations

import json
from collections.abc import Callable

from app.words import format as fmt
from app.words.explain import Fact, clip, node_facts
from app.words.tr import tr
from engine.plain import as_plain
from engine.snapshot import NodeView

ROLE_WORDS = {
    "system": tr("System"),
    "user": tr("User"),
    "tool": tr("Tool"),
    "thinking": tr("Thinking"),
    "assistant": tr("Answer"),
    "": tr("Between messages"),
}
WHY_WORDS = {
    "": tr("not known"),
    "system end": tr("the system text ends here"),
    "user start": tr("a user message starts here"),
    "before thinking": tr("the next turn leaves out the thinking after it"),
    "answer start": tr("an answer starts here"),
    "tool call": tr("a tool call starts here"),
    "interval": tr("one at every interval"),
    "branch": tr("a prompt branched off here"),
    "end of prompt": tr("a prompt ends here"),
    "end of answer": tr("an answer ends here"),
    "stopped": tr("a prompt was stopped here"),
    "asked for": tr("you asked for it"),
}
_HASH_DIGITS = 16
_SPEECH_CHARS = 44


def debug_facts(
    node: NodeView, now: float, title: Callable[[int], str], also: str | None = None
) -> tuple[Fact, ...]:
    """All facts of a node, the most telling first.

    Args:
        now: seconds on the snapshot's clock.
        title: the name of a conversation, or of an engine among several.
        also: which other engines have its prefix; None where there is but one.
    """
    whose = [title(owner) for owner in node.owners]
    facts = [_whose(whose)] if whose and also is None else []
    if also is not None:
        facts = [Fact(tr("Engine"), "\n".join(whose)), Fact(tr("Also on"), also)]
    facts += node_facts(node, now)
    point = node.checkpoint
    if point is not None:
        facts.append(Fact(tr("Why it is kept"), WHY_WORDS.get(point.why, point.why)))
        if point.state.cut_hash is not None:
            facts.append(Fact(tr("Cuts"), f"{point.state.cut_hash:0{_HASH_DIGITS}x}"))
    if node.pinned:
        facts.append(Fact(tr("Pinned"), tr("yes: no policy evicts it")))
    if node.key:
        facts.append(Fact(tr("Prefix"), node.key))
    return tuple(facts)


def _whose(titles: list[str]) -> Fact:
    return Fact(tr("Conversations") if len(titles) > 1 else tr("Conversation"), "\n".join(titles))


def speech_facts(node: NodeView) -> tuple[Fact, ...]:
    """Who speaks in a node, in order, each with its first words."""
    found = []
    ends = [*(said.start for said in node.speech[1:]), node.end]
    for said, end in zip(node.speech, ends, strict=False):
        words = clip(said.text, _SPEECH_CHARS)
        lead = "" if said.opens or not words else "…"
        size = fmt.plural(end - said.start, "token")
        found.append(Fact(ROLE_WORDS.get(said.role, said.role), f"{lead}{words}" or size))
    return tuple(found)


def node_json(node: NodeView) -> str:
    """A node as JSON, for a report or a script."""
    return json.dumps(as_plain(node), indent=2, ensure_ascii=False)
