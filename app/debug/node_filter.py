"""The button that narrows a list of events to the chosen node."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from app.cache.event_lines import EventLines, small_button
from app.debug.state import DebugState
from app.words.tr import tr

_HINT = tr("Only the lines of the chosen node; once more for all (type node: and its number)")


class NodeFilter:
    """Writes the node into the list's filter, where it can be read, changed and cleared.

    Attributes:
        button: it stands below the lines.
    """

    def __init__(self, lines: EventLines, state: DebugState) -> None:
        self._lines, self._state = lines, state
        self.button: QPushButton = small_button(tr("This node"), _HINT)
        self.button.setAccessibleName(tr("Only the lines of the chosen node"))
        self.button.clicked.connect(self._narrow)
        lines.foot.addWidget(self.button)
        state.chosen_changed.connect(self._enable)
        self._enable()

    def _narrow(self) -> None:
        wanted = f"node:{self._state.chosen.node}"
        self._lines.filter.setText("" if self._lines.filter.text() == wanted else wanted)
        self._enable()

    def _enable(self) -> None:
        narrowed = self._lines.filter.text().startswith("node:")
        self.button.setEnabled(self._state.chosen.node is not None or narrowed)
