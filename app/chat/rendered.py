"""The displayed text of a turn's parts, without widgets: Markdown without its marks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QTextDocument

from app.chat.logic.markdown_stream import Block, Prose, split
from app.chat.logic.mathematics import restored
from app.chat.logic.pasted import unfolded, user_blocks
from app.chat.prose import read_markdown
from app.core.session.records import Turn


def turn_blocks(turn: Turn) -> Sequence[Block]:
    """The parts that the widget of a turn shows. Errors have none."""
    if turn.role == "error":
        return []
    return split(turn.text.lstrip()) if turn.is_answer else user_blocks(unfolded(turn.text))


def block_text(block: Block, *, markdown: bool) -> str:
    """The displayed text of a part, with line feeds between its lines."""
    if not markdown or not isinstance(block, Prose):
        return block.text
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    formulas = read_markdown(document, block.text)
    return restored(document.toPlainText(), formulas)
