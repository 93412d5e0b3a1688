"""Takes a picture of every view, at three sizes, light and dark, to be looked at.

    python packaging/pictures.py FOLDER [--only NAME]... [--size 1366x768]...

One window on the bundled model is used as a person would: chats, an edit, evictions in a small
cache; then every panel of the debugger and every tab of the memory lab. FOLDER gets
SIZE/NAME-THEME.png. With --connect http://127.0.0.1:8080 it takes those of an engine elsewhere
instead: the dialog, and a chat with the first model of the server that listens there.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtWidgets import QWidget

from app import theme
from app.bench.stage import Stage, stage
from app.commands.options import demo_model_dir
from app.debug.compare_panel import ComparePanel
from app.debug.desk import Desk
from app.debug.state import Chosen
from app.script import parse_step
from app.script_actor import ScriptActor
from app.session import reducer
from app.session.records import Coming, EnginePhase, EngineState
from app.shell.problems import Problem
from app.shell.traces import demo_trace
from engine.config import EngineConfig
from engine.hub.failures import HubError

SIZES = ((1000, 640), (1440, 900), (2560, 1440))
THEMES: tuple[theme.Mode, ...] = ("light", "dark")
# Small enough that a few short chats evict each other's checkpoints.
CONFIG = EngineConfig(cache_bytes=6 << 20, host_bytes=4 << 20, disk_bytes=0, threads=1)
VIEWS = ("messages", "tokens", "memory", "topology")
SIDE = ("planes", "node", "why", "what-if")
BELOW = ("timeline", "requests", "evictions", "events", "invariants", "audits", "compare")
TABS = ("memory", "two memories", "prefill and decode", "recall")
CHATS = (
    *("Hello! My name is Greta and my code is 5512.", "What is a tombstone?"),
    *("/edit 2 What is a checkpoint?", "Why was this turn fast?", "/again"),
    *("/new", "/system Answer in one short sentence.", "What is prefill?", "And decode?"),
    *("/new", "Tell me a story about a fox.", "/think on", "And then?", "How did it end?"),
    *("/select 3", "What is my name and what is my code?"),
)
ELSEWHERE = ("Hello! My name is Greta.", "What is a checkpoint?", "And a tombstone?", "/again")
_NAME = "Qwen3.5-4B"
_NO_ROOM = (
    "Qwen3.5-4B needs 7.84 GiB of memory, but only 5.12 GiB is available: close other programs, or "
    "choose fewer bits in File > Weights and experts."
)
_PROBLEMS = (
    Problem(
        "crash",
        "Biplane ended unexpectedly",
        "The last run of Biplane crashed (started 23 November 2026, 09:41); Help > Show log has "
        "the details. There is a report of it on this computer; nothing is sent anywhere.",
        (("report", "Show report"), ("log", "Show log")),
    ),
    Problem(
        "import",
        "Nothing was imported",
        "conversations.json cannot be imported: it is not an export of Biplane, ChatGPT or Open "
        "WebUI.",
        (("import", "Choose another file…"),),
    ),
)
_HUB_PROBLEMS = (
    HubError(
        "offline",
        "The connection to huggingface.co broke several times: check it, and resume; what has come "
        "is kept.",
    ),
    HubError(
        "gated",
        "Qwen/Qwen3-Next-80B-A3B-Instruct is gated: accept its licence on "
        "huggingface.co/Qwen/Qwen3-Next-80B-A3B-Instruct, then enter a token of your account.",
    ),
)
_WAIT_S, _REST_S, _TURNS = 120.0, 0.35, 12
# The counters of a server are read every two seconds.
_LOOKS_S = 9.0


@dataclass(frozen=True, slots=True)
class Picture:
    """One view on screen.

    Attributes:
        prepare: brings it on screen once more, where time or size change it.
    """

    name: str
    widget: QWidget
    prepare: Callable[[], None] | None = None


class Tour:
    """A window, and the way through its views."""

    def __init__(self, on: Stage, elsewhere: str = "") -> None:
        """elsewhere: the address of a server to chat with, in place of the bundled model."""
        self._stage, self._window, self._session = on, on.window, on.session
        self._address = elsewhere
        self._actor = ScriptActor(on.window, on.bridge)

    def pictures(self) -> Iterator[Picture]:
        """Each view in turn; it stays until the next one is asked for."""
        if self._address:
            yield from self._elsewhere()
            return
        yield from self._without_a_model()
        yield from self._troubles()
        self._stage.bridge.open_model(demo_model_dir())
        self._stage.until(lambda: self._session.engine.phase is EnginePhase.READY, _WAIT_S)
        yield from self._chat()
        yield from self._switching()
        yield from self._palette()
        yield from self._settings()
        yield from self._debugger()
        yield from self._lab()
        yield from self._models()

    def _without_a_model(self) -> Iterator[Picture]:
        window = self._window
        yield Picture("chat-no-model", window)
        window.debugger.show(True)
        yield Picture("debugger-no-model", window)
        window.traces.open_demo()
        self._stage.until(lambda: bool(window.traces.name), _WAIT_S)
        yield Picture("demo-trace", window)
        window.debugger.show_panel("why")
        self._choose(Chosen(request=9))
        yield Picture("demo-trace-why", window)
        window.traces.close()
        window.debugger.show(False)

    def _troubles(self) -> Iterator[Picture]:
        """What goes wrong, and a model on its way: states that a real run only passes through."""
        window, session = self._window, self._session
        before = session.engine
        session.previous = _NAME
        stopped = "The engine stopped unexpectedly (RuntimeError). Reopen the model to go on."
        self._engine(EngineState(EnginePhase.FAILED, sentence=stopped, stopped=_NAME))
        yield Picture("card-stopped", window)
        self._engine(EngineState(EnginePhase.FAILED, sentence=_NO_ROOM))
        yield Picture("card-not-opened", window)
        loading = EngineState(
            EnginePhase.LOADING, stage="loading weights", fraction=0.42, total_bytes=8 << 30
        )
        self._engine(replace(loading, name=_NAME))
        self._stage.rest(0.6)
        yield Picture("loading", window)
        session.previous = ""
        self._engine(before)
        for problem in _PROBLEMS:
            window.problems.report(problem)
        yield Picture("problem-cards", window)
        for problem in _PROBLEMS:
            window.problems.withdraw(problem.key)

    def _switching(self) -> Iterator[Picture]:
        """A conversation that is with another model, and that one on its way."""
        window, session, bridge = self._window, self._session, self._stage.bridge
        own, session.current.model = session.current.model, f"/models/{_NAME}"
        session.load_times.add(session.current.model, 6.2)
        window.refresh()
        yield Picture("chat-other-model", window)
        bridge.perform(reducer.coming(session, Coming(_NAME, "loading weights", 0.42, 8 << 30)))
        self._stage.rest(0.6)
        yield Picture("chat-switching", window)
        bridge.perform(reducer.coming(session, None))
        bridge.perform(reducer.refused(session, Path(session.current.model), _NO_ROOM))
        yield Picture("chat-refused", window)
        bridge.perform(reducer.dismissed(session))
        session.current.model = own
        window.refresh()

    def _engine(self, state: EngineState) -> None:
        self._session.engine = state
        self._window.refresh()

    def _chat(self) -> Iterator[Picture]:
        window = self._window
        yield Picture("chat-empty", window)
        self._act("What is a prefix cache?")
        yield Picture("chat-mid-answer", window, self._stop_in_an_answer)
        self._act("/new")
        for step in CHATS[:5]:
            self._act(step)
        yield Picture("chat-one", window)
        for step in CHATS[5:]:
            self._act(step)
        yield Picture("chat-evictions", window)
        for view in VIEWS[1:]:
            self._act(f"/view {view}")
            yield Picture(f"chat-evictions-{view}", window)
        self._act(f"/view {VIEWS[0]}")
        window.show_cache(False)
        yield Picture("chat-cache-folded", window)
        window.show_chats(False)
        yield Picture("chat-alone", window)
        window.show_cache(True)
        window.show_chats(True)

    def _elsewhere(self) -> Iterator[Picture]:
        """The dialog that connects, and a chat with what it connects to."""
        self._window.menus.connection.trigger()
        dialog = self._window.connecting.dialog
        assert dialog is not None, "the menu opens it"
        dialog.address.setEditText(self._address)
        dialog.look_up.click()
        self._stage.until(lambda: bool(dialog.model.currentText()), _WAIT_S)
        yield Picture("connect", dialog)
        dialog.connect_.click()
        self._stage.until(lambda: self._session.engine.phase is EnginePhase.READY, _WAIT_S)
        for step in ELSEWHERE:
            self._act(step)
            self._stage.rest(_LOOKS_S)
        yield Picture("remote-chat", self._window)

    def _palette(self) -> Iterator[Picture]:
        palette = self._window.anything.palette
        for name, text in (("palette", ""), ("palette-words", "con"), ("palette-none", "xyzzy")):
            palette.open(text)
            yield Picture(name, self._window)
        palette.close_up()

    def _settings(self) -> Iterator[Picture]:
        pages = self._window.settings_page
        for section in ("model", "cache", "appearance", "shortcuts", "data"):
            page = pages.open()
            # Where a section stands changes with the size.
            show = partial(page.show_section, section)
            yield Picture(f"settings-{section}", self._window, show)
        page.search.setText("memory")
        yield Picture("settings-search", self._window)
        page.search.clear()
        pages.close()

    def _debugger(self) -> Iterator[Picture]:
        window = self._window
        window.debugger.show(True)
        for view in VIEWS:
            self._act(f"/view {view}")
            yield Picture(f"debugger-{view}", window)
        self._act(f"/view {VIEWS[0]}")
        yield Picture("debugger-node-none", window, lambda: self._act("/debugger node"))
        yield Picture("debugger-why-none", window, lambda: self._act("/debugger why"))
        requests = self._desk.state.source.tape.requests if self._desk.state.source else ()
        snapshot = self._session.snapshot
        deepest = max(snapshot.nodes, key=lambda node: node.end).id if snapshot else None
        for panel in (*SIDE, *BELOW):
            self._act(f"/debugger {panel}")
            if panel == "node":
                self._choose(Chosen(node=deepest))
            elif panel == "why":
                self._choose(Chosen(request=len(requests) - 1))
            if panel == "compare":
                yield Picture("debugger-compare-none", window)
                comparing = cast(ComparePanel, self._desk.panels["compare"])
                comparing.compare(demo_trace())
                self._stage.until(lambda at=comparing: at.other is not None, _WAIT_S)  # type: ignore[misc]
            yield Picture(f"debugger-{panel}", window)
        self._act("/debugger planes")
        self._act("/debugger timeline")
        window.debugger.show(False)

    def _lab(self) -> Iterator[Picture]:
        lab = self._window.lab
        for tab in TABS:
            self._act(f"/lab {tab}")
            assert lab.window is not None, "opening a tab opens the window"
            if tab == "recall":
                yield Picture("lab-recall-no-needle", lab.window)
                self._act("/needle 5512")
                self._act("/query 5512")
            yield Picture(f"lab-{tab.replace(' ', '-')}", lab.window)
        assert lab.window is not None
        lab.window.close()

    def _models(self) -> Iterator[Picture]:
        """What is here, one that is not, a mixture, and a repository that is none."""
        models = self._window.models
        models.open()
        window = models.window
        assert window is not None, "opening makes it"
        self._stage.until(lambda: not models.busy, _WAIT_S)
        yield Picture("models", window)
        for name, repo in (("4b", "Qwen/Qwen3.5-4B"), ("80b", "Qwen/Qwen3-Next-80B-A3B-Instruct")):
            models.choose(repo)
            yield Picture(f"models-{name}", window)
        for problem in _HUB_PROBLEMS:
            shown = window.detail.shown
            assert shown is not None, "a model was chosen"
            trouble = partial(window.show_model, replace(shown, problem=problem, can_keep=True))
            trouble()
            yield Picture(f"models-{problem.kind}", window, trouble)
        window.repo.setText("nothing")
        window.look.click()
        yield Picture("models-no-name", window)
        window.close()

    @property
    def _desk(self) -> Desk:
        desk = self._window.debugger.desk
        assert desk is not None, "it was shown before"
        return desk

    def _act(self, paragraph: str) -> None:
        """Do one step of a script and wait for what it starts."""
        problem = self._actor.do(parse_step(paragraph))
        if problem:
            raise SystemExit(problem)
        self._stage.rest(0.05)
        self._stage.until(lambda: not self._actor.waits, _WAIT_S)

    def _choose(self, chosen: Chosen) -> None:
        self._desk.state.choose(chosen)

    def _stop_in_an_answer(self) -> None:
        """Begin another answer and look at it while it grows."""
        self._stage.until(lambda: not self._actor.waits, _WAIT_S)
        self._actor.do(parse_step("/again"))
        self._stage.until(lambda: self._some_words, _WAIT_S)

    @property
    def _some_words(self) -> bool:
        last = self._session.current.last
        return last is not None and last.role == "assistant" and len(last.text) > 40


def take(
    tour: Tour, on: Stage, folder: Path, sizes: list[tuple[int, int]], names: set[str]
) -> Iterator[Path]:
    """Save every picture that is wanted, of all if none is named; yields its file."""
    left = set(names)
    for picture in tour.pictures():
        if names and picture.name not in names:
            continue
        left.discard(picture.name)
        for width, height in sizes:
            for mode in THEMES:
                theme.keeper().set_mode(mode)
                picture.widget.resize(width, height)
                on.rest(_REST_S)
                # On a busy computer one turn of the event loop may take all that time.
                on.pump(_TURNS)
                if picture.prepare is not None:
                    picture.prepare()
                    on.pump(3)
                path = folder / f"{width}x{height}" / f"{picture.name}-{mode}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                if not picture.widget.grab().save(str(path)):
                    raise SystemExit(f"{path} cannot be written.")
                yield path
        if names and not left:
            return


def main() -> None:
    """Take what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="gets SIZE/NAME-THEME.png")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--size", action="append", default=[], metavar="WxH")
    parser.add_argument("--connect", default="", metavar="URL")
    given = parser.parse_args()
    sizes = [_size(text) for text in given.size] or list(SIZES)
    with tempfile.TemporaryDirectory() as data, stage(Path(data), CONFIG, seed=0) as on:
        taken = list(take(Tour(on, given.connect), on, given.folder, sizes, set(given.only)))
    found = {path.stem.rpartition("-")[0] for path in taken}
    if missing := sorted(set(given.only) - found):
        raise SystemExit(f"There is no picture {', '.join(missing)}.")
    print(f"{len(taken)} pictures are in {given.folder}.")


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


if __name__ == "__main__":
    main()
