"""What drafts did for an answer, in words: which tokens came from where. Without Qt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from app.core.words import format as fmt
from app.core.words.joining import listed
from app.core.words.tr import tr, trn
from engine.drafted import SOURCES, Draft, Drafted, Source

SOURCE_WORDS: dict[Source, str] = {
    "text": tr("this conversation"),
    "prediction": tr("the given prediction"),
    "device": tr("another cached path"),
    "host": tr("a path in host memory"),
    "disk": tr("a path on disk"),
    "head": tr("the model's own draft head"),
}
# Passages and places that a line names.
_MOST_NAMED = 5


def drafts_detail(drafts: Drafted) -> list[str]:
    """A line of counts, one for each source, one for rejected tokens; none without drafts."""
    if not drafts.drafts:
        return []
    lines = [
        tr("{kept} of {drafted} drafted tokens were the answer's").format(
            kept=fmt.count(drafts.kept), drafted=fmt.count(drafts.drafted)
        )
    ]
    for source in SOURCES:
        passages = tuple(kept_passages(drafts.drafts, {source}))
        if passages:
            lines.append(
                tr("From {source}: tokens {passages}").format(
                    source=SOURCE_WORDS[source],
                    passages=_named(_passage(*passage) for passage in passages),
                )
            )
    rejected = drafts.drafted - drafts.kept
    if rejected:
        lines.append(
            trn(
                "{count} drafted token was rejected: at {places}",
                "{count} drafted tokens were rejected, beginning at {places}",
                rejected,
            ).format(
                count=fmt.count(rejected),
                places=_named(
                    fmt.count(draft.at + draft.kept + 1)
                    for draft in drafts.drafts
                    if draft.rejected
                ),
            )
        )
    return lines


def kept_passages(
    drafts: Iterable[Draft], sources: Collection[Source]
) -> Iterator[tuple[int, int]]:
    """Tokens [start, end) of the answer that were drafted from these sources and kept.

    The token that the model itself adds between two drafts of a passage does not divide it.
    """
    start = end = -1
    for draft in drafts:
        if draft.source not in sources or not draft.kept:
            continue
        if start >= 0 and draft.at <= end + 1:
            end = draft.at + draft.kept
            continue
        if start >= 0:
            yield start, end
        start, end = draft.at, draft.at + draft.kept
    if start >= 0:
        yield start, end


def _passage(start: int, end: int) -> str:
    """Tokens as they are counted, from 1: "4–51"."""
    first, last = fmt.count(start + 1), fmt.count(end)
    return first if first == last else f"{first}–{last}"


def _named(each: Iterable[str]) -> str:
    """The first few, and how many more there are."""
    names = list(each)
    more = len(names) - _MOST_NAMED
    if more <= 0:
        return listed(names)
    return tr("{names} and {more} more").format(
        names=listed(names[:_MOST_NAMED]), more=fmt.count(more)
    )
