"""The server in the window: switched by hand, on the real engine, with real requests."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.options.shared import demo_model_dir
from app.core.preferences.book import Book
from app.core.server_token import ServerToken
from app.core.session.model import Session
from app.core.session.records import EnginePhase
from app.debugger.clients_panel import ClientsPanel
from app.settings.page.page import SettingsPage
from app.settings.page.server import AddressRow, TokenRow
from engine.config import EngineConfig
from tests.app.real_window import PATIENCE_S, RealWindow
from tests.present import present


class Program(RealWindow):
    """The window on the bundled model, whose server takes a free port."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.book = Book(folder / "settings.json")
        self.book.set("server_port", 0)
        session = Session(given={"max_tokens": 8, "temperature": 0.0})
        config = EngineConfig(mode="exact", cache_bytes=32 << 20, threads=1)
        super().__init__(qtbot, session, config, self.book)
        self._hands = ThreadPoolExecutor(1)

    def page(self) -> SettingsPage:
        """The section, opened by its key."""
        self.window.menus.settings.trigger()
        page = present(self.window.settings_page.page)
        assert page.show_section("server")
        return page

    def switch(self) -> None:
        """Press the switch with the space bar."""
        page = self.page()
        self.qtbot.keyClick(page.settings["server_on"].field, Qt.Key.Key_Space)
        self.window.settings_page.close()

    @property
    def url(self) -> str:
        return self.window.serving.facts.url

    def fetch(self, path: str, body: object = None, token: str | None = None) -> Any:
        """What the server answers, while the window goes on; the status where it refuses."""
        token = self.window.serving.token.text if token is None else token
        headers = {"Authorization": f"Bearer {token}", "User-Agent": "Pilot/1.0"}
        headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.url + path, data, headers)

        def fetch() -> Any:
            try:
                with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                return error.code

        future: Future[Any] = self._hands.submit(fetch)
        self.until(future.done)
        return future.result()

    def ask(self, text: str) -> Any:
        messages = [{"role": "user", "content": text}]
        return self.fetch("/v1/chat/completions", {"messages": messages, "max_tokens": 8})

    def close(self) -> None:
        self._hands.shutdown()
        self.window.close()
        assert not self.window.serving.running
        super().close()


@pytest.fixture
def program(qtbot: QtBot, tmp_path: Path) -> Iterator[Program]:
    made = Program(qtbot, tmp_path)
    yield made
    made.close()


def rows(page: SettingsPage) -> list[Any]:
    return next(part.rows for part in page.parts if part.section.id == "server")


class TestTheSwitch:
    def test_it_is_off_at_first(self, program: Program) -> None:
        QApplication.processEvents()
        assert program.url == ""
        assert not program.window.status.server.isVisible()

    def test_the_light_is_on_while_it_runs(self, program: Program) -> None:
        light = program.window.status.server
        program.switch()
        assert program.url.startswith("http://127.0.0.1:")
        assert light.isVisible()
        assert light.toolTip() == program.url
        assert program.url in light.accessibleName()
        assert program.url in program.window.status.currentMessage()
        assert program.window.menus.server.text() == "Stop server"
        program.window.menus.server.trigger()
        assert not light.isVisible()
        assert program.window.menus.server.text() == "Start server"
        assert not program.book.now("server_on")

    def test_the_light_leads_to_its_section(self, program: Program) -> None:
        program.window.menus.server.trigger()
        program.qtbot.mouseClick(program.window.status.server, Qt.MouseButton.LeftButton)
        assert program.window.settings_page.on_screen

    def test_addresses_and_token_are_copied(self, program: Program) -> None:
        program.switch()
        found = rows(program.page())
        openai, anthropic = (row for row in found if isinstance(row, AddressRow))
        token = next(row for row in found if isinstance(row, TokenRow))
        assert openai.shown.text() == f"{program.url}/v1"
        assert anthropic.shown.text() == program.url
        for row, text in (
            (openai, f"{program.url}/v1"),
            (anthropic, program.url),
            (token, program.window.serving.token.text),
        ):
            program.qtbot.mouseClick(row.copy, Qt.MouseButton.LeftButton)
            assert QApplication.clipboard().text() == text
        assert program.window.serving.token.text not in token.shown.text()

    def test_a_new_token_shuts_out_the_old_one(self, program: Program) -> None:
        program.open()
        program.switch()
        old = program.window.serving.token.text
        assert program.fetch("/v1/models")["data"]
        token = next(row for row in rows(program.page()) if isinstance(row, TokenRow))
        program.qtbot.mouseClick(token.another, Qt.MouseButton.LeftButton)
        assert program.window.serving.token.text != old
        assert program.fetch("/v1/models", token=old) == 401
        assert program.fetch("/v1/models")["data"]

    @pytest.mark.parametrize("setting", ["server_leave_out", "server_keep_thinking"])
    def test_a_change_of_settings_keeps_its_clients(self, program: Program, setting: str) -> None:
        program.open()
        program.switch()
        program.ask("Hello!")
        served = program.session.served
        program.until(lambda: any(one.new for one in getattr(served.snapshot, "clients", ())))
        (before,) = present(program.session.served.snapshot).clients
        url = program.url
        program.book.set(setting, not program.book.now(setting))
        assert program.url != url
        program.ask("Hello again!")
        program.until(
            lambda: present(program.session.served.snapshot).clients[0].requests > before.requests
        )
        (after,) = present(program.session.served.snapshot).clients
        assert (after.name, after.colour, after.owner) == (before.name, before.colour, before.owner)
        assert program.session.served.name(before.owner) == before.name

    def test_a_port_in_use_is_said_and_another_one_helps(self, program: Program) -> None:
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            program.book.set("server_port", other.getsockname()[1])
            program.switch()
            assert not program.window.serving.running
            address = next(row for row in rows(program.page()) if isinstance(row, AddressRow))
            assert "Choose another port" in address.problem.text()
            assert not program.window.status.server.isVisible()
            program.book.set("server_port", 0)
            assert program.window.serving.running
            assert address.problem.text() == ""

    def test_it_starts_with_the_window_once_it_is_on(self, qtbot: QtBot, tmp_path: Path) -> None:
        Book(tmp_path / "settings.json").set("server_on", True)
        program = Program(qtbot, tmp_path)
        program.until(lambda: program.url != "")
        program.close()


class TestClients:
    def test_the_chat_and_a_client_share_the_prefix(self, program: Program) -> None:
        program.open()
        program.switch()
        text = "Tell me about the cache of this program, and what it keeps."
        program.say(text)
        answer = program.ask(text)
        assert answer["choices"][0]["message"]["content"]
        used = answer["usage"]["prompt_tokens_details"]["cached_tokens"]
        assert used > 0
        program.until(lambda: bool(program.session.served.snapshot))
        program.until(lambda: bool(present(program.session.served.snapshot).requests))
        assert not program.session.busy
        owner = present(program.session.served.snapshot).clients[0].owner
        name = program.session.served.name(owner)
        assert "Pilot" in name

    def test_the_debugger_names_clients_and_explains_their_requests(self, program: Program) -> None:
        program.open()
        program.switch()
        debugger = program.window.debugger
        assert debugger.show_panel("clients")
        desk = present(debugger.desk)
        panel = desk.panels["clients"]
        assert isinstance(panel, ClientsPanel)
        program.until(lambda: panel.on_screen)
        assert "Start server" in panel.said.text()
        system = {"role": "system", "content": "Now it is 12:00:01. " + "You are a pilot. " * 20}
        for at in ("12:00:01", "12:00:02"):
            system["content"] = f"Now it is {at}. " + "You are a pilot. " * 20
            turns = [system, {"role": "user", "content": "Hello"}]
            assert program.fetch("/v1/chat/completions", {"messages": turns, "max_tokens": 4})
        program.until(lambda: len(panel.requests.rows) == 2)
        program.until(lambda: panel.requests.rows.row(0).cells[2] == "done")
        client = panel.clients.rows.row(0)
        assert "Pilot" in client.cells[0]
        assert client.cells[1] == "2"
        first = panel.clients.shown.index(0, 0)
        assert not first.data(Qt.ItemDataRole.DecorationRole).isNull()
        assert "a clock with seconds" in panel.requests.rows.row(0).cells[7]
        panel.requests.setFocus()
        program.qtbot.keyClick(panel.requests, Qt.Key.Key_Home)
        assert "could have reused" in panel.said.text()
        program.until(lambda: desk.state.chosen.request is not None or _again(panel))
        program.qtbot.keyClick(panel.requests, Qt.Key.Key_Return)
        program.until(lambda: desk.panels["why"].on_screen)
        owners = {
            one for node in present(program.session.cache.snapshot).nodes for one in node.owners
        }
        titles = {program.window.debugger._live.title(one) for one in owners if one}
        assert titles
        assert all("Pilot" in title for title in titles)

    def test_a_client_without_a_model_gets_a_sentence(self, program: Program) -> None:
        program.switch()
        assert program.ask("Hello") >= 500

    def test_it_follows_the_model(self, program: Program) -> None:
        program.switch()
        program.open()
        assert program.ask("Hello")["choices"]
        program.bridge.open_model(demo_model_dir())
        program.until(lambda: program.session.engine.phase is EnginePhase.LOADING)
        assert program.ask("Hello") >= 500
        program.until(lambda: program.session.engine.phase is EnginePhase.READY)
        assert program.ask("Hello")["choices"]


def _again(panel: ClientsPanel) -> bool:
    """Choose once more: the tape may not have had the request yet."""
    panel.requests.chosen.emit(panel.requests.current)
    return False


class TestToken:
    def test_it_is_kept_for_the_user_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "token"
        text = ServerToken(path).text
        assert ServerToken(path).text == text
        assert path.stat().st_mode & 0o077 == 0

    def test_a_damaged_file_gives_another_one(self, tmp_path: Path) -> None:
        path = tmp_path / "token"
        path.write_bytes(b"\xff")
        assert len(ServerToken(path).text) > 20
