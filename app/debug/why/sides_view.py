"""Both texts side by side, token by token, around the place where they part."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.debug.why.token_flow import TokenFlow, spoken
from app.widgets import CopyButton, label
from app.words import format as fmt
from app.words.tr import tr
from engine.trace.why.divergence import Sides
from engine.trace.why.evidence import Evidence

_GAP_PX = 10


class SidesView(QWidget):
    """The other request's text and the prompt's; what differs is underlined.

    Attributes:
        cached, prompt: the two texts.
        note: where they are, and where they are the same again.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides: Sides | None = None
        self._heads = (label("", "faint", wrap=True), label(tr("This prompt"), "faint"))
        self.cached, self.prompt = (
            TokenFlow(tr("Text in the cache")),
            TokenFlow(tr("Text of this prompt")),
        )
        self.note = label("", "dim", wrap=True)
        copy = CopyButton(self._text, tr("Copy both texts"))
        both = QHBoxLayout()
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(_GAP_PX)
        self._columns = QWidget()
        self._columns.setLayout(both)
        for head, flow in zip(self._heads, (self.cached, self.prompt), strict=True):
            side = QVBoxLayout()
            side.setSpacing(4)
            side.addWidget(head)
            side.addWidget(flow)
            side.addStretch(1)
            both.addLayout(side, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 0)
        foot.addWidget(self.note, 1)
        foot.addWidget(copy, alignment=Qt.AlignmentFlag.AlignTop)
        self._copy = copy
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._columns)
        column.addLayout(foot)

    def show_sides(self, evidence: Evidence) -> None:
        sides = self._sides = evidence.sides
        known = sides is not None and sides.known
        self._columns.setVisible(known)
        self._copy.setVisible(known)
        if sides is None:
            return
        other = 0 if evidence.nearest is None else evidence.nearest + 1
        head = (
            tr("Request {other}, its answer")
            if evidence.in_answer
            else tr("Request {other}, its prompt")
        )
        self._heads[0].setText(head.format(other=other))
        self.cached.show_tokens(sides.cached if known else ())
        self.prompt.show_tokens(sides.prompt if known else ())
        self.note.setText(_note(sides, other))

    def _text(self) -> str:
        if self._sides is None:
            return ""
        return tr("In the cache:\n{cached}\n\nThis prompt:\n").format(
            cached=spoken(self._sides.cached)
        ) + spoken(self._sides.prompt)


def _note(sides: Sides, other: int) -> str:
    at = tr("The prompt and request {other} part at token {at}.").format(
        other=other, at=fmt.count(sides.at)
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
