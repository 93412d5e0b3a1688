"""View > Models: what is here and on the hub; opening, downloading, measuring, removing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app import theme
from app.bridge import Bridge
from app.commands.options import demo_model_dir
from app.models.asker import Answer, Asker
from app.models.downloads import Downloads
from app.models.family import FAMILY
from app.models.lookup import as_problem, look_up, needs_of_folder_here, needs_of_sizes
from app.models.rows import Row, rows_of_list
from app.models.shelf import Entry, shelf
from app.models.shown import Shown
from app.models.window import ModelsWindow
from app.session import changes as ch
from app.session.records import EnginePhase
from app.shell.measuring import Measuring
from app.shell.menus import Menus
from app.shell.recent_menu import RecentMenu
from app.store.downloads import downloads, endpoint
from app.store.machine_speed import kept_speed
from app.trash import to_trash
from app.words.engine_words import said
from app.words.tr import tr
from engine.hub.download import Progress
from engine.hub.failures import HubError
from engine.hub.library import Library
from engine.hub.manifest import Manifest
from engine.hub.names import repo_id
from engine.hub.token import can_store, store_token
from engine.machine_speed import MachineSpeed

if TYPE_CHECKING:
    from engine.model.needs import ModelNeeds

_FRAME_MS, _END_S = 100, 3.0
_CAN_KEEP, _LOOKED, _NEEDS, _TRASH = "can keep", "looked ", "needs ", "trash "


class Models(QObject):
    """Owns the window, of which there is at most one, and the downloads, which outlive it.

    Attributes:
        window: None while it is closed.
        downloads: of this run.
        measuring: how fast this machine is.
        measures: it may be measured without being asked for.
    """

    def __init__(
        self,
        bridge: Bridge,
        menus: Menus,
        recent: RecentMenu,
        parent: QWidget,
        library: Callable[[], Library] = downloads,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._session, self._parent = bridge, bridge.session, parent
        self._menus, self._recent, self._library = menus, recent, library
        self.window: ModelsWindow | None = None
        self.downloads = Downloads(library)
        self.measuring = Measuring(self)
        self.measures = False
        self._asker = Asker()
        self._entries: tuple[Entry, ...] = ()
        self._chosen = ""
        self._found: dict[str, Manifest] = {}
        self._known: dict[str, ModelNeeds] = {}
        self._problems: dict[str, HubError] = {}
        self._speed: MachineSpeed | None = None
        self._can_keep: bool | None = None
        self._asked = ""
        self._phase = self._session.engine.phase
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self.take)
        self.measuring.changed.connect(self._measured)
        menus.models.triggered.connect(self.open)
        bridge.changed.connect(self._changed)
        theme.keeper().changed.connect(self._restyle)

    def open(self) -> None:
        """Open the window, or bring it to the front; it blocks nothing."""
        if self.window is None:
            window = self.window = ModelsWindow(self._parent)
            window.finished.connect(self._forget)
            window.picked.connect(self.choose)
            window.sought.connect(self._seek)
            window.folder_wanted.connect(self._choose_folder)
            window.detail.wanted.connect(self.act)
            window.detail.token_given.connect(self._take_token)
            if self._can_keep is None:
                self._asker.ask(_CAN_KEEP, can_store)
            self._speed = kept_speed()
            if self._speed is None and self.measures:
                self.measuring.want()
            self._known.clear()
            self._problems.clear()
            self.refresh()
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def refresh(self, *, again: bool = False) -> None:
        """Look again at what is here; `again` also at what is known to fit."""
        library = self._library()
        self._entries = shelf(
            demo_model_dir(),
            self._recent.folders,
            library.downloaded(),
            library.unfinished(),
            self._found,
        )
        if not any(entry.key == self._chosen for entry in self._entries):
            self._chosen = self._first()
        for entry in self._entries:
            if again or entry.key not in self._known:
                self._ask_needs(entry)
        self._show()

    def take(self) -> None:
        """One frame: what was answered, and how far the downloads are."""
        for answer in self._asker.take():
            self._take_answer(answer)
        for repo, progress in self.downloads.take_ended().items():
            self._ended(repo, progress)
        if not self._asker.busy and not self.running:
            self._timer.stop()
        self._show()

    @property
    def running(self) -> bool:
        """Whether anything is being downloaded."""
        return self.downloads.running

    @property
    def busy(self) -> bool:
        """Whether something is still to be found out."""
        return self._asker.busy

    def act(self, action: str) -> None:
        """Do something with the model that is shown."""
        entry = self._entry(self._chosen)
        if entry is None:
            return
        match action:
            case "download":
                self._download(entry)
            case "pause":
                self.downloads.pause(entry.repo)
            case "cancel":
                self._cancel(entry)
            case "open" if entry.folder is not None:
                self._open_model(entry, entry.folder)
            case "look":
                self._look_up(entry.repo)
            case "trash" if entry.kind == "downloaded" and entry.folder is not None:
                folder = entry.folder
                self._ask(f"{_TRASH}{entry.key}", lambda: to_trash(folder))
            case "page":
                host = endpoint() or "https://huggingface.co"
                QDesktopServices.openUrl(QUrl(f"{host}/{entry.repo}"))
            case "measure":
                self.measuring.want(now=True)
        self._show()

    def close(self) -> None:
        """Pause what is being downloaded, and leave nothing running."""
        self.measuring.close()
        self.downloads.close(_END_S)
        self._asker.wait(_END_S)
        self._timer.stop()
        if self.window is not None:
            self.window.close()

    def _first(self) -> str:
        """What to show at first: the model that is open, else the bundled one."""
        for entry in self._entries:
            if self._is_open(entry):
                return entry.key
        return self._entries[0].key

    def _entry(self, key: str) -> Entry | None:
        return next((entry for entry in self._entries if entry.key == key), None)

    def _is_open(self, entry: Entry) -> bool:
        ready = self._session.engine.phase is EnginePhase.READY
        return ready and entry.folder is not None and entry.folder == self._bridge.folder

    def choose(self, key: str) -> None:
        """Show the model of this repository or folder."""
        self._chosen = key
        self._show()

    def _ask(self, key: str, job: Callable[[], object]) -> None:
        self._asker.ask(key, job)
        self._timer.start()

    def _ask_needs(self, entry: Entry) -> None:
        key = f"{_NEEDS}{entry.key}"
        folder = entry.folder
        if entry.here and folder is not None:
            self._ask(key, lambda: needs_of_folder_here(folder))
            return
        known = next((known for known in FAMILY if known.repo == entry.repo), None)
        if known is not None:
            config = known.config
            self._ask(key, lambda: needs_of_sizes(config))
        elif entry.kind == "begun":
            path = self._library().aside(entry.repo) / "config.json"
            self._ask(key, lambda: needs_of_sizes(json.loads(path.read_bytes())))

    def _seek(self, text: str) -> None:
        """Look up a repository that was typed."""
        if self.window is None:
            return
        try:
            repo = repo_id(text)
        except HubError as error:
            self.window.show_note(said(str(error)))
            return
        self._asked = repo
        self.window.show_note("", asking=True)
        self._look_up(repo)

    def _look_up(self, repo: str) -> None:
        self._problems.pop(repo, None)
        given, at = self.downloads.tokens.get(repo, ""), endpoint()
        self._ask(f"{_LOOKED}{repo}", lambda: look_up(repo, given, at))

    def _take_answer(self, answer: Answer) -> None:
        if answer.key == _CAN_KEEP:
            self._can_keep = bool(answer.value)
        elif answer.key.startswith(_NEEDS):
            self._take_needs(answer.key.removeprefix(_NEEDS), answer)
        elif answer.key.startswith(_LOOKED):
            self._take_looked(answer.key.removeprefix(_LOOKED), answer)
        elif answer.key.startswith(_TRASH):
            self._take_trash(answer.key.removeprefix(_TRASH), answer)

    def _take_needs(self, key: str, answer: Answer) -> None:
        if answer.error is None and answer.value is not None:
            self._known[key] = answer.value  # type: ignore[assignment]
        elif (entry := self._entry(key)) is not None and entry.here:
            self._problems.setdefault(key, HubError("refused", str(answer.error)))

    def _take_looked(self, repo: str, answer: Answer) -> None:
        typed, self._asked = repo == self._asked, ""
        if isinstance(answer.value, tuple):
            manifest, needs = answer.value
            self._found[repo] = manifest
            if needs is not None:
                self._known[repo] = needs
            if typed:
                self._chosen = repo
            if typed and self.window is not None:
                self.window.show_note("")
                self.window.repo.clear()
            self.refresh()
            return
        problem = as_problem(answer.error)
        if typed and self.window is not None and self._entry(repo) is None:
            self.window.show_note(said(str(problem)))
        else:
            self._problems[repo] = problem
            if typed and self.window is not None:
                self.window.show_note("")
                self._chosen = repo

    def _take_trash(self, key: str, answer: Answer) -> None:
        entry = self._entry(key)
        if entry is None:
            return
        if answer.value:
            self._known.pop(key, None)
            self._bridge.notify(tr("{name} is in the trash.").format(name=entry.name))
        else:
            self._problems[key] = HubError(
                "refused",
                tr("There is no trash for {folder}: delete that folder yourself.").format(
                    folder=entry.folder
                ),
            )
        self.refresh()

    def _download(self, entry: Entry) -> None:
        if entry.repo:
            self._problems.pop(entry.key, None)
            self.downloads.start(entry.repo)
            self._timer.start()

    def _cancel(self, entry: Entry) -> None:
        try:
            if not self.downloads.cancel(entry.repo):
                return
        except OSError as error:
            self._problems[entry.key] = HubError("disk", f"{error.strerror}: {error.filename}.")
        self.refresh()

    def _ended(self, repo: str, progress: Progress) -> None:
        """A download is over: what is here has changed."""
        if progress.problem is not None:
            # The card stays until something else is done.
            self._problems[repo] = progress.problem
        if progress.phase == "done":
            self._known.pop(repo, None)
            self._bridge.notify(
                tr("{name} is downloaded, and every file of it verified.").format(name=repo)
            )
        self.refresh()

    def _take_token(self, token: str, keep: bool) -> None:
        entry = self._entry(self._chosen)
        if entry is None:
            return
        self.downloads.tokens[entry.repo] = token
        if keep:
            self._asker.ask("keep", lambda: store_token(token))
        self._download(entry)
        self._show()

    def _open_model(self, entry: Entry, folder: Path) -> None:
        window = self.window
        if window is not None and (weights := window.detail.needs.chosen_format()):
            experts = (
                window.detail.needs.chosen_expert_bytes()
                or self._bridge.settings.config.expert_bytes
            )
            self._bridge.open_next_with(weights, experts)
        self._bridge.open_model(folder)
        if window is not None:
            window.close()

    def _choose_folder(self) -> None:
        if self.window is not None:
            self.window.close()
        self._menus.open_model.trigger()

    def _changed(self, changes: frozenset[ch.Change]) -> None:
        engine = any(isinstance(change, ch.EngineChanged) for change in changes)
        loading = self._session.engine.phase is EnginePhase.LOADING
        self.measuring.show_busy(self._session.busy or loading)
        phase = self._session.engine.phase
        if engine and phase is not self._phase:
            self._phase = phase
            if self.window is not None and not loading:
                # What is free is another amount now; what was known is shown until then.
                self.refresh(again=True)

    def _measured(self) -> None:
        self._speed = kept_speed()
        self._show()

    def _show(self) -> None:
        window, entry = self.window, self._entry(self._chosen)
        if window is None or entry is None:
            return
        window.show_rows(self._rows(), self._chosen)
        window.show_model(
            Shown(
                entry=entry,
                needs=self._known.get(entry.key),
                progress=self.downloads.progress.get(entry.repo),
                problem=self._problems.get(entry.key),
                speed=self._speed,
                measuring=self.measuring.running,
                is_open=self._is_open(entry),
                host_bytes=self._bridge.settings.config.host_bytes,
                can_keep=bool(self._can_keep),
            )
        )

    def _rows(self) -> list[Row]:
        return rows_of_list(
            self._entries,
            self._known,
            self.downloads.progress,
            self._problems.keys(),
            self._is_open,
            self._bridge.settings.config.host_bytes,
            self._speed,
        )

    def _restyle(self) -> None:
        if self.window is not None:
            for part in self.window.findChildren(QWidget):
                part.update()

    def _forget(self) -> None:
        self.window = None
