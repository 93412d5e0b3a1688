"""The words around two texts that diverge, and their tokens made visible. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.analysis.why.divergence import Sides, SideToken
from engine.analysis.why.evidence import Evidence

THIS_PROMPT = tr("This prompt")
# Signs for invisible characters.
_SEEN = {"\n": "↵", "\t": "⇥", " ": "·"}


def visible(text: str) -> str:
    """Replace line ends, tabs and outer spaces by signs, so that each token is visible."""
    inner = text.strip(" ")
    if not inner:
        return "·" * len(text)
    start = len(text) - len(text.lstrip(" "))
    end = len(text) - len(text.rstrip(" "))
    said = "".join(_SEEN.get(c, c) if c != " " else " " for c in inner)
    return "·" * start + said + "·" * end


def spoken(tokens: Sequence[SideToken]) -> str:
    """The text with differences in brackets, for copying and for screen readers."""
    out: list[str] = []
    inside = False
    for token in tokens:
        if token.differs != inside:
            out.append("[" if token.differs else "]")
            inside = token.differs
        out.append(token.text)
    return "".join(out) + ("]" if inside else "")


def other_head(evidence: Evidence) -> str:
    """The heading of the earlier text: which request's, and whether its prompt or its answer."""
    head = (
        tr("Request {other}, its answer")
        if evidence.in_answer
        else tr("Request {other}, its prompt")
    )
    return head.format(other=_other(evidence))


def sides_note(evidence: Evidence, sides: Sides) -> str:
    """Where the texts diverge, and where they are the same again."""
    at = tr("The prompt and request {other} part at token {at}.").format(
        other=_other(evidence), at=fmt.count(sides.at)
    )
    if not sides.known:
        return tr(
            "{at} The trace has positions, but no texts: they were left out when recording."
        ).format(at=at)
    if sides.prompt_to is not None and sides.same_after:
        again = fmt.plural(sides.same_after, "token")
        return tr("{at} From {prompt_to} on, {again} are the same again.").format(
            at=at, prompt_to=fmt.count(sides.prompt_to), again=again
        )
    return at


def _other(evidence: Evidence) -> int:
    return 0 if evidence.nearest is None else evidence.nearest + 1
