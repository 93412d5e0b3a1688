"""Opening models: a folder of the user's choice, a recent one, another format of weights."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.bridge import Bridge
from app.shell.connecting import Connecting
from app.shell.failure_card import FailureCard
from app.shell.folder_dialog import ask_for_folder
from app.shell.menus import Menus
from app.shell.opening_dialog import OpeningDialog
from app.shell.recent_menu import RecentMenu
from app.shell.statusbar import StatusLine
from app.store.machine_speed import kept_speed
from engine.config import WeightFormat


class Opening:
    """Connects what opens a model, or gives up opening one, with the bridge."""

    def __init__(
        self,
        bridge: Bridge,
        window: QWidget,
        menus: Menus,
        recent: RecentMenu,
        card: FailureCard,
        status: StatusLine,
        connecting: Connecting,
    ) -> None:
        """window: the parent of the dialogs."""
        self._bridge, self._window, self._recent = bridge, window, recent
        menus.open_model.triggered.connect(self._ask_folder)
        menus.opening.triggered.connect(self._ask_format)
        recent.chosen.connect(bridge.open_model)
        menus.connection.triggered.connect(lambda: connecting.ask())
        card.connect_wanted.connect(lambda: connecting.ask(bridge.connection))
        card.choose.connect(self._ask_folder)
        card.models_wanted.connect(menus.models.trigger)
        card.gone_back.connect(bridge.go_back)
        status.cancelled.connect(bridge.cancel_opening)

    def _ask_folder(self) -> None:
        ask_for_folder(self._window, self._bridge.folder, self._bridge.open_model)

    def _ask_format(self) -> None:
        """Ask for the format of weights, and reload the model if the user wants to."""
        bridge, recent = self._bridge, self._recent
        dialog = OpeningDialog(
            self._window, bridge.settings.config, bridge.folder, recent.folders, kept_speed()
        )
        dialog.show_problems(recent.problems)
        recent.looked.connect(dialog.show_problems)
        dialog.chosen.connect(self._open_with)
        dialog.open()

    def _open_with(self, weights: WeightFormat, expert_bytes: int, folder: Path | None) -> None:
        self._bridge.open_next_with(weights, expert_bytes)
        if folder is not None:
            self._bridge.open_model(folder)
