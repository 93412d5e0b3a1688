"""The settings, the palette, and every window that a command opens."""

from __future__ import annotations

from collections.abc import Callable

from app.settings.page.cuda import CudaShown
from app.shell.farewell import SavingCard
from app.shell.settings_page import sections
from app.shell.troubles import CrashDialog
from tests.app.rooms.visit import Views, Visit, own
from tests.present import present

COMMANDS = ("opening", "warm", "events", "keys", "checkup", "about", "connection")
CUDA = {
    "offered": CudaShown(offered=2 << 30),
    "begun": CudaShown(offered=2 << 30, begun=1 << 30),
    "coming": CudaShown(offered=2 << 30, share=0.4, doing="nvidia-cudnn-cu13 819 / 2048"),
    "installed": CudaShown(offered=2 << 30, installed=True, passed=True, told="1.23"),
}
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
    # Whatever was looked for on this computer has been found by now.
    visit.desk.settle()
    for name, shown in CUDA.items():
        window.settings_page.cuda.show(shown)
        window.settings_page.open("model")
        yield visit.at(f"settings: the CUDA part, {name}")
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
