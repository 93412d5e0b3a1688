"""The settings, the palette, and every window that a command opens."""

from __future__ import annotations

from collections.abc import Callable

from app.shell.farewell import SavingCard
from app.shell.settings_page import sections
from app.shell.troubles import CrashDialog
from tests.app.rooms.visit import Views, Visit, own
from tests.present import present

COMMANDS = ("opening", "warm", "events", "keys", "checkup", "about", "connection")
REPORT = "Fatal Python error: Segmentation fault\n\nThread 0x00007f (most recent call first):\n"


def views() -> Views:
    visit = Visit()
    window = visit.window
    visit.desk.open()
    visit.desk.say(own("Hello"))
    window.menus.settings.trigger()
    yield visit.at("settings")
    for part in present(window.settings_page.page).parts:
        if part.fold is not None:
            part.fold.setChecked(True)
    for section in sections(window.serving, window.settings_page.storage):
        window.settings_page.open(section.id)
        yield visit.at(f"settings: {section.id}")
    window.settings_page.close()
    window.command_palette.palette.open("")
    yield visit.at("palette")
    window.command_palette.palette.close_up()
    for command in COMMANDS:
        yield from visit.dialogs(command, window.menus.actions[command].trigger)
    report = CrashDialog(window, REPORT)
    yield from visit.dialogs("a crash report", report.open)
    yield from visit.dialogs("saving the cache", _saving(visit))
    visit.leave()


def _saving(visit: Visit) -> Callable[[], None]:
    card = SavingCard()

    def show() -> None:
        card.show_engine(visit.desk.session.engine)
        card.show()

    return show
