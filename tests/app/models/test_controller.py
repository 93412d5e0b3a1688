"""View > Models, used by keyboard and by mouse, with a hub on this machine."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt, QUrl
from PySide6.QtGui import QAccessible, QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.store.downloads import downloads
from app.core.store.load_times import speed_file
from app.core.words import format as fmt
from app.models.controller import Measuring, ModelsController
from app.models.logic.shelf import FAMILY
from app.models.window import ROW, ModelsWindow
from engine.machine_speed import FormatSpeed, keep
from tests.app.conftest import Desk, MakeDesk
from tests.engine.hub.hub_server import REPO, Hub, hub, tiny_repo
from tests.engine.hub.test_token import Memory
from tests.engine.test_machine_speed import SPEED
from tests.mostly_slow import mostly_slow
from tests.present import present

SMALL = {"shard_bytes": 200_000, "shards": 3}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with hub() as made:
        files = tiny_repo(**SMALL)
        files["config.json"] = json.dumps(FAMILY[0].config).encode()
        made.publish(files)
        monkeypatch.setenv("HF_ENDPOINT", made.endpoint)
        yield made


class Page:
    """The window on a desk, and how a test waits for it."""

    def __init__(self, desk: Desk, qtbot: QtBot) -> None:
        self.desk, self.qtbot = desk, qtbot
        desk.window.menus.models.trigger()
        self.settle()

    @property
    def models(self) -> ModelsController:
        return self.desk.window.models

    @property
    def window(self) -> ModelsWindow:
        return present(self.models.window)

    def until(self, done: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(done)

    def settle(self) -> None:
        """Everything asked has been answered and shown."""
        self.until(lambda: not self.models.busy)
        self.models.take()

    def click(self, button: QAbstractButton) -> None:
        """As a mouse does: it has to be on screen and enabled."""
        assert button.isVisible(), button.text()
        assert button.isEnabled(), button.text()
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def press(self, button: QAbstractButton) -> None:
        """As the keyboard does: the focus reaches it by Tab alone, and Space presses it."""
        self.tab_to(button)
        self.qtbot.keyClick(button, Qt.Key.Key_Space)

    def tab_to(self, wanted: QWidget) -> None:
        for _ in range(60):
            focus = self.window.focusWidget()
            if focus is wanted:
                return
            self.qtbot.keyClick(present(focus), Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not reach {wanted}")

    def names(self) -> list[str]:
        return [row.title for row in self.window.model.rows]

    def index(self, name: str) -> QModelIndex:
        return self.window.model.index(self.names().index(name))

    def line(self, name: str) -> str:
        row = self.window.model.data(self.index(name), ROW)
        return str(getattr(row, "line", ""))

    def pick_by_mouse(self, name: str) -> None:
        view = self.window.list
        view.scrollTo(self.index(name))
        place = view.visualRect(self.index(name)).center()
        self.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
        # What has just been put into a layout comes on screen with the next turn.
        QApplication.processEvents()
        assert self.window.detail.name.text() == name

    def pick_by_keys(self, name: str) -> None:
        self.tab_to(self.window.list)
        view = self.window.list
        self.qtbot.keyClick(view, Qt.Key.Key_Home)
        for _ in self.names():
            if self.window.detail.name.text() == name:
                return
            self.qtbot.keyClick(view, Qt.Key.Key_Down)
        raise AssertionError(f"no key reaches {name}")

    def look_up(self, repo: str = REPO) -> None:
        self.window.search.setText(repo)
        self.qtbot.keyClick(self.window.search, Qt.Key.Key_Return)
        self.settle()

    def download(self) -> None:
        self.click(self.window.detail.download)
        self.ended()

    def ended(self) -> None:
        self.until(lambda: not self.models.downloads.progress)
        self.settle()


@pytest.fixture
def page(desk: Desk, qtbot: QtBot, server: Hub) -> Page:
    return Page(desk, qtbot)


class TestList:
    def test_by_key_and_esc(self, desk: Desk, qtbot: QtBot) -> None:
        desk.window.activateWindow()
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        qtbot.keyClick(desk.window, Qt.Key.Key_D, both)
        window = present(desk.window.models.window)
        qtbot.keyClick(window.list, Qt.Key.Key_Escape)
        assert desk.window.models.window is None

    @pytest.mark.parametrize("way", mostly_slow(["keys", "mouse"]))
    def test_from_the_card_while_no_model_is_open(
        self, make_desk: MakeDesk, qtbot: QtBot, server: Hub, way: str
    ) -> None:
        desk = make_desk()
        button = desk.window.card.models
        assert button.isVisible()
        if way == "mouse":
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        else:
            button.setFocus(Qt.FocusReason.TabFocusReason)
            qtbot.keyClick(button, Qt.Key.Key_Space)
        assert present(desk.window.models.window).isVisible()
        qtbot.waitUntil(lambda: not desk.window.models.busy, timeout=60_000)
        desk.open()
        assert not button.isVisible()

    def test_the_demo_and_the_family(self, page: Page, server: Hub) -> None:
        names = page.names()
        # "model" is the one that is open.
        assert names[:4] == ["ON THIS COMPUTER", "Biplane demo", "model", "ON HUGGING FACE"]
        assert names[4:] == [known.name for known in FAMILY]
        assert server.asked == []

    @pytest.mark.parametrize("way", mostly_slow(["keys", "mouse"]))
    def test_picking(self, page: Page, way: str) -> None:
        name = "Qwen3.5-4B"
        (page.pick_by_mouse if way == "mouse" else page.pick_by_keys)(name)
        detail = page.window.detail
        assert detail.source.text() == "Qwen/Qwen3.5-4B"
        assert "4.21 B parameters" in detail.about.text()
        assert "Apache 2.0" in detail.about.text()
        assert detail.needs.fit.sentence.text()
        assert set(detail.needs.formats.buttons) == {"bfloat16", "int8", "int4"}
        assert detail.download.isVisible()
        assert not detail.open.isVisible()

    def test_recent_folders_are_listed(self, page: Page, tmp_path: Path) -> None:
        own = tmp_path / "own"
        own.mkdir()
        page.desk.window.recent.show_folders((own,))
        page.models.refresh()
        page.settle()
        page.pick_by_mouse("own")
        # It is no model: that is said where it stands.
        assert "config.json" in page.window.detail.trouble.sentence.text()

    def test_a_folder_of_ones_own(self, page: Page, tmp_path: Path) -> None:
        page.click(page.window.file)
        present(page.window.findChild(QFileDialog)).reject()
        # Who cancels is where they were.
        assert page.window.isVisible()
        page.click(page.window.file)
        dialogs = page.window.findChildren(QFileDialog)
        next(one for one in dialogs if one.isVisible()).fileSelected.emit(str(tmp_path))
        assert page.models.window is None
        page.desk.until(lambda: page.desk.bridge.folder == tmp_path)

    def test_everything_has_a_name(self, page: Page) -> None:
        page.look_up()
        page.download()
        for part in page.window.findChildren(QWidget):
            if part.isVisible() and part.focusPolicy() & Qt.FocusPolicy.TabFocus:
                seen = QAccessible.queryAccessibleInterface(part)
                assert seen is not None
                assert seen.text(QAccessible.Text.Name), part


class TestFit:
    def test_a_longer_context_takes_more(self, page: Page, qtbot: QtBot) -> None:
        page.pick_by_mouse("Qwen3.5-2B")
        detail = page.window.detail
        before = detail.needs.fit.bar.accessibleName()
        assert "keys and values 384 MiB" in before
        page.tab_to(detail.needs.context)
        qtbot.keyClick(detail.needs.context, Qt.Key.Key_End)
        assert "keys and values 3.00 GiB" in detail.needs.fit.bar.accessibleName()

    @pytest.mark.parametrize("way", mostly_slow(["keys", "mouse"]))
    def test_a_format(self, page: Page, way: str, qtbot: QtBot) -> None:
        page.pick_by_mouse("Qwen3.5-2B")
        detail = page.window.detail
        four = detail.needs.formats.buttons["int4"]
        if way == "mouse":
            page.click(four)
        else:
            checked = next(b for b in detail.needs.formats.buttons.values() if b.isChecked())
            page.tab_to(checked)
            while not four.isChecked():
                qtbot.keyClick(present(page.window.focusWidget()), Qt.Key.Key_Down)
        assert four.isChecked()
        size = present(detail.shown).needs
        assert size is not None
        weights = fmt.byte_size(size.formats[2].weight_bytes)
        assert f"weights {weights}" in detail.needs.fit.bar.accessibleName()
        assert detail.needs.chosen_format() == "int4"

    def test_speeds_come_from_the_measurement(self, desk: Desk, qtbot: QtBot) -> None:
        formats = tuple(
            FormatSpeed(name, 10**9, 100.0, 200.0, rate, 50.0)
            for name, rate in (("stored", 10.0), ("int8", 30.0), ("int4", 31.0))
        )
        keep(dataclasses.replace(SPEED, token_flops=10**9, formats=formats), speed_file())
        page = Page(desk, qtbot)
        page.pick_by_mouse("Qwen3.5-2B")
        detail = page.window.detail
        assert "recommended" in detail.needs.formats.buttons["int8"].accessibleName()
        assert "writes ~16 tok/s" in detail.needs.formats.buttons["int8"].accessibleName()
        assert detail.needs.advice.text().startswith("Choose int8: it writes about")
        assert SPEED.date in detail.needs.measured.text()


class TestDownloading:
    @pytest.mark.parametrize("way", mostly_slow(["keys", "mouse"]))
    def test_from_a_name_to_an_open_model(
        self, page: Page, way: str, server: Hub, qtbot: QtBot
    ) -> None:
        window, detail = page.window, page.window.detail
        do = page.click if way == "mouse" else page.press
        if way == "keys":
            page.tab_to(window.search)
            qtbot.keyClicks(window.search, REPO)
            qtbot.keyClick(window.search, Qt.Key.Key_Return)
        else:
            assert not window.look.isVisible()
            window.search.setText(REPO)
            do(window.look)
        page.settle()
        assert detail.name.text() == "Tiny-0.1B"
        assert "752 M parameters" in detail.about.text()
        assert len(detail.files.copies) == 7
        do(detail.download)
        page.ended()
        assert "Downloaded and verified" in detail.about.text()
        assert page.names()[2] == "Tiny-0.1B"
        (found,) = downloads().downloaded()
        copied = detail.files.copies[-1]
        (page.click if way == "mouse" else page.press)(copied)
        clipboard = QApplication.clipboard().text()
        assert clipboard in {file.sha256 for file in found.manifest.files}
        do(detail.open)
        assert page.models.window is None
        page.desk.until(lambda: page.desk.bridge.folder == found.folder)

    @pytest.mark.parametrize("way", mostly_slow(["keys", "mouse"]))
    def test_pause_resume_cancel(self, page: Page, way: str, server: Hub) -> None:
        detail = page.window.detail
        do = page.click if way == "mouse" else page.press
        page.look_up()
        server.faults.chunk, server.faults.chunk_s = 2_000, 0.01
        do(detail.download)
        page.until(lambda: detail.bar.value() > 0 and detail.pause.isVisible())
        assert "of" in detail.line.text()
        assert "MiB" in page.line("Tiny-0.1B") or "KiB" in page.line("Tiny-0.1B")
        do(detail.pause)
        page.ended()
        assert "the rest is still to be fetched" in detail.line.text()
        assert page.line("Tiny-0.1B").startswith("Paused at")
        assert not detail.open.isVisible()
        server.faults.chunk_s = 0.02
        do(detail.resume)
        page.until(lambda: page.models.downloads.progress[REPO].phase == "downloading")
        page.until(detail.pause.isVisible)
        do(detail.cancel)
        page.ended()
        assert downloads().unfinished() == ()
        assert detail.download.isVisible()
        assert not detail.bar.isVisible()

    def test_the_focus_stays_with_the_download(self, page: Page, server: Hub) -> None:
        detail = page.window.detail
        page.look_up()
        server.faults.chunk, server.faults.chunk_s = 2_000, 0.01
        page.press(detail.download)
        page.until(detail.pause.isVisible)
        assert page.window.focusWidget() is detail.pause
        page.until(lambda: detail.bar.value() > 0)
        page.press(detail.pause)
        page.ended()
        assert page.window.focusWidget() is detail.resume
        server.faults.chunk_s = 0.0
        server.faults.wrong.add("model-00002-of-00003.safetensors")
        page.press(detail.resume)
        page.ended()
        server.faults.wrong.clear()
        page.press(detail.trouble.again)
        page.ended()
        assert page.window.focusWidget() is detail.open

    def test_an_unfinished_one_is_found_at_the_next_start(
        self, make_desk: MakeDesk, qtbot: QtBot, server: Hub
    ) -> None:
        first = Page(make_desk(), qtbot)
        first.look_up()
        server.faults.chunk, server.faults.chunk_s = 2_000, 0.01
        first.click(first.window.detail.download)
        first.until(lambda: first.window.detail.bar.value() > 0)
        first.desk.close()
        server.faults.chunk_s = 0.0
        second = Page(make_desk(), qtbot)
        second.pick_by_mouse("Tiny-0.1B")
        second.click(second.window.detail.resume)
        second.ended()
        assert len(downloads().downloaded()) == 1

    def test_it_goes_on_while_the_window_is_closed(self, page: Page, server: Hub) -> None:
        page.look_up()
        server.faults.chunk, server.faults.chunk_s = 20_000, 0.01
        page.click(page.window.detail.download)
        page.window.close()
        page.until(lambda: not page.models.downloads.progress)
        assert len(downloads().downloaded()) == 1
        assert "is downloaded" in page.desk.window.status.notice


class TestTrouble:
    def test_no_such_repository(self, page: Page) -> None:
        page.look_up("Org/Nothing")
        assert "Org/Nothing" in page.window.note.text()
        assert page.window.look.isEnabled()

    def test_a_wrong_checksum_and_again(self, page: Page, server: Hub) -> None:
        page.look_up()
        server.faults.wrong.add("model-00002-of-00003.safetensors")
        page.download()
        detail = page.window.detail
        assert "arrived damaged" in detail.trouble.sentence.text()
        assert detail.trouble.isVisible()
        assert downloads().downloaded() == ()
        server.faults.wrong.clear()
        page.press(detail.trouble.again)
        page.ended()
        assert "damaged" not in detail.trouble.sentence.text()
        assert len(downloads().downloaded()) == 1

    def test_a_gated_one(
        self, page: Page, server: Hub, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ring, opened = Memory(), list[str]()
        before = keyring.get_keyring()
        keyring.set_keyring(ring)

        def browse(url: QUrl) -> bool:
            opened.append(url.toString())
            return True

        monkeypatch.setattr(QDesktopServices, "openUrl", browse)
        try:
            page.models.findings.can_keep = True
            server.gated = True
            page.look_up()
            page.download()
            trouble = page.window.detail.trouble
            assert "accept its licence" in trouble.sentence.text()
            page.click(trouble.page)
            assert opened == [f"{server.endpoint}/{REPO}"]
            page.press(trouble.keep)
            page.tab_to(trouble.token)
            qtbot.keyClicks(trouble.token, server.token)
            qtbot.keyClick(trouble.token, Qt.Key.Key_Return)
            page.ended()
            assert len(downloads().downloaded()) == 1
            assert list(ring.kept.values()) == [server.token]
        finally:
            keyring.set_keyring(before)

    def test_no_room(self, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("engine.hub.download.SPARE_BYTES", 1 << 60)
        page.look_up()
        page.download()
        assert "free some space" in page.window.detail.trouble.sentence.text()


class TestRemoving:
    @pytest.mark.parametrize("way", mostly_slow(["keys", "mouse"]))
    def test_to_the_trash(
        self, page: Page, way: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        moved: list[Path] = []

        def move(path: Path) -> bool:
            moved.append(path)
            path.rename(tmp_path / "trash")
            return True

        monkeypatch.setattr("app.models.findings.to_trash", move)
        page.look_up()
        page.download()
        detail = page.window.detail
        do = page.click if way == "mouse" else page.press
        do(detail.remove)
        # The answer that does nothing has the focus.
        assert page.window.focusWidget() is detail.keep
        do(detail.keep)
        assert not detail.sure.isVisible()
        assert moved == []
        do(detail.remove)
        do(detail.sure)
        page.settle()
        page.settle()
        assert moved == [downloads().folder(REPO)]
        assert page.names()[1:4] == ["Biplane demo", "model", "ON HUGGING FACE"]

    def test_without_a_trash(self, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.models.findings.to_trash", lambda _: False)
        page.look_up()
        page.download()
        page.click(page.window.detail.remove)
        page.click(page.window.detail.sure)
        page.settle()
        assert "no trash" in page.window.detail.trouble.sentence.text()
        assert downloads().folder(REPO).exists()

    def test_not_the_one_that_is_open(self, page: Page) -> None:
        page.look_up()
        page.download()
        page.click(page.window.detail.open)
        page.desk.until(lambda: page.desk.bridge.folder == downloads().folder(REPO))
        page.desk.until(lambda: page.desk.session.engine.phase.name == "READY")
        again = Page(page.desk, page.qtbot)
        again.pick_by_mouse("Tiny-0.1B")
        assert not again.window.detail.remove.isEnabled()
        assert not again.window.detail.open.isVisible()


SLOW = "import time; time.sleep(60)"


class TestMeasuring:
    @pytest.fixture
    def measuring(self, qtbot: QtBot) -> Iterator[Callable[[str], Measuring]]:
        made: list[Measuring] = []
        parent = QWidget()
        qtbot.addWidget(parent)

        def make(code: str) -> Measuring:
            made.append(Measuring(parent, [sys.executable, "-c", code], idle_ms=1))
            return made[-1]

        yield make
        for each in made:
            each.close()

    def test_once_when_idle(
        self, measuring: Callable[[str], Measuring], qtbot: QtBot, tmp_path: Path
    ) -> None:
        trace = tmp_path / "ran"
        one = measuring(f"open({str(trace)!r}, 'a').write('x')")
        one.want()
        qtbot.waitUntil(lambda: trace.exists() and not one.running)
        one.show_busy(True)
        one.show_busy(False)
        qtbot.wait(50)
        assert trace.read_text() == "x"

    def test_it_gives_way_to_an_answer(
        self, measuring: Callable[[str], Measuring], qtbot: QtBot
    ) -> None:
        one = measuring(SLOW)
        one.want(now=True)
        assert one.running
        made = Path(one._made)
        assert made.is_dir()
        one.show_busy(True)
        assert not one.running
        assert not made.exists()
        one.show_busy(False)
        qtbot.waitUntil(lambda: one.running)

    def test_a_busy_program_waits(self, measuring: Callable[[str], Measuring]) -> None:
        one = measuring(SLOW)
        one.show_busy(True)
        one.want(now=True)
        assert not one.running

    def test_what_cannot_be_started(self, qtbot: QtBot) -> None:
        parent = QWidget()
        qtbot.addWidget(parent)
        one = Measuring(parent, ["/no/such/program"], idle_ms=1)
        one.want(now=True)
        qtbot.waitUntil(lambda: not one.running)
        one.close()

    def test_from_the_window(self, page: Page, qtbot: QtBot) -> None:
        page.models.measuring._argv = [sys.executable, "-c", SLOW]
        detail = page.window.detail
        page.pick_by_mouse("Qwen3.5-2B")
        page.press(detail.needs.measure)
        assert "Measuring this machine" in detail.needs.measured.text()
        assert not detail.needs.measure.isVisible()
        page.desk.say("An answer has priority.", wait=False)
        page.desk.until(lambda: not page.desk.session.busy)
        assert not page.models.measuring.running
        page.models.measuring.close()

    def test_not_without_being_asked_in_tests(self, page: Page) -> None:
        assert not page.models.measuring.running
        page.models.measures = True
        page.models.measuring._idle.setInterval(60_000)
        page.window.close()
        page.models.open()
        assert page.models.measuring._idle.isActive()
        page.settle()


def test_every_button_does_something_by_return_too(page: Page, qtbot: QtBot) -> None:
    """Return in the list leads to the first thing that can be done with a model."""
    page.pick_by_keys("Qwen3.5-2B")
    qtbot.keyClick(page.window.list, Qt.Key.Key_Return)
    focus = page.window.focusWidget()
    assert isinstance(focus, QPushButton)
    assert focus.text() == "Download"
