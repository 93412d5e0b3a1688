"""The texts of a turn as they are shown, in documents without widgets."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument

from app.chat.markdown_stream import MarkdownStream, Prose
from app.chat.mathematics import readable
from app.chat.pasted import unfolded, user_blocks
from app.chat.prose import FEATURES
from app.session.records import Turn


def rendered(turn: Turn) -> list[QTextDocument]:
    """What is read of a turn, part by part: its Markdown without its marks. Errors have none."""
    if turn.role == "error":
        return []
    if not turn.is_answer:
        return [QTextDocument(block.text) for block in user_blocks(unfolded(turn.text))]
    stream = MarkdownStream()
    stream.feed(turn.text.lstrip())
    stream.finish()
    made = []
    for block in stream.blocks:
        document = QTextDocument()
        if isinstance(block, Prose):
            document.setMarkdown(readable(block.text), FEATURES)
        else:
            document.setPlainText(block.text)
        made.append(document)
    return made
