"""The report of a crash, whole: what one might send to somebody, and nothing is sent from here."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.widgets import label
from app.words.tr import tr

_SIZE = 720, 480


class CrashDialog(QDialog):
    """Shows a report and copies it.

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
        # Tab goes on to the buttons.
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
