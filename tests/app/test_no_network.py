"""No word to any network unless the user asks for one; then it is to whom was asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_program_says_nothing_until_a_repository_is_looked_up(tmp_path: Path) -> None:
    homes = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "DATA", "CACHE")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.app.quiet_day"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=280,
        check=False,
        env=os.environ
        | homes
        | {"XDG_STATE_HOME": str(tmp_path / "STATE"), "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.returncode == 0, done.stderr[-4000:]
    before, asked, after = done.stdout.partition("asked\n")
    assert asked
    assert before == ""
    # The hook hears what there is to hear.
    assert "socket.connect\t(('127.0.0.1', 9),)" in after
