"""Goes through every view of the program and tells what is clipped or cannot be used by all.

    python -m tests.app.every_view zh_CN dark [FOLDER]

takes a picture of each view into the folder, if there is one, and prints one line for each gap,
for each error that nobody caught, for each text that is still English in another language, and for
each kind of widget that no view has shown. A process of its own, because a language is set before
the window is imported, and a scale (QT_SCALE_FACTOR) before Qt starts.
"""

from __future__ import annotations

import os
import sys
import tempfile


def main() -> int:
    language, mode, *pictures = sys.argv[1:]
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            os.environ[name] = folder
        from app.core.words.language import speak

        speak(language)
        from PySide6.QtWidgets import QApplication

        app = QApplication(["biplane"])
        from app.ui import theme
        from app.ui.qt_texts import install_qt_texts

        install_qt_texts(app)
        theme.keeper().set_mode(mode)  # type: ignore[arg-type]
        from tests.app.access import gaps
        from tests.app.clipping import clipped
        from tests.app.rooms.kinds import kinds, unseen
        from tests.app.rooms.visit import all_rooms
        from tests.app.untranslated import untranslated

        sys.excepthook = lambda kind, error, _where: print(f"raised\t{kind.__name__}\t{error}")
        views, seen = 0, set[type]()
        for name, widget in all_rooms():
            views += 1
            seen |= kinds(widget)
            for to in pictures:
                plain = "".join(letter if letter.isalnum() else "-" for letter in name)
                widget.grab().save(f"{to}/{views - 1:03}-{plain}.png")
            for gap in untranslated(widget) if language != "en" else ():
                print(f"English\t{name}\t{gap}")
            for gap in clipped(widget):
                print(f"clipped\t{name}\t{gap}")
            for gap in gaps(widget):
                print(f"access\t{name}\t{gap}")
        for kind in unseen(seen):
            print(f"unseen\t{kind}")
        print(f"views\t{views}", flush=True)
        # Threads of the demo trace may still run.
        os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
