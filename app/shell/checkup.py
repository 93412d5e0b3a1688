"""Help > Check this computer, and Help > Check for a newer version."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QProgressBar,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core import newer
from app.core.bridge import Bridge
from app.core.checks.finding import Finding, worst
from app.core.own_program import own_command, own_environment
from app.core.words.joining import titled
from app.core.words.tr import tr
from app.shell.findings import quick_findings
from app.shell.problems import Problem, Problems
from app.ui import theme
from app.ui.child import Child
from app.ui.export.behind import Behind
from app.ui.icons import pixmap
from app.ui.menus.menus import Menus
from app.ui.widgets import label, set_tip, show_share

CHECKUP = "checkup"
# The id of the notice's button.
_PAGE = "releases"
# The start has better things to do; nobody has read the first page by then.
_LATER_MS = 4000
_MARKS = {
    "ok": ("check", "good", tr("in order")),
    "note": ("warning", "dim", tr("works, with less than is possible")),
    "problem": ("warning", "danger", tr("does not work")),
}
# Reported at a start by whoever needs them, in words that fit better.
_TOLD_ELSEWHERE = ("folder.conversations", "folder.log", "display")
_SIZE = 620, 560
_MARK_PX = 16


class CheckDialog(QDialog):
    """Lists findings, and runs the deep checks in a process of its own when asked.

    Attributes:
        child: the process.
        rows: the findings shown.
        deeper, copy: the buttons.
        said: what is being looked at now, or how it ended.
    """

    def __init__(self, parent: QWidget, argv: Sequence[str] | None = None) -> None:
        """argv: the command of the deep checks; tests pass others."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Check this computer"))
        self._argv = list(argv) if argv is not None else own_command("check", "--all", "--json")
        self.child = Child(self)
        self.child.told.connect(self._progressed)
        self.child.ended.connect(self._ended)
        self.child.unstarted.connect(self._failed)
        self.rows: list[Finding] = []
        self._list = QWidget()
        self._grid = QGridLayout(self._list)
        self._grid.setContentsMargins(16, 12, 16, 12)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(14)
        self._grid.setColumnStretch(1, 1)
        self.area = QScrollArea()
        self.area.setObjectName("ringed")
        self.area.setAccessibleName(tr("What was found"))
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self._list)
        self.area.viewport().setAutoFillBackground(False)
        self._list.setAutoFillBackground(False)
        self.said = label(tr("Looking…"), "dim", wrap=True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        action = QDialogButtonBox.ButtonRole.ActionRole
        self.deeper = buttons.addButton(tr("Look deeper"), action)
        set_tip(
            self.deeper,
            tr(
                "Also runs the kernels, the bundled model, its cache, the server and a window; "
                "takes about a minute"
            ),
        )
        self.copy = buttons.addButton(tr("Copy"), action)
        self.deeper.clicked.connect(self.look_deeper)
        self.copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.said)
        column.addWidget(self._bar)
        column.addWidget(self.area, 1)
        column.addWidget(buttons)
        self.resize(*_SIZE)
        self.deeper.setFocus()

    def show_findings(self, found: Sequence[Finding]) -> None:
        """List them, the gravest first, and what took long before what did not."""
        order = ("problem", "note", "ok")
        self.rows = sorted(found, key=lambda one: (order.index(one.level), one.seconds is None))
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for at, one in enumerate(self.rows):
            self._grid.addWidget(_mark(one), at, 0, Qt.AlignmentFlag.AlignTop)
            text = QVBoxLayout()
            text.setSpacing(2)
            text.addWidget(label(one.title, "strong"))
            text.addWidget(label(one.text, "dim", wrap=True, selectable=True))
            place = QWidget()
            place.setLayout(text)
            text.setContentsMargins(0, 0, 0, 0)
            self._grid.addWidget(place, at, 1)
        self._grid.setRowStretch(len(self.rows), 1)
        self.said.setText(summary(self.rows))

    def look_deeper(self) -> None:
        """Run everything in another process, so that a crash there is a finding here."""
        if self.child.running:
            return
        self.deeper.setEnabled(False)
        self._bar.show()
        show_share(self._bar, None)
        self.child.start(self._argv, own_environment())
        self.said.setText(tr("Starting…"))

    def done(self, result: int) -> None:
        """Also ends what is still running."""
        self.child.stop()
        super().done(result)

    def _progressed(self) -> None:
        text = self.child.errors.decode(errors="replace")
        told = [line for line in text.splitlines() if line.startswith("… ")]
        if told:
            self.said.setText(f"{told[-1].removeprefix('… ')}…")

    def _ended(self, code: int) -> None:
        self._rest()
        found = read_findings(self.child.output)
        if found is None:
            self._give_up(tr("The check ended without a report (code {code}).").format(code=code))
        else:
            self.show_findings(found)

    def _failed(self) -> None:
        self._rest()
        self._give_up(tr("The check could not be started."))

    def _give_up(self, sentence: str) -> None:
        title = tr("Deeper look")
        kept = [one for one in self.rows if one.id != CHECKUP]
        self.show_findings([*kept, Finding(CHECKUP, title, "problem", sentence)])

    def _rest(self) -> None:
        self._bar.hide()
        self.deeper.setEnabled(True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self.rows))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._list.setMaximumWidth(self.area.viewport().width())


class CheckupController(QObject):
    """Looks once after the start, and whenever the user asks; asks the network only then.

    Attributes:
        dialog: the last one opened; None before.
        found: by the last look.
    """

    def __init__(self, bridge: Bridge, menus: Menus, problems: Problems, window: QWidget) -> None:
        super().__init__(window)
        self._bridge, self._window, self._problems = bridge, window, problems
        self._behind = Behind(self, bridge.notify)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: self._behind.run(quick_findings, self._at_start))
        self.dialog: CheckDialog | None = None
        self.found: list[Finding] = []
        menus.checkup.triggered.connect(self.open)
        menus.newer.triggered.connect(self.ask_for_newer)
        problems.chosen.connect(self._choose)

    def look_later(self) -> None:
        """Look once the start is over, and say something only if something is wrong."""
        self._timer.start(_LATER_MS)

    def open(self) -> None:
        """Show the findings of a new look."""
        dialog = self.dialog = CheckDialog(self._window)
        dialog.destroyed.connect(self._closed)
        dialog.open()
        self._behind.run(quick_findings, self._show)

    def ask_for_newer(self) -> None:
        """Ask whether there is a newer version, and say what came of it."""
        self._bridge.notify(tr("Asking for a newer version…"))
        self._behind.run(newer.ask, self._tell_of_newer)

    def take_offer(self, offer: str) -> None:
        """Open the page of releases, if that is what a notice offered."""
        if offer == _PAGE and not QDesktopServices.openUrl(QUrl(newer.PAGE)):
            self._bridge.notify(tr("It is at {page}.").format(page=newer.PAGE))

    def wait(self) -> None:
        """Wait until nothing is being looked at."""
        self._timer.stop()
        self._behind.wait()

    def _show(self, found: object) -> None:
        assert isinstance(found, list)
        self.found = found
        if self.dialog is not None:
            self.dialog.show_findings(found)

    def _closed(self) -> None:
        self.dialog = None

    def _tell_of_newer(self, found: object) -> None:
        assert isinstance(found, newer.Answer)
        offers = [(_PAGE, tr("Show it"))] if found.newer else []
        self._bridge.notify(found.sentence, *offers)

    def _at_start(self, found: object) -> None:
        assert isinstance(found, list)
        self.found = found
        wrong = [one for one in found if one.level == "problem" and one.id not in _TOLD_ELSEWHERE]
        if wrong:
            offers = ((CHECKUP, tr("Show everything")),)
            title = titled(tr("Something is wrong with this computer"), wrong[0].title)
            self._problems.report(Problem(CHECKUP, title, wrong[0].text, offers))

    def _choose(self, _problem: Problem, offer: str) -> None:
        if offer == CHECKUP:
            self.open()


def summary(found: Sequence[Finding]) -> str:
    """What the findings amount to."""
    level = worst(list(found))
    if level == "problem":
        return tr("Something does not work. What to do is said with each.")
    if level == "note":
        return tr("Everything works; some of it could be better.")
    return tr("Everything is in order.")


def as_text(found: Sequence[Finding]) -> str:
    """All findings as lines to show somebody."""
    return "".join(f"{one.level:<8}{one.title}: {one.text}\n" for one in found)


def read_findings(output: bytes) -> list[Finding] | None:
    """The findings that `biplane check --json` printed; None if that is no report."""
    try:
        raw: Any = json.loads(output)["findings"]
        return msgspec.convert(raw, list[Finding])
    except (ValueError, KeyError, TypeError, msgspec.ValidationError):
        return None


def _mark(one: Finding) -> QLabel:
    name, token, meaning = _MARKS[one.level]
    mark = QLabel()
    colour = theme.current().colours[token]
    mark.setPixmap(pixmap(name, colour, _MARK_PX))
    mark.setAccessibleName(titled(one.title, meaning))
    mark.setToolTip(meaning)
    return mark
