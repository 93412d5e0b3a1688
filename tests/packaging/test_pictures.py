"""The script that takes pictures of every view."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parents[2]


def taken(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    homes = {f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "DATA", "CACHE")}
    return subprocess.run(
        [sys.executable, "packaging/pictures.py", str(folder), *options],
        cwd=ROOT,
        env={**os.environ, **homes, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.slow
def test_a_picture_has_its_size_in_light_and_dark(tmp_path: Path) -> None:
    run = taken(tmp_path, "--only", "debugger-no-model", "--size", "1000x640")
    assert run.returncode == 0, run.stderr
    light, dark = (
        QImage(str(tmp_path / "1000x640" / f"debugger-no-model-{mode}.png"))
        for mode in ("light", "dark")
    )
    for image in (light, dark):
        assert (image.width(), image.height()) == (1000, 640)
    assert light.pixelColor(2, 2).lightness() > 200 > 60 > dark.pixelColor(2, 2).lightness()
