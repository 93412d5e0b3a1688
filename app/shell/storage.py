"""Settings > Data at work: counts what lies where, and deletes it after a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from app.core.bridge import Bridge
from app.core.log import stop_writing
from app.core.places import PLACE_IDS, Deleted, Place, PlaceId, Size, delete, measure, places
from app.core.store.connection import NAME
from app.core.store.opening import data_folder
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.settings.page.storage import ALL, PlaceRow
from app.ui.export.behind import Behind
from app.ui.menus.menus import Menus

# The database of this window, and the locks that it holds.
_IN_USE = (NAME, f"{NAME}-wal", f"{NAME}-shm", "conversations.lock", "window.lock")


class StorageController(QObject):
    """Sizes and deletions, on a thread of their own.

    Attributes:
        at_exit: what to delete once this window has ended, since it writes that until then.
        downloading: whether models are being downloaded.

    Signals:
        deleted: delete the conversation with this id.
        quit_wanted: end the program, and delete everything.
        counted: the rows show new sizes.
    """

    deleted = Signal(int)
    quit_wanted = Signal()
    counted = Signal()

    def __init__(self, bridge: Bridge, menus: Menus, window: QWidget) -> None:
        super().__init__(window)
        self._bridge, self._menus, self._window = bridge, menus, window
        self._rows: dict[str, PlaceRow] = {}
        self._sizes: dict[str, Size] = {}
        self.at_exit: set[PlaceId] = set()
        self.downloading: Callable[[], bool] = lambda: False
        self._behind = Behind(self, bridge.notify)

    def places(self) -> tuple[Place, ...]:
        """All of them, with the cache files where the engine has them."""
        return places(self._bridge.settings.config.cache_dir)

    def actions(self) -> dict[str, Callable[[], object]]:
        """What the rows' buttons do."""
        made: dict[str, Callable[[], object]] = {f"delete:{ALL}": self._ask_for_all}
        for one in self.places():
            made[f"place:{one.id}"] = partial(self._show, one)
            made[f"delete:{one.id}"] = partial(self._ask, one)
        return made

    def attach(self, rows: Iterable[QWidget]) -> None:
        """Keep these rows up to date from now on."""
        self._rows = {row.id: row for row in rows if isinstance(row, PlaceRow)}

    def refresh(self) -> None:
        """Count everything anew."""
        listed = self.places()
        self._behind.run(lambda: {one.id: measure(one) for one in listed}, self._take)

    def wait(self) -> None:
        """Wait until nothing is being counted or deleted."""
        self._behind.wait()

    def _take(self, sizes: object) -> None:
        assert isinstance(sizes, dict)
        self._sizes = {**sizes, ALL: sum(sizes.values(), Size())}
        for id, row in self._rows.items():
            row.show_size(self._sizes[id])
        self.counted.emit()

    def _show(self, place: Place) -> None:
        folder = next((one for one in place.folders if one.is_dir()), place.folders[0].parent)
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._bridge.notify(
                tr("No program on this desktop opens {folder}.").format(folder=folder)
            )

    # ---- asking

    def _ask(self, place: Place) -> None:
        if place.id == "conversations":
            self._ask_for_conversations(place)
            return
        if place.id == "downloads" and self.downloading():
            self._bridge.notify(tr("A model is being downloaded: pause that in View > Models."))
            return
        text = tr("Delete {what} ({size})?").format(what=place.title, size=self._size_of(place.id))
        more = [place.what, *self._caveats(place)]
        self._question(text, "\n\n".join(more), tr("Delete"), lambda: self._delete(place))

    def _ask_for_conversations(self, place: Place) -> None:
        count = sum(not one.empty for one in self._bridge.session.conversations)
        if not count:
            self._bridge.notify(tr("There are no conversations to delete."))
            return
        text = tr("Delete all {count} conversations?").format(count=count)
        more = tr("They are gone from disk when the window closes. Export them first to keep them.")
        self._question(text, more, tr("Delete"), lambda: self._delete_conversations(place))

    def _ask_for_all(self) -> None:
        text = tr("Delete everything that Biplane keeps ({size})?").format(size=self._size_of(ALL))
        more = tr(
            "Conversations, downloaded models, cache files, settings and logs go for good. Biplane "
            "quits for that, and stays installed."
        )
        self._question(text, more, tr("Delete and quit"), self._delete_all)

    def _question(self, text: str, more: str, yes: str, act: Callable[[], object]) -> None:
        box = QMessageBox(self._window.window())
        box.setWindowTitle(tr("Delete data"))
        box.setText(text)
        box.setInformativeText(more)
        agree = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole))
        agree.clicked.connect(lambda: act())
        box.open()

    def _caveats(self, place: Place) -> list[str]:
        if place.id == "models" and self._kept(place):
            return [tr("The open model stays; open another one to delete it.")]
        if place.id == "settings":
            return [tr("They go when this window closes.")]
        return []

    def _size_of(self, id: str) -> str:
        found = self._sizes.get(id)
        return "…" if found is None else fmt.byte_size(found.nbytes)

    # ---- deleting

    def _delete(self, place: Place) -> None:
        if place.id == "settings":
            self.at_exit.add(place.id)
            self._bridge.notify(tr("The settings are deleted when this window closes."))
            return
        if place.id == "cache" and self._menus.drop.isEnabled():
            # The open engine forgets its own first.
            self._menus.drop.trigger()
        keep = self._kept(place)
        self._behind.run(lambda: delete(place, keep), partial(self._deleted, place))

    def _delete_conversations(self, place: Place) -> None:
        for number in [one.id for one in self._bridge.session.conversations if not one.empty]:
            self.deleted.emit(number)
        keep = tuple(data_folder() / name for name in _IN_USE)
        # Copies of damaged files and the terminal's history; the database is purged at the end.
        self._behind.run(lambda: delete(place, keep), lambda _found: self.refresh())

    def _delete_all(self) -> None:
        self.at_exit |= set(PLACE_IDS)
        self.quit_wanted.emit()

    def _deleted(self, place: Place, found: object) -> None:
        assert isinstance(found, Deleted)
        said = tr("{what}: {size} deleted.").format(
            what=place.title, size=fmt.byte_size(found.size.nbytes)
        )
        self._bridge.notify(found.problem or said)
        self.refresh()

    def _kept(self, place: Place) -> tuple[Path, ...]:
        """The folder of the open model, if it lies in the place."""
        folder = self._bridge.folder
        if place.id != "models" or folder is None:
            return ()
        return (folder,) if any(folder.is_relative_to(one) for one in place.folders) else ()


def leave_nothing(ids: Iterable[PlaceId], cache_dir: Path | None) -> list[str]:
    """Delete places once nothing uses them any more; returns what could not be deleted."""
    wanted = set(ids)
    problems = []
    for place in places(cache_dir):
        if place.id in wanted:
            if place.id == "log":
                stop_writing()
            problems.append(delete(place).problem)
    return [problem for problem in problems if problem]
