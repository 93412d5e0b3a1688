"""View > Models: local models and the hub; opening, downloading, measuring, removing."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.core.bridge import Bridge
from app.core.options.shared import demo_model_dir
from app.core.own_program import own_command
from app.core.session.changes import Change, Changed
from app.core.session.records import EnginePhase, is_bundled
from app.core.store.downloads import downloads, endpoint
from app.core.store.load_times import kept_speed
from app.core.words.engine_words import said
from app.core.words.tr import tr
from app.models.findings import Findings, FoundFiles, LookedUp, Searched, Trashed
from app.models.logic.downloads import Downloads
from app.models.logic.places import model_place
from app.models.logic.rows import ModelRow, progress_of, rows_of_list
from app.models.logic.seeking import EVERYTHING, named_repo, sought
from app.models.logic.shelf import ShelfEntry, Shown
from app.models.logic.suggestions import suggestions
from app.models.opening import ask_for_model
from app.models.recent_menu import RecentMenu
from app.models.window import ModelsWindow
from app.ui import theme
from app.ui.child import Child
from app.ui.menus.menus import Menus
from engine.hub.download import Progress
from engine.hub.failures import HubError
from engine.hub.library import Library
from engine.machine_speed import MachineSpeed

_FRAME_MS, _END_S = 100, 3.0
# Idle time before measuring starts, and the number of attempts.
IDLE_MS, _MOST_TRIES = 20_000, 5
# What is being typed is searched for on the hub once there is a pause.
PAUSE_MS = 400


def command() -> list[str]:
    """The command `biplane bench quick`, at the lowest priority if the system supports that."""
    nice = ["nice", "-n", "19"] if shutil.which("nice") else []
    return [*nice, *own_command("bench", "quick", "--json")]


class Measuring(QObject):
    """Measures the machine's speed when the program is idle, and stops when an answer begins.

    Signals:
        changed: it started or ended; the command saves the result to a file.
    """

    changed = Signal()

    def __init__(
        self, parent: QObject, argv: Sequence[str] | None = None, idle_ms: int = IDLE_MS
    ) -> None:
        super().__init__(parent)
        self._argv = list(argv) if argv is not None else command()
        self._wanted, self._busy, self._tries = False, False, 0
        self._child = Child(self)
        self._child.ended.connect(self._ended)
        self._child.unstarted.connect(lambda: self._ended(0))
        # A folder for generated files, which would be left behind when it is stopped.
        self._made = ""
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(idle_ms)
        self._idle.timeout.connect(self._begin)

    @property
    def running(self) -> bool:
        return self._child.running

    def want(self, *, now: bool = False) -> None:
        """Request a measurement, when idle or `now`, but never during an answer."""
        self._wanted, self._tries = True, 0
        if now and not self._busy:
            self._begin()
        elif not self._busy and not self.running and not self._idle.isActive():
            self._idle.start()

    def show_busy(self, busy: bool) -> None:
        """The model became busy or idle."""
        if busy == self._busy:
            return
        self._busy = busy
        if busy:
            self._idle.stop()
            self._stop()
        elif self._wanted:
            self._idle.start()

    def close(self) -> None:
        """Stop it permanently."""
        self._wanted = False
        self._idle.stop()
        self._stop()

    def _begin(self) -> None:
        if self.running or self._busy or not self._wanted:
            return
        self._tries += 1
        self._made = tempfile.mkdtemp(prefix="biplane-measuring-")
        self._child.start(self._argv, os.environ | {"TMPDIR": self._made})
        self.changed.emit()

    def _ended(self, code: int) -> None:
        """Also called, with 0, for a command that does not exist: to try again is no use."""
        self._clean()
        if code == 0 or self._tries >= _MOST_TRIES:
            self._wanted = False
        self.changed.emit()

    def _clean(self) -> None:
        shutil.rmtree(self._made, ignore_errors=True)

    def _stop(self) -> None:
        if self.running:
            self._child.stop()
            self._clean()
            self.changed.emit()


class ModelsController(QObject):
    """Owns the single window, and the downloads, which outlive it.

    Attributes:
        window: None while it is closed.
        findings: what is known of the models.
        downloads: of this run.
        measuring: measures this machine.
        measures: whether it may be measured without a request.

    Signals:
        suggested: while the bundled demo is open, keys and texts of models that fit this machine.
        elsewhere_wanted: the files of other programs are to be listed from now on.
    """

    suggested = Signal(object)
    elsewhere_wanted = Signal()

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
        self.window: ModelsWindow | None = None
        self.findings = Findings(demo_model_dir(), lambda: recent.folders, library)
        self.downloads = Downloads(library)
        self.measuring = Measuring(self)
        self.measures = False
        self._chosen = ""
        self._speed: MachineSpeed | None = None
        self._suggests = False
        # The repository being looked up, until the hub has answered.
        self._asked = ""
        self._sought, self._missed = EVERYTHING, False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._search)
        self._phase = self._session.engine.phase
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self.take)
        self.measuring.changed.connect(self._measured)
        menus.models.triggered.connect(self.open)
        bridge.changed.connect(self._changed)
        theme.keeper().changed.connect(self._restyle)

    def open(self) -> None:
        """Open the window, or bring it to the front; not modal."""
        if self.window is None:
            window = self.window = ModelsWindow(self._parent)
            window.finished.connect(self._forget)
            window.picked.connect(self.choose)
            window.typed.connect(self._type)
            window.sought.connect(self._seek)
            window.file_wanted.connect(self._choose_file)
            window.dropped.connect(self._open_place)
            window.elsewhere_wanted.connect(self.elsewhere_wanted)
            window.offer_elsewhere(not self.findings.elsewhere)
            window.detail.wanted.connect(self.act)
            window.detail.token_given.connect(self._take_token)
            self._speed = kept_speed()
            if self._speed is None and self.measures:
                self.measuring.want()
            self.findings.begin()
            self.refresh()
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()

    def look_elsewhere(self, on: bool) -> None:
        """List the files of other programs, or no longer."""
        self.findings.look_elsewhere(on)
        if self.window is not None:
            self.window.offer_elsewhere(not on)
            self.refresh()

    def open_at(self, key: str) -> None:
        """Open the window at a model; "" for the usual one."""
        self.open()
        if key:
            self.choose(key)

    def refresh(self, *, again: bool = False) -> None:
        """Rescan local models; `again` also recomputes whether they fit."""
        self.findings.refresh(again=again)
        if self.findings.entry(self._chosen) is None:
            # A file of a repository that is here now is listed as the repository.
            self._chosen = self._chosen.rpartition("/")[0]
        if self.findings.entry(self._chosen) is None:
            self._chosen = self._first()
        self._timer.start()
        self._show()

    def take(self) -> None:
        """Process one frame: take answers, and show download progress."""
        for news in self.findings.take():
            if isinstance(news, LookedUp):
                self._take_looked(news)
            elif isinstance(news, Searched):
                self._take_searched(news)
            elif isinstance(news, FoundFiles):
                self.refresh()
            else:
                self._take_trashed(news)
        for repo, progress in self.downloads.take_ended().items():
            self._ended(repo, progress)
        if self._suggests and not self.busy:
            self._suggests = False
            self._suggest()
        if not self.busy and not self.running:
            self._timer.stop()
        self._show()

    @property
    def running(self) -> bool:
        """Whether anything is being downloaded."""
        return self.downloads.running

    @property
    def busy(self) -> bool:
        """Whether any question is pending."""
        return self.findings.busy

    def act(self, action: str) -> None:
        """Run an action on the selected model."""
        entry = self.findings.entry(self._chosen)
        if entry is None:
            return
        match action:
            case "download":
                self._download(entry)
            case "pause":
                self.downloads.pause(entry.repo)
            case "cancel":
                self._cancel(entry)
            case "open" if entry.place is not None:
                self._open_model(entry.place)
            case "look":
                self._look_up(entry.repo)
            case "trash" if entry.kind == "downloaded" and entry.folder is not None:
                self.findings.throw_away(entry, entry.folder)
                self._timer.start()
            case "page":
                host = endpoint() or "https://huggingface.co"
                QDesktopServices.openUrl(QUrl(f"{host}/{entry.repo}"))
            case "measure":
                self.measuring.want(now=True)
        self._show()

    def close(self) -> None:
        """Pause all downloads, and stop all threads."""
        self.measuring.close()
        self.downloads.close(_END_S)
        self.findings.wait(_END_S)
        self._pause.stop()
        self._timer.stop()
        if self.window is not None:
            self.window.close()

    def choose(self, key: str) -> None:
        """Select the model of a repository or folder."""
        self._chosen = key
        self._show()

    def _first(self) -> str:
        """The initial selection: the open model, else the bundled one."""
        entries = self.findings.entries
        return next((entry for entry in entries if self._is_open(entry)), entries[0]).key

    def _is_open(self, entry: ShelfEntry) -> bool:
        ready = self._session.engine.phase is EnginePhase.READY
        return ready and entry.place is not None and entry.place == self._bridge.folder

    def _type(self, text: str) -> None:
        """Show what is meant of the models known, and search the hub after a pause."""
        if self.window is None:
            return
        self._sought, self._missed = sought(text), False
        self.window.show_note("")
        self.findings.stop_search()
        if self._sought == EVERYTHING:
            self._pause.stop()
        else:
            self._pause.start()
        self._show()

    def _search(self) -> None:
        self._missed = False
        self.findings.search(self._sought.on_hub)
        self._timer.start()
        self._show()

    def _take_searched(self, news: Searched) -> None:
        self._missed = news.problem is not None
        if self.window is not None and news.problem is not None:
            self.window.show_note(said(str(news.problem)))
        self.refresh()

    def _seek(self, text: str) -> None:
        """Look up a repository by name, or search for it at once."""
        if self.window is None:
            return
        repo = named_repo(text)
        self._pause.stop()
        if not repo:
            self._search()
            return
        self._asked = repo
        self.window.show_note("", asking=True)
        self._look_up(repo)

    def _look_up(self, repo: str) -> None:
        self.findings.look_up(repo, self.downloads.tokens.get(repo, ""))
        self._timer.start()

    def _take_looked(self, news: LookedUp) -> None:
        repo, problem = news.repo, news.problem
        typed, self._asked = repo == self._asked, ""
        if problem is not None and typed and self.findings.entry(repo) is None:
            # There is no model to show it with.
            if self.window is not None:
                self.window.show_note(said(str(problem)))
            return
        if typed:
            choices = self.findings.choices(repo)
            self._chosen = f"{repo}/{choices[0]}" if choices else repo
            if self.window is not None:
                self.window.show_note("")
        if problem is not None:
            self.findings.problems[repo] = problem
            return
        if typed and self.window is not None:
            self.window.search.clear()
        self.refresh()

    def _take_trashed(self, news: Trashed) -> None:
        if news.moved:
            self._bridge.notify(tr("{name} is in the trash.").format(name=news.entry.name))
        self.refresh()

    def _download(self, entry: ShelfEntry) -> None:
        if entry.repo:
            self.findings.problems.pop(entry.key, None)
            self.downloads.start(entry.repo, entry.choice)
            self._timer.start()

    def _cancel(self, entry: ShelfEntry) -> None:
        try:
            if not self.downloads.cancel(entry.repo):
                return
        except OSError as error:
            sentence = f"{error.strerror}: {error.filename}."
            self.findings.problems[entry.key] = HubError("disk", sentence)
        self.refresh()

    def _ended(self, repo: str, progress: Progress) -> None:
        """A download ended: rescan local models."""
        if progress.problem is not None:
            # The card stays until another action.
            for entry in self.findings.entries:
                if entry.repo == repo:
                    self.findings.problems[entry.key] = progress.problem
        if progress.phase == "done":
            self.findings.needs.pop(repo, None)
            self._bridge.notify(
                tr("{name} is downloaded, and every file of it verified.").format(name=repo)
            )
        self.refresh()

    def _take_token(self, token: str, keep: bool) -> None:
        entry = self.findings.entry(self._chosen)
        if entry is None:
            return
        self.downloads.tokens[entry.repo] = token
        if keep:
            self.findings.keep_token(token)
        self._download(entry)
        self._show()

    def _open_model(self, folder: Path) -> None:
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

    def _choose_file(self) -> None:
        """Ask for a model over the window, which closes if one is chosen."""
        if self.window is not None:
            ask_for_model(self.window, self._bridge.folder, self._open_place)

    def _open_place(self, place: Path) -> None:
        self._bridge.open_model(model_place(place))
        if self.window is not None:
            self.window.close()

    def _changed(self, changes: frozenset[Change]) -> None:
        engine = Changed.ENGINE in changes
        loading = self._session.engine.phase is EnginePhase.LOADING
        self.measuring.show_busy(self._session.busy or loading)
        phase = self._session.engine.phase
        if engine and phase is not self._phase:
            self._phase = phase
            model = self._session.engine.model
            self._suggests = model is not None and is_bundled(model.folder)
            if self._suggests or (self.window is not None and not loading):
                # The free memory changed; the previous results are shown until then.
                self.refresh(again=True)

    def _suggest(self) -> None:
        """Suggest real models to who has none."""
        entries, host_bytes = self.findings.entries, self._bridge.settings.config.host_bytes
        if not any(entry.here and entry.kind != "bundled" for entry in entries):
            speed = self._speed or kept_speed()
            self.suggested.emit(suggestions(entries, self.findings.needs, host_bytes, speed))

    def _measured(self) -> None:
        self._speed = kept_speed()
        self._show()

    def _show(self) -> None:
        window, entry, findings = self.window, self.findings.entry(self._chosen), self.findings
        if window is None or entry is None:
            return
        window.show_rows(self._rows(), self._chosen)
        window.show_model(
            Shown(
                entry=entry,
                needs=findings.needs.get(entry.key),
                progress=progress_of(entry, self.downloads.progress),
                problem=findings.problems.get(entry.key),
                speed=self._speed,
                measuring=self.measuring.running,
                is_open=self._is_open(entry),
                host_bytes=self._bridge.settings.config.host_bytes,
                can_keep=bool(findings.can_keep),
            )
        )

    def _rows(self) -> list[ModelRow]:
        running = self.downloads.progress
        everything = self._sought == EVERYTHING
        shown = [
            entry
            for entry in self.findings.entries
            # After a search only those of its matches stay that something is done with.
            if entry.kind != "match"
            or not everything
            or entry.key == self._chosen
            or entry.repo in running
        ]
        return rows_of_list(
            shown,
            self.findings.needs,
            running,
            self.findings.problems.keys(),
            self._is_open,
            self._bridge.settings.config.host_bytes,
            self._speed,
            self._sought,
            self._hub_text(),
        )

    def _hub_text(self) -> str:
        """How the search on the hub is getting on; "" if it has ended well."""
        if self._pause.isActive() or self.findings.searching:
            return tr("searching…")
        return tr("not searched") if self._missed else ""

    def _restyle(self) -> None:
        if self.window is not None:
            for part in self.window.findChildren(QWidget):
                part.update()

    def _forget(self) -> None:
        self.window = None
        self._pause.stop()
        self.findings.stop_search()
        self._sought, self._missed = EVERYTHING, False
