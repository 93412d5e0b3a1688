"""The right side of the Models window: a model, what it needs, and the actions on it."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.words import format as fmt
from app.core.words.download_words import progress_line
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.models.logic.rows import (
    kind_text,
    licence_text,
    size_text,
)
from app.models.logic.shelf import Shown
from app.models.needs_part import NeedsPart, Section
from app.ui.widgets import CheckBox, CopyButton, EscapeField, FlowRow, add_middle, label
from engine.hub.failures import HubError
from engine.hub.manifest import Manifest

_WIDEST_PX, _STEPS = 860, 1000
_SHOWN = 16
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_FIELD_PX, _FIELD_TALL_PX = 260, 32


class Trouble(QFrame):
    """Shown if a download has a problem.

    Attributes:
        sentence: the problem, and what to do.
        again: retries. page: opens the repository's page in a browser.
        token: a field for a token; keep: whether to save it in the keyring; use: retries with it.

    Signals:
        retried: retry.
        page_wanted: open the repository's page, to accept its licence.
        token_given(str, bool): a token, and whether to save it.
    """

    retried = Signal()
    page_wanted = Signal()
    token_given = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("errorCard")
        self.sentence = label("", wrap=True, selectable=True)
        self.again = QPushButton(tr("Try again"))
        self.again.setAutoDefault(False)
        self.again.clicked.connect(self.retried)
        self.page = QPushButton(tr("Open its page"))
        self.page.setAutoDefault(False)
        self.page.clicked.connect(self.page_wanted)
        self.token = EscapeField()
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.token.setPlaceholderText(tr("Token, as in hf_…"))
        self.token.setAccessibleName(tr("Token for Hugging Face"))
        self.token.setMinimumSize(_FIELD_PX, _FIELD_TALL_PX)
        self.token.returnPressed.connect(self._use)
        self.keep = CheckBox(tr("Keep it in the system's keyring"))
        self.use = QPushButton(tr("Use this token"))
        self.use.setProperty("kind", "primary")
        self.use.setAutoDefault(False)
        self.use.clicked.connect(self._use)
        self._line = QWidget()
        lines = QVBoxLayout(self._line)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(8)
        field = QHBoxLayout()
        field.setSpacing(8)
        field.addWidget(self.token)
        field.addWidget(self.use)
        field.addStretch(1)
        lines.addLayout(field)
        lines.addWidget(self.keep)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.again)
        buttons.addWidget(self.page)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(10)
        column.addWidget(self.sentence)
        column.addWidget(self._line)
        column.addLayout(buttons)
        self.hide()

    def show_problem(self, problem: HubError | None, *, can_keep: bool) -> None:
        """can_keep: whether a keyring is available."""
        self.setVisible(problem is not None)
        if problem is None:
            self.token.clear()
            return
        self.sentence.setText(said(str(problem)))
        asks = problem.kind in ("gated", "token")
        self._line.setVisible(asks)
        self.keep.setVisible(can_keep)
        self.page.setVisible(problem.kind == "gated")
        self.again.setVisible(problem.kind not in ("refused", "unsuitable"))

    def _use(self) -> None:
        text = self.token.text().strip()
        if text:
            self.token_given.emit(text, self.keep.isChecked() and not self.keep.isHidden())
            self.token.clear()


class FileList(QWidget):
    """One line per file.

    Attributes:
        copies: a button per file, which copies the full checksum.
    """

    def __init__(self) -> None:
        super().__init__()
        self.copies: list[CopyButton] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(2)
        self._shown: tuple[Manifest | None, frozenset[str]] = (None, frozenset())

    def show_files(self, manifest: Manifest, verified: Collection[str]) -> None:
        """verified: names of the files whose checksums match."""
        wanted = (manifest, frozenset(verified))
        if wanted == self._shown:
            return
        self._shown = wanted
        while (item := self._grid.takeAt(0)) is not None:
            if part := item.widget():
                part.hide()
                part.deleteLater()
        self.copies = []
        for at, file in enumerate(manifest.files):
            whole = file.name in verified
            name = label(file.name, "faint")
            size = label(fmt.byte_size(file.size), "figures")
            size.setAlignment(_RIGHT)
            kind = "sha256" if file.sha256 else "sha1"
            digest = label(f"{kind} {file.digest[:_SHOWN]}…", "figures")
            digest.setToolTip(file.digest)
            digest.setAccessibleName(f"{kind} {file.digest}")
            state = label(tr("verified") if whole else "", "figuresGood")
            copy = CopyButton(
                partial(str, file.digest),
                tr("Copy checksum of {name}").format(name=file.name),
            )
            self.copies.append(copy)
            for column, part in enumerate((name, size, digest, copy, state)):
                self._grid.addWidget(part, at, column)
        self._grid.setColumnStretch(5, 1)


class Detail(QScrollArea):
    """Shows one model.

    Attributes:
        download, pause, resume, cancel, open, look, remove: the buttons; only the applicable ones
            are visible.
        sure, keep: confirm or cancel removing.
        trouble: the card of a problem.
        needs: the memory it needs, and the formats to open it in.

    Signals:
        wanted(str): an action by name: "download", "pause", "cancel", "open", "look", "trash",
            "page", "measure".
        token_given(str, bool): as in `Trouble`.
    """

    wanted = Signal(str)
    token_given = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ringed")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.shown: Shown | None = None
        self.name = label("", "headline")
        self.name.setWordWrap(True)
        self.source = label("", "figures", wrap=True, selectable=True)
        self.about = label("", "dim", wrap=True)
        self.line = label("", "dim", wrap=True)
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Download"))
        self.download = self._button(tr("Download"), "download", primary=True)
        self.resume = self._button(tr("Resume"), "download", primary=True)
        self.pause = self._button(tr("Pause"), "pause")
        self.cancel = self._button(tr("Cancel download"), "cancel")
        self.open = self._button(tr("Open"), "open", primary=True)
        self.look = self._button(tr("Show files"), "look")
        self.remove = QPushButton(tr("Remove…"))
        self.remove.setAutoDefault(False)
        self.remove.clicked.connect(self._ask_to_remove)
        self.sure = self._button(tr("Move to the trash"), "trash", primary=True)
        self.keep = QPushButton(tr("Keep it"))
        self.keep.setAutoDefault(False)
        self.keep.clicked.connect(lambda: self._confirm(False))
        self.trouble = Trouble()
        self.trouble.retried.connect(lambda: self.wanted.emit("download"))
        self.trouble.page_wanted.connect(lambda: self.wanted.emit("page"))
        self.trouble.token_given.connect(self.token_given)
        self.needs = NeedsPart()
        self.needs.measure_wanted.connect(lambda: self.wanted.emit("measure"))
        self.files = FileList()
        self._build()

    def show_model(self, shown: Shown) -> None:
        """Show a model, with its current state."""
        before, self.shown = self.shown, shown
        focused = self.window().focusWidget()
        entry, progress = shown.entry, shown.progress
        problem = shown.problem or (None if progress is None else progress.problem)
        if entry.problem:
            problem = HubError("refused", entry.problem)
        self.trouble.show_problem(problem, can_keep=shown.can_keep)
        if before is None or before.entry.key != entry.key:
            self._confirm(False)
            self.trouble.token.clear()
            self.verticalScrollBar().setValue(0)
        self.name.setText(entry.name)
        self.source.setText(entry.repo or str(entry.folder or ""))
        where = [kind_text(entry, is_open=shown.is_open), size_text(entry, shown.needs)]
        if entry.repo:
            where.append(tr("licence: {name}").format(name=licence_text(entry.licence)))
        self.about.setText(" · ".join(part for part in where if part))
        running = progress is not None and not progress.over
        begun = entry.kind == "begun" and not running
        self.line.setText(self._line_text(shown))
        self.line.setVisible(bool(self.line.text()))
        share = self._share(shown)
        self.bar.setVisible(share is not None)
        self.bar.setValue(round((share or 0) * _STEPS))
        offered = entry.kind in ("known", "found", "match") and not running
        # A problem's card has its own button to continue.
        able = problem is None or self.trouble.again.isHidden()
        self.download.setVisible(offered and able)
        self.resume.setVisible(begun and able)
        self.pause.setVisible(running)
        self.cancel.setVisible(running or begun)
        self.open.setVisible(entry.here and not entry.problem and not shown.is_open)
        self.look.setVisible(offered and entry.manifest is None)
        self.remove.setVisible(entry.kind == "downloaded")
        self.remove.setEnabled(not shown.is_open)
        self.remove.setToolTip(
            tr("Open another model first: this one is in use.") if shown.is_open else ""
        )
        self._row.arrange()
        self.needs.show_model(shown)
        self._unknown.setVisible(shown.needs is None and shown.problem is None)
        manifest = entry.manifest
        self._files_part.setVisible(manifest is not None)
        if manifest is not None:
            whole = {file.name for file in manifest.files} if entry.here else set()
            done = set(progress.verified) if progress is not None else set()
            self.files.show_files(manifest, whole | done)
        # The focus moves to the button that replaces the focused one.
        if focused is not None and self.isAncestorOf(focused) and not focused.isVisibleTo(self):
            self.focus_first()

    def focus_first(self) -> None:
        """Focus the first available action."""
        for button in self._buttons:
            if not button.isHidden() and button.isEnabled():
                button.setFocus()
                return

    @staticmethod
    def _line_text(shown: Shown) -> str:
        if shown.progress is not None and shown.progress.phase not in ("done", "cancelled"):
            return progress_line(shown.progress)
        entry = shown.entry
        if entry.kind == "begun" and entry.manifest is not None:
            done, total = fmt.byte_size(entry.done_bytes), fmt.byte_size(entry.manifest.bytes)
            return tr("{done} of {total} are here; the rest is still to be fetched.").format(
                done=done, total=total
            )
        about = entry.about[:1].upper() + entry.about[1:]
        return tr("{about}.").format(about=about) if about else ""

    @staticmethod
    def _share(shown: Shown) -> float | None:
        progress, entry = shown.progress, shown.entry
        if progress is not None and not entry.here and progress.phase != "cancelled":
            return progress.done_bytes / max(progress.total_bytes, 1)
        if entry.kind == "begun" and entry.manifest is not None:
            return entry.done_bytes / max(entry.manifest.bytes, 1)
        return None

    def _ask_to_remove(self) -> None:
        if self.shown is not None:
            size = self.shown.entry.manifest
            self._question.setText(
                tr(
                    "Move {name} to the trash? It takes {size}; to use it again it has to be "
                    "downloaded again, or brought back from the trash."
                ).format(
                    name=self.shown.entry.name,
                    size=fmt.byte_size(0 if size is None else size.bytes),
                )
            )
            self._confirm(True)
            self.keep.setFocus()

    def _confirm(self, on: bool) -> None:
        if not on and self._card.isVisible():
            self.remove.setFocus()
        self._card.setVisible(on)

    def _button(self, text: str, action: str, *, primary: bool = False) -> QPushButton:
        made = QPushButton(text)
        if primary:
            made.setProperty("kind", "primary")
        # Return triggers the focused widget.
        made.setAutoDefault(False)
        made.clicked.connect(lambda: self.wanted.emit(action))
        return made

    def _build(self) -> None:
        self._buttons = (
            *(self.download, self.open, self.resume, self.pause),
            *(self.look, self.cancel, self.remove),
        )
        self._row = FlowRow(8, line_gap=8)
        for button in self._buttons:
            self._row.add(button)
        self._card = QFrame()
        self._card.setObjectName("card")
        self._question = label("", wrap=True)
        asked = QVBoxLayout(self._card)
        asked.setContentsMargins(16, 12, 16, 12)
        asked.setSpacing(10)
        asked.addWidget(self._question)
        answers = QHBoxLayout()
        answers.setSpacing(8)
        answers.addWidget(self.sure)
        answers.addWidget(self.keep)
        answers.addStretch(1)
        asked.addLayout(answers)
        self._card.hide()
        head = QVBoxLayout()
        head.setSpacing(4)
        for line in (self.name, self.source, self.about):
            head.addWidget(line)
        self._unknown = label(tr("How much memory it needs is being found out…"), "dim")
        self._files_part = Section(tr("FILES"), self.files)
        inner = QWidget()
        inner.setMaximumWidth(_WIDEST_PX)
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 20, 24, 24)
        column.setSpacing(16)
        column.addLayout(head)
        column.addWidget(self.line)
        column.addWidget(self.bar)
        column.addWidget(self._row)
        for part in (self._card, self.trouble, self._unknown, self.needs, self._files_part):
            column.addWidget(part)
        column.addStretch(1)
        outer = QWidget()
        outer.setObjectName("column")
        row = QHBoxLayout(outer)
        row.setContentsMargins(0, 0, 0, 0)
        add_middle(row, inner)
        self.setWidget(outer)
        self.viewport().setAutoFillBackground(False)
