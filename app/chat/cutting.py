"""Cuts what a user pasted into parts that are quick to show. Without Qt."""

from __future__ import annotations

from collections.abc import Iterator

from app.chat.markdown_stream import CODE_LINES, LONG_CHARS, Block, Code, Prose


def cut(block: Block) -> list[Block]:
    """The parts of a part, all but the first of them joined to the one before."""
    if isinstance(block, Code):
        lines = block.text.split("\n")
        pieces = [lines[at : at + CODE_LINES] for at in range(0, len(lines), CODE_LINES)]
        return [
            Code(block.language, "\n".join(piece), block.closed, joined=block.joined or at > 0)
            for at, piece in enumerate(pieces)
        ]
    if len(block.text) <= LONG_CHARS:
        return [block]
    texts = _lines_together(block.text)
    return [Prose(text, joined=block.joined or at > 0) for at, text in enumerate(texts)]


def _lines_together(text: str) -> Iterator[str]:
    """As many lines as are not too long together."""
    taken: list[str] = []
    length = 0
    for line in (short for whole in text.split("\n") for short in _shortened(whole)):
        if taken and length + len(line) > LONG_CHARS:
            yield "\n".join(taken)
            taken, length = [], 0
        taken.append(line)
        length += len(line) + 1
    yield "\n".join(taken)


def _shortened(line: str) -> Iterator[str]:
    """A line in pieces that are not too long, cut between words where there are any."""
    at = 0
    while len(line) - at > LONG_CHARS:
        space = line.rfind(" ", at, at + LONG_CHARS)
        end = space + 1 if space > at else at + LONG_CHARS
        yield line[at:end].rstrip()
        at = end
    yield line[at:]
