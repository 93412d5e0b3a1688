"""File > Settings: the page in place of the chat, and how its rows relate to the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.core.bridge import Bridge
from app.core.preferences.table import SPECS
from app.core.preferences.words import EFFECTS, WORDS, decode_cost, interval_cost, value_words
from app.core.session.changes import Change, Changed
from app.core.session.records import Turn
from app.core.words.tr import tr
from app.server.serving import ServerController
from app.settings.page.cuda import CudaRow
from app.settings.page.page import SettingsPage
from app.settings.page.rows import Kit, Section, SettingRow
from app.settings.page.sections import (
    APPEARANCE,
    CACHE,
    CHAT,
    DIAGNOSTICS,
    MODEL,
)
from app.settings.page.server import server_section
from app.settings.page.shortcuts import Bindable, Shortcuts
from app.settings.page.storage import ALL, PlaceRow, data_section
from app.shell.cuda_part import CudaController
from app.shell.preferences import PreferencesController
from app.shell.storage import StorageController
from app.ui.menus.command_table import COMMANDS, MENUS
from app.ui.menus.menus import Menus
from app.ui.palette.entries import PaletteEntry

# Commands that open something else, so the page closes.
_ELSEWHERE = (
    *("new", "find", "search", "attach", "regenerate", "continue", "edit_last", "edit_answer"),
    *("fork", "before", "after", "rename", "restore", "chats", "cache", "fit", "chat_settings"),
    *("debugger", "reset_desk", "go_to_link", "open_trace", "demo_trace"),
)
_TOLD_BY = (Changed.SERVER, Changed.ENGINE, Changed.NOTICE, Changed.RATE)


def sections(serving: ServerController, storage: StorageController) -> list[Section]:
    """Every section of the page, from top to bottom. To add one: add its line here."""
    return [
        MODEL,
        CACHE,
        CHAT,
        server_section(lambda: serving.facts, serving.renew_token),
        APPEARANCE,
        _shortcuts(),
        data_section(storage.places()),
        DIAGNOSTICS,
    ]


class SettingsPageController(QObject):
    """Creates the page when it is first shown, and keeps it up to date.

    Attributes:
        page: None until first shown.
        storage: what lies on the disk; cuda: the CUDA part.

    Signals:
        closed: the previous page is on screen again.
    """

    closed = Signal()

    def __init__(
        self,
        preferences: PreferencesController,
        bridge: Bridge,
        pages: QStackedWidget,
        menus: Menus,
        serving: ServerController,
    ) -> None:
        super().__init__(pages)
        self._preferences, self._book = preferences, preferences.book
        self._bridge, self._pages, self._menus, self._serving = bridge, pages, menus, serving
        self._before: QWidget | None = None
        self.page: SettingsPage | None = None
        self.storage = StorageController(bridge, menus, pages)
        self.cuda = CudaController(bridge, pages)
        menus.settings.triggered.connect(self.toggle)
        for id in _ELSEWHERE:
            menus.actions[id].triggered.connect(lambda _on=False: self.close())
        preferences.changed.connect(self._setting_changed)
        bridge.changed.connect(self._told)

    @property
    def on_screen(self) -> bool:
        return self.page is not None and self._pages.currentWidget() is self.page

    def toggle(self) -> None:
        if self.on_screen:
            self.close()
        else:
            self.open()

    def open(self, section: str = "") -> SettingsPage:
        """Show the page, at the section with an id if one is given."""
        page = self.page or self._make()
        if not self.on_screen:
            self._before = self._pages.currentWidget()
            self._pages.setCurrentWidget(page)
            self.storage.refresh()
            self.cuda.refresh()
        self._refresh()
        page.focus()
        if section:
            page.show_section(section)
        return page

    def close(self) -> None:
        """Return to the previous page."""
        if not self.on_screen:
            return
        if self._before is not None:
            self._pages.setCurrentWidget(self._before)
        self.closed.emit()

    def _make(self) -> SettingsPage:
        page = self.page = SettingsPage(
            Kit(self._book, self._actions()),
            sections(self._serving, self.storage),
            self._pages,
        )
        page.left.connect(self.close)
        for row in page.settings.values():
            row.entered.connect(self._enter)
            row.cleared.connect(self._book.reset)
            row.reopening.connect(self._reopen)
        for part in page.parts:
            for each in part.rows:
                if isinstance(each, CudaRow):
                    self.cuda.attach(each)
                    self.cuda.changed.connect(part.narrow_again)
                elif isinstance(each, PlaceRow) and each.id == ALL:
                    self.storage.counted.connect(part.narrow_again)
        self.storage.attach(row for part in page.parts for row in part.rows)
        self._pages.addWidget(page)
        return page

    def _actions(self) -> dict[str, Any]:
        made: dict[str, Any] = {id: partial(self._do, id) for id in self._menus.actions}
        return made | self.storage.actions()

    def _do(self, id: str) -> None:
        """Run a command, or notify the user of what it needs."""
        action, command = self._menus.actions[id], COMMANDS[id]
        if action.isEnabled():
            action.trigger()
            return
        title = command.title.removesuffix("…")
        said = tr("{title} needs {what}.") if command.needs else tr("{title} is not possible now.")
        self._bridge.notify(said.format(title=title, what=command.needs))

    def _enter(self, name: str, value: object) -> None:
        assert self.page is not None, "called by its rows"
        problem = self._preferences.set(name, value)
        self.page.settings[name].show_problem(problem)

    def _setting_changed(self, name: str) -> None:
        if self.page is not None:
            if name in self.page.settings:
                self.page.settings[name].show_problem("")
            self._refresh()

    def _told(self, changes: frozenset[Change]) -> None:
        if self.on_screen and any(change.kind in _TOLD_BY for change in changes):
            self._refresh()

    def _refresh(self) -> None:
        assert self.page is not None, "called while it exists"
        self.page.refresh()
        for name, row in self.page.settings.items():
            self._show_engine(name, row)

    def _show_engine(self, name: str, row: SettingRow) -> None:
        """Show how a setting affects the open model."""
        bridge, session, field = self._bridge, self._bridge.session, SPECS[name].engine
        model = session.engine.model
        value = getattr(self._book.saved, name)
        if name == "interval" and model is not None:
            rate = read_rate(session.current.turns)
            row.show_cost(interval_cost(value, model.checkpoint_bytes, rate, model.context))
        elif name == "decode_interval" and model is not None:
            row.show_cost(decode_cost(value, model.checkpoint_bytes))
        elif name in ("interval", "decode_interval"):
            row.show_cost("")
        if not field or name in self._book.overruled:
            return
        own = bridge.settings.own()
        if model is not None and field in own and own[field] != value:
            said = value_words(name, own[field])
            note = tr("For this model What if has set {value}, which goes before this.")
            row.show_note(note.format(value=said))
        elif field in bridge.settings.waiting():
            text = tr("The open model still has its earlier value.")
            row.show_note(text, reopen=not session.busy)

    def _reopen(self) -> None:
        if self._bridge.session.busy:
            self._bridge.notify(tr("An answer is being written. Stop it, or wait for its end."))
        elif self._bridge.folder is not None:
            self._bridge.open_model(self._bridge.folder)

    def _open_at(self, name: str) -> None:
        self.open().show_setting(name)

    def entries(self) -> Iterator[PaletteEntry]:
        """The palette entries for the settings."""
        for name, words in WORDS.items():
            if name == "shortcuts":
                yield PaletteEntry(
                    "setting", words.title, lambda: self.open("shortcuts"), words.hint
                )
                continue
            yield PaletteEntry(
                "setting",
                words.title,
                partial(self._open_at, name),
                detail=value_words(name, self._book.now(name)),
                also=f"{words.also} {words.hint} {EFFECTS.get(SPECS[name].effect, '')}",
            )


def read_rate(turns: Sequence[Turn]) -> float | None:
    """Prefill speed in tokens per second, measured in this conversation; None if unknown."""
    reports = [turn.report for turn in turns if turn.report is not None]
    ran = sum(one.plan.replayed + one.plan.computed for one in reports)
    seconds = sum(one.replay_ms + one.prefill_ms for one in reports) / 1000
    return ran / seconds if ran and seconds > 0 else None


def _shortcuts() -> Section:
    listed = tuple(
        Bindable(one.id, one.title.removesuffix("…"), menu.name, one.keys)
        for menu in MENUS
        for one in menu.commands()
        if not one.fixed
    )
    fixed = {one.id: one.keys for one in COMMANDS.values() if one.fixed}
    also = {id: one.also for id, one in COMMANDS.items()}
    return Section("shortcuts", tr("Shortcuts"), Shortcuts(listed, also, fixed).rows)
