"""The dialogs, each as large as it makes itself."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QApplication, QWidget

from app.cache.checkpoint_dialog import CheckpointDialog
from app.settings.preset_dialog import PresetDialog
from app.shell.troubles import CrashDialog
from tours.guide import Guide, Picture

_COMMANDS = ("connection", "opening", "warm", "events", "keys", "checkup", "about")
_REPORT = """Biplane 0.1.0 crashed on 23 November 2026, 09:41:07
Python 3.11.9, PySide6 6.11.3, torch 2.13.0, Linux x86_64

Current thread 0x00007f1c2b7fe6c0 (most recent call first):
  File "engine/run/loop.py", line 212 in _step
  File "engine/run/loop.py", line 148 in run
"""


def dialogs(guide: Guide) -> Iterator[Picture]:
    """Those of the menus, and those that something else opens."""
    window = guide.window
    for command in _COMMANDS:
        before = set(_shown())
        getattr(window.menus, command).trigger()
        guide.stage.pump(8)
        for dialog in [each for each in _shown() if each not in before]:
            yield Picture(f"dialog-{command}", dialog, fixed=True)
            dialog.close()
    snapshot = guide.session.cache.snapshot
    assert snapshot is not None, "requests have run"
    deepest = max(snapshot.nodes, key=lambda node: node.end)
    made = (
        ("crash", CrashDialog(window, _REPORT)),
        ("checkpoint", CheckpointDialog(deepest, snapshot, deepest.end - 1, window)),
        ("preset", PresetDialog(window, "Save preset", lambda name: ("", bool(name)))),
    )
    for name, dialog in made:
        dialog.show()
        guide.stage.pump(8)
        yield Picture(f"dialog-{name}", dialog, fixed=True)
        dialog.close()


def _shown() -> list[QWidget]:
    return [each for each in QApplication.topLevelWidgets() if each.isVisible()]
