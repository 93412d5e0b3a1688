"""Finds nodes on the canvas: a search in slices between frames, marked and walked through."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

from app.cache.canvas import TreeCanvas
from app.cache.search import HINT, Misread, Query, parse, search
from app.chat.find_bar import FindBar
from app.debug.state import DebugState
from app.widgets import label
from app.words.node_link import follow, read_link
from app.words.tr import tr
from engine.snapshot import CacheSnapshot
from engine.trace.node_tokens import NodeTokens

# A part of a frame.
_SLICE_S = 0.006
# A growing tree is searched again this often.
_AGAIN_MS = 400


class TreeFinding(QObject):
    """Attributes:
    bar: where the query is written; hidden while nothing is looked for.
    note: what is wrong with the query, below the bar.
    hits: ids of the nodes found so far, by position.
    """

    def __init__(self, canvas: TreeCanvas, state: DebugState, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas, self._state = canvas, state
        self._tokens: NodeTokens | None = None
        self.bar = FindBar()
        self.bar.field.setPlaceholderText(HINT)
        self.bar.field.setAccessibleName(tr("Find in the tree"))
        self.bar.changed.connect(lambda _: self._begin(jump=True))
        self.bar.stepped.connect(self.step)
        self.bar.closed.connect(self.close)
        self.bar.hide()
        self.note = label("", "faint")
        self.note.hide()
        self.hits: list[int] = []
        self._at = 0
        self._jump = False
        self._steps: Iterator[int | None] = iter(())
        self._found: list[int] = []
        self._slice = QTimer(self)
        self._slice.setInterval(0)
        self._slice.timeout.connect(self._go_on)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(lambda: self._begin(jump=False))

    def go_to(self, link: str) -> None:
        """Go where a link leads; "" asks for one."""
        self.bar.show()
        self.bar.field.setText(link)
        self.bar.field.setFocus()
        self._begin(jump=True)

    def open(self) -> None:
        self.bar.show()
        self.bar.field.setFocus()
        self.bar.field.selectAll()
        self._begin(jump=False)

    def close(self) -> None:
        self.bar.hide()
        self.note.hide()
        self._stop()
        self._show([])
        self._canvas.setFocus()

    def forget(self) -> None:
        """There is another source."""
        self._stop()
        self._tokens = None
        self._show([])

    def follow(self) -> None:
        """The snapshot has changed."""
        if self.bar.isVisible() and self.bar.field.text() and not self._slice.isActive():
            self._again.start()

    def step(self, forward: bool) -> None:
        """Select the next hit, or the one before."""
        if self.hits:
            self._at = (self._at + (1 if forward else -1)) % len(self.hits)
            self._canvas.reveal(self.hits[self._at])
            self.bar.show_count(self._at, len(self.hits))

    def _begin(self, *, jump: bool) -> None:
        self._stop()
        snapshot = self._canvas.model.snapshot
        if read_link(self.bar.field.text()) is not None:
            self._jump, self._found = jump, []
            self._steps = self._lead(self.bar.field.text(), snapshot)
            self._slice.start()
            return
        asked = parse(self.bar.field.text())
        problem = asked.sentence if isinstance(asked, Misread) else ""
        self.note.setText(problem)
        self.note.setVisible(bool(problem))
        if asked is None or isinstance(asked, Misread) or snapshot is None:
            self._show([])
            return
        self._jump, self._found = jump, []
        self._steps = self._search(asked, snapshot)
        self._slice.start()

    def _search(self, asked: Query, snapshot: CacheSnapshot) -> Iterator[int | None]:
        yield from self._learn()
        if self._tokens is not None:
            tape = self._tokens.tape
            yield from search(asked, snapshot, self._tokens.of, lambda ids: tape.text(ids.tolist()))

    def _lead(self, link: str, snapshot: CacheSnapshot | None) -> Iterator[int | None]:
        """Find where a link leads."""
        yield from self._learn()
        target = follow(link, snapshot, None if self._tokens is None else self._tokens.of)
        self.note.setText(target.sentence)
        self.note.show()
        yield target.node

    def _learn(self) -> Iterator[None]:
        """Learn the tokens that came since the last search."""
        source = self._state.source
        if source is None:
            return
        if self._tokens is None or self._tokens.tape is not source.tape:
            self._tokens = NodeTokens(source.tape)
        yield from self._tokens.follow()

    def _go_on(self) -> None:
        ends = perf_counter() + _SLICE_S
        for hit in self._steps:
            if hit is not None:
                self._found.append(hit)
            if perf_counter() > ends:
                return
        self._slice.stop()
        self._show(self._found)
        if self._jump and self.hits:
            self._canvas.reveal(self.hits[0])

    def _show(self, hits: list[int]) -> None:
        chosen = self._canvas.selected
        self.hits = hits
        self._at = hits.index(chosen) if chosen in hits and not self._jump else 0
        self._canvas.show_found(frozenset(hits))
        self.bar.show_count(self._at, len(hits))

    def _stop(self) -> None:
        self._slice.stop()
        self._again.stop()
        self._steps = iter(())
