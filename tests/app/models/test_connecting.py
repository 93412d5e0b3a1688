"""File > Connect by keyboard and mouse, with a server on a real socket."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
import zmq
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.core.session.records import EnginePhase, TurnState
from app.core.store.connections import load
from app.debugger.remote.panel import EnginesPanel
from app.debugger.timeline.panel import TimelinePanel
from app.models.connecting import ConnectDialog, checked_events
from engine.errors import RemoteError
from engine.net.client.address import Address
from tests.app.conftest import Desk, MakeDesk
from tests.engine.hub.test_token import Memory
from tests.engine.net.client.server import (
    MODEL,
    Reply,
    Server,
    as_json,
    echo,
    end_events,
    event,
    free_port,
    models,
    serving,
    stream,
    text_event,
    usage,
)
from tests.engine.net.kv_events.sender import BLOCK, Sender
from tests.present import present


@pytest.fixture(autouse=True)
def drawer() -> Iterator[Memory]:
    before, made = keyring.get_keyring(), Memory()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@pytest.fixture
def desk(make_desk: MakeDesk, tmp_path: Path) -> Desk:
    made = make_desk()
    made.window.connecting.keep_in(tmp_path / "connections.json")
    return made


def wait(desk: Desk, done: Callable[[], bool], limit_s: float = 40) -> None:
    """Frames pass, and so does time: a server answers when it answers."""
    until = time.monotonic() + limit_s
    while not done():
        assert time.monotonic() < until, "it never came to pass"
        desk.bridge.take()
        QApplication.processEvents()
        time.sleep(0.002)


def dialog_of(desk: Desk) -> ConnectDialog:
    """Open it as the keyboard does."""
    desk.window.menus.connection.trigger()
    made = desk.window.connecting.dialog
    assert made is not None
    QApplication.processEvents()
    return made


def connect(desk: Desk, server: Server, **typed: str) -> None:
    """Type an address, press Enter, and wait for the model."""
    dialog = dialog_of(desk)
    dialog.address.setEditText(server.url)
    for name, text in typed.items():
        getattr(dialog, name).setText(text)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait(desk, lambda: desk.session.engine.phase is EnginePhase.READY and not _open(desk))
    wait(desk, lambda: desk.session.coming is None and desk.bridge.connection is not None)


def _open(desk: Desk) -> bool:
    return desk.window.connecting.dialog is not None


def say(desk: Desk, text: str) -> None:
    desk.say(text, wait=False)
    wait(desk, lambda: not desk.session.busy)


class TestDialog:
    def test_by_keyboard_from_the_menu_to_an_answer(self, desk: Desk) -> None:
        with serving() as server:
            dialog = dialog_of(desk)
            field = dialog.address.lineEdit()
            assert field is not None
            QTest.keyClicks(field, server.url)
            QTest.keyClick(dialog, Qt.Key.Key_Return)
            wait(desk, lambda: desk.session.engine.phase is EnginePhase.READY)
            say(desk, "hello")
            assert desk.turns[-1].text == "You said hello."
            desk.close()

    def test_its_shortcut(self, desk: Desk) -> None:
        assert desk.window.menus.connection.shortcut().toString() == "Ctrl+Shift+K"

    def test_every_field_has_a_name(self, desk: Desk) -> None:
        dialog = dialog_of(desk)
        fields = (dialog.address, dialog.token, dialog.model, dialog.metrics, dialog.events)
        assert all(field.accessibleName() for field in fields)
        dialog.reject()

    def test_several_models_are_offered(self, desk: Desk) -> None:
        with serving(listed=models("small", "large", owner="vllm")) as server:
            dialog = dialog_of(desk)
            dialog.address.setEditText(server.url)
            QTest.mouseClick(dialog.look_up, Qt.MouseButton.LeftButton)
            wait(desk, lambda: "2 models" in dialog.sentence.text())
            assert "Found vLLM" in dialog.sentence.text()
            assert [dialog.model.itemText(at) for at in range(2)] == ["small", "large"]
            dialog.model.setCurrentIndex(1)
            QTest.mouseClick(dialog.connect_, Qt.MouseButton.LeftButton)
            wait(desk, lambda: desk.session.engine.phase is EnginePhase.READY)
            assert desk.session.engine.model is not None
            assert desk.session.engine.model.name == "large"
            desk.close()

    @pytest.mark.parametrize(
        ("typed", "warned"),
        [
            ("http://127.0.0.1:1", False),
            ("http://192.168.0.7:1", True),
            ("https://192.168.0.7:1", False),
            ("", False),
        ],
    )
    def test_who_could_read_along(self, desk: Desk, typed: str, warned: bool) -> None:
        dialog = dialog_of(desk)
        dialog.address.setEditText(typed)
        assert dialog.warning.isVisible() is warned
        dialog.reject()

    def test_what_is_wrong_with_an_address(self, desk: Desk) -> None:
        dialog = dialog_of(desk)
        dialog.address.setEditText("ftp://a")
        QTest.mouseClick(dialog.look_up, Qt.MouseButton.LeftButton)
        assert "neither http" in dialog.sentence.text()
        dialog.reject()

    def test_a_server_that_is_down(self, desk: Desk) -> None:
        dialog = dialog_of(desk)
        dialog.address.setEditText(f"http://127.0.0.1:{free_port()}")
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        wait(desk, lambda: "Nothing answers" in dialog.sentence.text())
        assert dialog.isVisible()
        dialog.reject()

    def test_a_wrong_token_can_be_corrected(self, desk: Desk) -> None:
        with serving(listed=as_json({"error": {"message": "bad key"}}, 401)) as server:
            dialog = dialog_of(desk)
            dialog.address.setEditText(server.url)
            dialog.token.setText("wrong")
            QTest.keyClick(dialog, Qt.Key.Key_Return)
            wait(desk, lambda: "refuses the token" in dialog.sentence.text())
            server.listed = models(MODEL)
            dialog.token.setText("right")
            QTest.keyClick(dialog, Qt.Key.Key_Return)
            wait(desk, lambda: desk.session.engine.phase is EnginePhase.READY)
            assert server.heads[-1]["Authorization"] == "Bearer right"
            desk.close()

    def test_leaving_it_stops_the_trial(self, desk: Desk) -> None:
        with serving(listed=stream(20.0)) as server:
            dialog = dialog_of(desk)
            dialog.address.setEditText(server.url)
            QTest.mouseClick(dialog.look_up, Qt.MouseButton.LeftButton)
            wait(desk, lambda: bool(server.paths))
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
            assert server.broken.wait(60)
            assert not _open(desk)


class TestTree:
    """The tree is told by KV events, if the user says where."""

    def test_from_the_pane_to_the_debugger(self, desk: Desk) -> None:
        port, replay = free_port(), free_port()
        with serving() as server:
            connect(desk, server, events=f"127.0.0.1:{port} tcp://127.0.0.1:{replay}")
            page = desk.window.cache.elsewhere
            desk.window.resize(1400, 900)
            desk.window.show_cache(True)
            wait(desk, lambda: page.show_tree.isVisible())
            assert f"tcp://127.0.0.1:{port}" in page.lines[1].sentence
            (told,) = desk.window.connecting.publishers()
            assert (told.events, told.replay) == (
                f"tcp://127.0.0.1:{port}",
                f"tcp://127.0.0.1:{replay}",
            )
            QTest.mouseClick(page.show_tree, Qt.MouseButton.LeftButton)
            assert desk.window.remote.source is not None
            assert desk.window.debugger.on_screen
            desk.window.remote.close()
            desk.close()

    def test_expected_stands_beside_reported_from_the_first_message_on(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        """The engine publishes, and reuses less than it should: a finding at the answer."""
        sender, tokens = Sender(random.Random(0), again=0.0), [1] * (6 * BLOCK)
        told = usage(len(tokens) + 1, 1, 0)
        server = Server(
            answer=lambda _: stream(text_event("Yes."), end_events(usage=told)),
            listed=models(MODEL, owner="vllm"),
            others={
                "/tokenize": lambda: as_json({"tokens": [*tokens, 2]}),
                "/metrics": lambda: Reply(pieces=(b"vllm:kv_cache_usage_perc 0.25\n",)),
            },
        )
        context: zmq.Context[Any] = zmq.Context()
        socket = context.socket(zmq.PUB)
        socket.bind(f"ipc://{tmp_path}/events")
        with serving(server):
            connect(desk, server, events=f"ipc://{tmp_path}/events")
            wait(desk, lambda: desk.window.connecting.source is not None)
            source = present(desk.window.connecting.source)

            def known() -> bool:
                # A subscriber misses what is sent before it is connected.
                sender.blocks.clear()
                sender.store(tokens)
                number, payload = sender.publish()
                socket.send_multipart((b"", number.to_bytes(8, "big"), payload))
                return source.fleet.workers[0].blocks == 6

            wait(desk, known)
            say(desk, "hello")
            plan = present(desk.turns[-1].report).plan
            assert (plan.reused, plan.expected) == (0, 6 * BLOCK)
            assert "engine reused 0: no state, or a dropped block." in plan.detail
            match = desk.window.cache.match
            assert match.expected.text() == str(6 * BLOCK)
            # The tree is that of the same engine, with what was found, and its counters.
            assert desk.window.remote.open(desk.window.connecting.publishers(), source)
            assert desk.window.remote.source is source
            wait(desk, lambda: source.counters is not None)
            assert desk.window.debugger.show_panel("timeline")
            timeline = present(desk.window.debugger.desk).panels["timeline"]
            assert isinstance(timeline, TimelinePanel)
            wait(desk, lambda: any(one.counters for one in timeline.view.scene.stacks))
            assert desk.window.debugger.show_panel("engines")
            engines = present(desk.window.debugger.desk).panels["engines"]
            assert isinstance(engines, EnginesPanel)
            wait(desk, lambda: "engine reused 0" in engines.said.text())
            desk.window.remote.close()
            assert source.listening
            desk.close()
        assert not source.listening
        socket.close(linger=0)
        context.term()

    def test_counters_are_on_the_timeline_without_any_tree(self, desk: Desk) -> None:
        metrics = b"llamacpp:requests_processing 1\nllamacpp:n_tokens_max 512\n"
        others = {"/metrics": lambda: Reply(pieces=(metrics,))}
        with serving(others=others, listed=models(MODEL, owner="llamacpp")) as server:
            connect(desk, server)
            assert desk.window.debugger.show_panel("timeline")
            timeline = present(desk.window.debugger.desk).panels["timeline"]
            assert isinstance(timeline, TimelinePanel)
            wait(desk, lambda: bool(timeline.view.scene.stacks))
            (stack,) = timeline.view.scene.stacks
            assert [one.title for one in stack.tracks] == [
                "Requests running",
                "Longest sequence so far",
            ]
            desk.close()

    def test_without_an_address_there_is_none(self, desk: Desk) -> None:
        with serving() as server:
            connect(desk, server)
            assert not desk.window.cache.elsewhere.show_tree.isVisible()
            assert not desk.window.connecting.publishers()
            desk.close()

    @pytest.mark.parametrize(
        ("typed", "made"),
        [
            ("", ""),
            ("127.0.0.1:5557", "tcp://127.0.0.1:5557"),
            ("tcp://a:1 b:2,c:3", "tcp://a:1 tcp://b:2, tcp://c:3"),
        ],
    )
    def test_addresses(self, typed: str, made: str) -> None:
        assert checked_events(typed) == made

    @pytest.mark.parametrize("typed", ["5557", "http://a:1", "a:b", "a:0", "a:1 b:2 c:3"])
    def test_what_is_none(self, typed: str) -> None:
        with pytest.raises(RemoteError):
            checked_events(typed)


class TestTokens:
    def test_kept_in_the_keyring_only_when_asked(self, desk: Desk, drawer: Memory) -> None:
        with serving() as server:
            connect(desk, server, token="t0ps3cret")
            assert not drawer.kept
            assert desk.window.connecting.tokens.of(Address.parse(server.url)) == "t0ps3cret"
            desk.close()

    def test_kept_and_used_again(self, desk: Desk, drawer: Memory, make_desk: MakeDesk) -> None:
        with serving() as server:
            dialog = dialog_of(desk)
            dialog.address.setEditText(server.url)
            dialog.token.setText("t0ps3cret")
            QTest.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
            dialog.keep.setChecked(True)
            QTest.keyClick(dialog, Qt.Key.Key_Return)
            wait(desk, lambda: desk.session.engine.phase is EnginePhase.READY)
            desk.window.connecting.wait()
            assert drawer.kept == {("biplane", server.url): "t0ps3cret"}
            desk.close()
            again = make_desk()
            connect(again, server)
            assert server.heads[-1]["Authorization"] == "Bearer t0ps3cret"
            again.close()

    def test_never_in_a_file(self, desk: Desk, tmp_path: Path) -> None:
        with serving() as server:
            connect(desk, server, token="t0ps3cret")
            say(desk, "hello")
            desk.close()
        written = [file for file in tmp_path.rglob("*") if file.is_file()]
        assert written
        assert not any(b"t0ps3cret" in file.read_bytes() for file in written)


class TestRemembered:
    def test_servers_of_earlier_times(
        self, desk: Desk, make_desk: MakeDesk, tmp_path: Path
    ) -> None:
        with serving() as server:
            connect(desk, server, events="127.0.0.1:5557", metrics=f"{server.url}/counters")
            desk.close()
            (known,) = load(tmp_path / "connections.json")
            assert known.events == "tcp://127.0.0.1:5557"
            assert str(known.counters) == f"{server.url}/counters"
            raw = json.loads((tmp_path / "connections.json").read_text())
            assert set(raw["connections"][0]) == {"address", "model", "metrics", "events"}
            asked = len(server.paths)
            again = make_desk()
            again.window.connecting.keep_in(tmp_path / "connections.json")
            dialog = dialog_of(again)
            assert dialog.address.currentText() == f"{server.url}/v1"
            assert dialog.model.currentText() == MODEL
            assert dialog.events.text() == "tcp://127.0.0.1:5557"
            dialog.reject()
            assert len(server.paths) == asked, "nothing is asked before the user does"
            again.close()

    def test_a_damaged_file_is_none(self, tmp_path: Path) -> None:
        file = tmp_path / "connections.json"
        good = {"address": "http://a/v1", "model": "m"}
        for text in ("", "[]", "{", '{"connections": 4}', '{"connections": [4, {"address": "x"}]}'):
            file.write_text(text)
            assert load(file) == ()
        file.write_text(json.dumps({"connections": [{"address": 3}, good, {**good, "model": 1}]}))
        assert [str(one) for one in load(file)] == ["http://a/v1#m"]


class TestConversation:
    """With a server as with the engine of our own."""

    def test_branches_and_thinking(self, desk: Desk) -> None:
        def answer(body: dict[str, object]) -> object:
            asked = body["messages"][-1]["content"]  # type: ignore[index]
            return stream(
                text_event("Let me see.", thinking=True),
                text_event(f"About {asked}."),
                end_events(usage=usage(12, 4, 8)),
            )

        with serving(answer=answer, listed=models(MODEL, owner="vllm")) as server:
            connect(desk, server)
            desk.bridge.perform(desk.session.set_thinking(True))
            say(desk, "cats")
            first = desk.turns[-1]
            assert (first.text, first.thinking) == ("About cats.", "Let me see.")
            desk.window.menus.regenerate.trigger()
            wait(desk, lambda: not desk.session.busy)
            assert desk.turns[-1].id != first.id
            assert len(desk.session.current.tree.siblings(first.id)) == 2
            desk.bridge.perform(desk.session.edit(desk.turns[0].id, "dogs"))
            wait(desk, lambda: not desk.session.busy)
            assert desk.turns[-1].text == "About dogs."
            assert server.asked[-1]["messages"] == [{"role": "user", "content": "dogs"}]
            assert server.asked[-1]["chat_template_kwargs"] == {"enable_thinking": True}
            desk.close()

    def test_stop_keeps_what_came(self, desk: Desk) -> None:
        with serving(answer=lambda _: stream(text_event("One"), 30.0)) as server:
            connect(desk, server)
            desk.say("hello", wait=False)
            wait(desk, lambda: desk.turns[-1].text == "One")
            desk.window.menus.stop.trigger()
            wait(desk, lambda: not desk.session.busy)
            assert desk.turns[-1].state is TurnState.STOPPED
            assert server.broken.wait(60)
            desk.close()

    def test_it_dies_in_the_middle(self, desk: Desk) -> None:
        server = Server(answer=lambda _: stream(text_event("One"), None))
        with serving(server):
            connect(desk, server)
            say(desk, "hello")
            answer, card = desk.turns[-2:]
            assert (answer.text, answer.state) == ("One", TurnState.STOPPED)
            assert card.role == "error"
            assert "in the middle of the answer" in card.text
            server.answer = echo
            desk.window.menus.regenerate.trigger()
            wait(desk, lambda: not desk.session.busy)
            assert desk.turns[-1].text == "You said hello."
            desk.close()

    def test_it_is_gone_between_two_messages(self, desk: Desk) -> None:
        with serving() as server:
            connect(desk, server)
            say(desk, "hello")
        say(desk, "still there?")
        assert desk.turns[-1].role == "error"
        assert "Nothing answers" in desk.turns[-1].text
        assert desk.window.chat.composer.text == "still there?"
        desk.close()

    def test_it_refuses(self, desk: Desk) -> None:
        with serving(answer=lambda _: as_json({"error": {"message": "no room"}}, 429)) as server:
            connect(desk, server)
            say(desk, "hello")
            assert "too much to do (no room)" in desk.turns[-1].text
            desk.close()

    def test_an_error_in_the_stream(self, desk: Desk) -> None:
        reply = stream(text_event("One"), event({"error": {"message": "out of memory"}}))
        with serving(answer=lambda _: reply) as server:
            connect(desk, server)
            say(desk, "hello")
            assert desk.turns[-2].text == "One"
            assert "out of memory" in desk.turns[-1].text
            desk.close()


class TestEngines:
    """The engine here and one elsewhere take turns."""

    def test_from_here_to_there_and_back(self, desk: Desk) -> None:
        desk.open("model")
        with serving() as server:
            connect(desk, server)
            assert desk.bridge.folder is None
            say(desk, "hello")
            assert desk.turns[-1].model == f"{server.url}/v1#{MODEL}"
            assert desk.session.current.model == f"{server.url}/v1#{MODEL}"
            desk.bridge.open_model(Path("/models/model"))
            wait(desk, lambda: desk.bridge.folder is not None and desk.session.coming is None)
            wait(desk, lambda: desk.session.engine.phase is EnginePhase.READY)
            say(desk, "and here?")
            assert desk.turns[-1].model == "/models/model"
            desk.close()

    def test_one_that_does_not_answer_leaves_the_open_one(self, desk: Desk) -> None:
        desk.open("model")
        with serving() as server:
            dialog = dialog_of(desk)
            dialog.address.setEditText(server.url)
            QTest.mouseClick(dialog.look_up, Qt.MouseButton.LeftButton)
            wait(desk, lambda: "Found" in dialog.sentence.text())
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        wait(desk, lambda: desk.session.refused is not None)
        assert desk.session.engine.phase is EnginePhase.READY
        assert "Nothing answers" in desk.window.card.sentence.text()
        desk.close()

    def test_the_card_without_a_model_offers_it(self, desk: Desk) -> None:
        assert desk.window.card.connect_.isVisible()
        QTest.mouseClick(desk.window.card.connect_, Qt.MouseButton.LeftButton)
        assert _open(desk)
        dialog = desk.window.connecting.dialog
        assert dialog is not None
        dialog.reject()

    def test_the_button_of_the_model_says_where_it_is(self, desk: Desk) -> None:
        with serving(listed=models(MODEL, owner="sglang", max_model_len=4096)) as server:
            connect(desk, server)
            button, place = desk.window.model_button, server.url.removeprefix("http://")
            assert button.state == MODEL
            assert "4,096" in button.toolTip()
            button.models.aboutToShow.emit()
            assert button.models.actions()[-1].text() == f"SGLang at {place}"
            desk.close()

    def test_a_conversation_remembers_its_engine(self, desk: Desk) -> None:
        with serving() as server:
            connect(desk, server)
            say(desk, "hello")
            there = desk.session.current.id
            desk.bridge.perform(desk.session.new_conversation())
            desk.bridge.open_model(Path("/models/model"))
            wait(desk, lambda: desk.session.engine.here is not None)
            desk.bridge.perform(desk.session.select(there))
            place = server.url.removeprefix("http://")
            notice = desk.window.chat.model_notice
            assert notice.isVisible()
            assert f"{MODEL} at {place}" in notice.sentence.text()
            asked = len(server.asked)
            desk.window.menus.switch_model.trigger()
            dialog = desk.window.connecting.dialog
            assert dialog is not None
            assert dialog.address.currentText() == f"{server.url}/v1"
            assert dialog.model.currentText() == MODEL
            QTest.keyClick(dialog, Qt.Key.Key_Return)
            wait(desk, lambda: desk.session.engine.there)
            assert not notice.isVisible()
            assert len(server.asked) == asked
            say(desk, "more")
            assert desk.turns[-1].text == "You said more."
            desk.close()
