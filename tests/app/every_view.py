"""Goes through every view of the window and tells what is clipped or cannot be used by all.

    python -m tests.app.every_view zh_CN dark

prints one line for each gap. A process of its own, because a language is set before the window is
imported, and a scale (QT_SCALE_FACTOR) before Qt starts.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

SIZE = (1366, 768)


def main() -> int:
    language, mode = sys.argv[1:3]
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            os.environ[name] = folder
        from app.words.language import speak

        speak(language)
        from PySide6.QtWidgets import QApplication

        app = QApplication(["biplane"])
        from app import theme
        from app.qt_texts import install_qt_texts

        install_qt_texts(app)
        theme.keeper().set_mode(mode)  # type: ignore[arg-type]
        from tests.app.access import gaps
        from tests.app.clipping import clipped

        views = 0
        for name, widget in _views():
            views += 1
            for gap in clipped(widget):
                print(f"clipped\t{name}\t{gap}")
            for gap in gaps(widget):
                print(f"access\t{name}\t{gap}")
        print(f"views\t{views}", flush=True)
        # Threads of the demo trace may still run.
        os._exit(0)


def _views() -> Iterator[tuple[str, Any]]:
    from PySide6.QtWidgets import QApplication, QWidget

    from app.debug.chosen import Chosen
    from app.shell.dialogs import about_dialog
    from tests.app.conftest import Desk
    from tests.present import present

    class Bot:
        def addWidget(self, _widget: QWidget) -> None:
            """The process ends with its windows."""

    def settle() -> None:
        for _ in range(8):
            QApplication.processEvents()

    def shown(name: str, widget: QWidget) -> tuple[str, QWidget]:
        settle()
        return name, widget

    desk = Desk(Bot())  # type: ignore[arg-type]
    window = desk.window
    window.resize(*SIZE)
    yield shown("no model", window)
    desk.open("broken")
    yield shown("refused", window)
    desk.open()
    yield shown("empty chat", window)
    desk.say("Hello! My name is Greta, and my code is 5512.")
    desk.say("A second question. " * 20)
    desk.session.current.thinking = True
    desk.say("And a third one.")
    desk.window.chat.composer.set_text("Something to send")
    yield shown("chat", window)
    window.menus.find.trigger()
    yield shown("find", window)
    window.menus.actions["chat_settings"].trigger()
    yield shown("settings of the conversation", window)
    window.menus.settings.trigger()
    yield shown("settings", window)
    window.settings_page.close()
    window.chats.deleted.emit(desk.session.current.id)
    yield shown("deleted", window)
    nodes = present(desk.session.snapshot).nodes
    with_state = [node for node in nodes if node.checkpoint is not None]
    window.cache.canvas.select(with_state[-1].id)
    yield shown("details of a node", window)
    if hasattr(window, "anything"):
        window.anything.palette.open("")
        yield shown("palette", window)
        window.anything.palette.close_up()
    window.menus.debugger.trigger()
    settle()
    panels = present(window.debugger.desk).panels
    for key in panels:
        window.debugger.show_panel(key)
        yield shown(f"debugger: {key}", window)
    window.traces.open_demo()
    for _ in range(4000):
        QApplication.processEvents()
        if window.traces.name:
            break
    state = present(window.debugger.desk).state
    state.choose(Chosen(request=9))
    for key in panels:
        window.debugger.show_panel(key)
        yield shown(f"trace: {key}", window)
    window.traces.close()
    window.menus.debugger.trigger()
    window.menus.lab.trigger()
    settle()
    lab = present(window.lab.window)
    lab.resize(*SIZE)
    for tab in ("memory", "two memories", "prefill and decode", "recall"):
        window.lab.open_tab(tab)
        yield shown(f"lab: {tab}", lab)
    lab.close()
    for command in ("opening", "warm", "events", "keys", "about"):
        before = set(QApplication.topLevelWidgets())
        getattr(window.menus, command).trigger()
        settle()
        made = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w not in before]
        for dialog in made:
            # The offscreen screen has fewer pixels at 200 %, and Qt fits dialogs into it.
            dialog.resize(dialog.sizeHint().expandedTo(dialog.size()))
            layout = dialog.layout()
            if layout is not None and layout.hasHeightForWidth():
                height = layout.totalHeightForWidth(dialog.width())
                dialog.resize(dialog.width(), max(height, dialog.height()))
            yield shown(command, dialog)
            dialog.close()
    about = about_dialog(window)
    about.show()
    yield shown("about", about)


if __name__ == "__main__":
    sys.exit(main())
