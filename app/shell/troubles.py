"""Connects failures to the cards that report them, and the cards' buttons to their actions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.core.bridge import Bridge
from app.core.diagnostics import diagnostics
from app.core.log import Log
from app.core.words.joining import in_turn
from app.core.words.tr import tr
from app.shell.problems import Problem
from app.shell.window import MainWindow
from app.ui import theme
from app.ui.widgets import label


def show_log(log: Log, say: Callable[[str], None]) -> None:
    """Open the log, or its folder, with the desktop's program; else `say` its path."""
    if log.problem:
        say(log.problem)
        return
    for path in (log.path, log.path.parent):
        if QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            return
    say(tr("The log is {path}; no program on this desktop opens it.").format(path=log.path))


DIAGNOSTICS, LOG, REPORT, IMPORT, EXPORT, TRACE = (
    "diagnostics",
    "log",
    "report",
    "import",
    "export",
    "trace",
)
_SIZE = 720, 480


class CrashDialog(QDialog):
    """Shows a crash report, and copies it.

    Attributes:
        text: the report.
        buttons: Copy and Close.
    """

    def __init__(self, parent: QWidget, report: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Report of the last run"))
        self.text = QPlainTextEdit(report)
        self.text.setReadOnly(True)
        self.text.setProperty("kind", "field")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(tr("Report of the last run"))
        # Tab moves on to the buttons.
        self.text.setTabChangesFocus(True)
        about = label(
            tr(
                "This is all that is known about it. It holds no text of your chats, and Biplane "
                "sends it nowhere: copy it if you want to show it to somebody."
            ),
            "dim",
            wrap=True,
        )
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = self.buttons.addButton(tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        column.addWidget(about)
        column.addWidget(self.text, 1)
        column.addWidget(self.buttons)
        self.resize(*_SIZE)


class Troubles(QObject):
    """Reports failures. It needs the log, so the program creates it, not the window."""

    def __init__(self, window: MainWindow, bridge: Bridge, log: Log) -> None:
        super().__init__(window)
        self._window, self._bridge, self._log = window, bridge, log
        menus = window.menus
        self._acts: dict[str, Callable[[], object]] = {
            DIAGNOSTICS: self.copy,
            LOG: lambda: show_log(log, bridge.notify),
            REPORT: self._show_report,
            IMPORT: menus.import_.trigger,
            EXPORT: menus.export.trigger,
            TRACE: menus.open_trace.trigger,
        }
        window.problems.chosen.connect(self._act)
        menus.log.triggered.connect(self._acts[LOG])
        menus.diagnostics.triggered.connect(self.copy)
        window.card.diagnosed.connect(self.copy)
        window.traces.failed.connect(self._trace)
        if log.crash:
            self._offer_report()

    def copy(self) -> None:
        """Put the diagnostics on the clipboard."""
        screen = self._window.screen()
        desktop = {
            "Display": f"{QGuiApplication.platformName()}, {screen.size().width()}x"
            f"{screen.size().height()} at {screen.devicePixelRatio():g}",
            "Theme": theme.keeper().mode,
        }
        found = self._window.checkup.found
        text = diagnostics(self._bridge.session, self._window.book, self._log, desktop, found)
        QGuiApplication.clipboard().setText(text)
        self._bridge.notify(
            tr("Diagnostics copied: {count} lines, without text of your chats.").format(
                count=len(text.splitlines())
            )
        )

    def unexpected(self, sentence: str) -> None:
        """Report an uncaught error."""
        self._window.problems.report(
            Problem(
                "unexpected",
                tr("Something went wrong"),
                sentence,
                ((DIAGNOSTICS, tr("Copy diagnostics")), (LOG, tr("Show log"))),
            )
        )

    def store(self, sentence: str) -> None:
        """Report that conversations cannot be read or saved."""
        self._window.problems.report(
            Problem(
                "store",
                tr("There is a problem with your conversations"),
                sentence,
                ((DIAGNOSTICS, tr("Copy diagnostics")), (LOG, tr("Show log"))),
            )
        )

    def _trace(self, sentence: str) -> None:
        again = ((TRACE, tr("Choose another file…")),)
        title = tr("The trace could not be opened")
        self._window.problems.report(Problem(TRACE, title, sentence, again))

    def _offer_report(self) -> None:
        self._window.problems.report(
            Problem(
                "crash",
                tr("Biplane ended unexpectedly"),
                in_turn(
                    self._log.lost,
                    tr("There is a report of it on this computer; nothing is sent anywhere."),
                ),
                ((REPORT, tr("Show report")), (LOG, tr("Show log"))),
            )
        )

    def _show_report(self) -> None:
        dialog = CrashDialog(self._window, self._log.crash)
        dialog.open()

    def _act(self, _problem: Problem, offer: str) -> None:
        act = self._acts.get(offer)
        if act is not None:
            act()
        if offer != REPORT:
            self._window.chat.composer.focus()
