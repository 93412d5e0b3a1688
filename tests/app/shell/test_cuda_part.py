"""The row of the CUDA part: offered where there is a card, and told of while it is installed."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from app.core.cuda.part import CudaPart
from app.core.cuda.state import State
from app.core.cuda.wheels import FORMAT, Wheel, WheelList
from app.settings.page.cuda import CudaRow, CudaShown
from app.shell import cuda_part
from app.shell.cuda_part import CudaController
from tests.app.conftest import Desk
from tests.present import present

LISTED = WheelList(
    FORMAT,
    "cp311",
    "x86_64",
    580,
    (Wheel("torch", "2", "torch-2.whl", "https://example.org/t", "0" * 64, 2 << 30),),
)
NEW, OLD = (f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {n}.65.06\n" for n in (580, 535))


@dataclass
class Here:
    """A computer, as the controller finds it."""

    driver: str | None = NEW
    listed: WheelList | None = LISTED


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    made = Here()
    monkeypatch.setattr(cuda_part, "nvidia_text", lambda: made.driver)
    monkeypatch.setattr(cuda_part, "bundled", lambda: made.listed)
    return made


def row_of(desk: Desk) -> CudaRow:
    """The row on the page, once it has looked."""
    page = desk.window.settings_page.open("model")
    (row,) = (row for part in page.parts for row in part.rows if isinstance(row, CudaRow))
    desk.window.settings_page.cuda._behind.wait()
    desk.settle()
    return row


def program(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """What runs in place of `biplane cuda install`."""
    code = "\n".join(("import json, sys, time", *lines))
    monkeypatch.setattr(cuda_part, "own_command", lambda *_: [sys.executable, "-c", code])


def progress(share: float) -> str:
    now = {"doing": "download", "name": "torch", "done": int(share * 1000), "total": 1000}
    return f"print({json.dumps(now)!r}, flush=True)"


class TestOffer:
    @pytest.mark.parametrize(
        ("driver", "listed", "offered"),
        [(NEW, LISTED, True), (OLD, LISTED, False), (None, LISTED, False), (NEW, None, False)],
    )
    def test_only_where_there_is_a_driver_and_a_list(
        self, desk: Desk, here: Here, driver: str | None, listed: WheelList | None, offered: bool
    ) -> None:
        here.driver, here.listed = driver, listed
        row = row_of(desk)
        assert row.isHidden() is not offered
        if offered:
            assert "2.00 GiB to download" in row.status.text()
            assert not row.install.isHidden()
            assert row.remove.isHidden()

    def test_one_that_is_there_can_be_removed_without_a_card(self, desk: Desk, here: Here) -> None:
        here.driver = None
        part = CudaPart()
        part.site(LISTED.digest).mkdir(parents=True)
        part.keep(State(LISTED.digest, True, "Card computes."))
        row = row_of(desk)
        assert row.status.text() == "Card computes."
        assert (row.install.isHidden(), row.remove.isHidden()) == (True, False)
        row.remove.click()
        box = present(desk.window.findChild(QMessageBox))
        next(one for one in box.buttons() if one.text() == "Remove").click()
        desk.until(lambda: not part.root.exists())
        desk.until(row.isHidden)


class TestInstalling:
    def test_its_progress_and_its_end_are_shown(
        self, desk: Desk, here: Here, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        row = row_of(desk)
        done = json.dumps({"passed": False, "sentence": "PyTorch finds no card that computes."})
        program(monkeypatch, progress(0.25), "sys.stdin.read()", f"print({done!r}, flush=True)")
        row.install.click()
        desk.until(lambda: desk.window.settings_page.cuda.shown.share == 0.25)
        assert row.status.text() == "Fetching torch… 250 B of 0.98 KiB"
        assert not row.stop.isHidden()
        present(desk.window.settings_page.cuda.child.process).closeWriteChannel()
        desk.until(lambda: desk.window.settings_page.cuda.child.process is None)
        assert "no card that computes. The CUDA part is not used." in (
            desk.window.status.currentMessage()
        )
        desk.until(lambda: not row.install.isHidden())

    def test_a_failure_is_its_sentence(
        self, desk: Desk, here: Here, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        row = row_of(desk)
        program(monkeypatch, "print('biplane: The disk is full.', file=sys.stderr)", "sys.exit(1)")
        row.install.click()
        desk.until(lambda: desk.window.status.currentMessage() == "The disk is full.")

    def test_it_can_be_stopped_and_gone_on_with(
        self, desk: Desk, here: Here, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        row = row_of(desk)
        work = CudaPart().root / "unfinished"
        work.mkdir(parents=True)
        (work / "torch-2.whl.part").write_bytes(b"x" * 1024)
        program(monkeypatch, progress(0.5), "time.sleep(600)")
        row.install.click()
        desk.until(lambda: desk.window.settings_page.cuda.shown.share == 0.5)
        row.stop.click()
        assert desk.window.settings_page.cuda.child.process is None
        desk.until(lambda: row.install.text() == "Go on" and not row.install.isHidden())
        assert row.status.text() == "1.00 KiB of 2.00 GiB have come."

    def test_closing_the_window_ends_it(
        self, desk: Desk, here: Here, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        row = row_of(desk)
        program(monkeypatch, "time.sleep(600)")
        row.install.click()
        process = present(desk.window.settings_page.cuda.child.process)
        assert process.waitForStarted()
        desk.window.close()
        assert desk.window.settings_page.cuda.child.process is None

    @pytest.mark.parametrize("line", [b"", b"[]", b"{}", b"\xff", b'{"done": 1, "total": 0}'])
    def test_lines_that_are_none_are_passed_over(
        self, desk: Desk, line: bytes, tmp_path: Path
    ) -> None:
        controller = CudaController(desk.bridge, desk.window)
        controller._hear(line)
        assert controller.shown == CudaShown()
