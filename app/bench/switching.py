"""`biplane bench switch`: alternates between two models in two chats, and measures returning."""

from __future__ import annotations

import json
import shutil
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
from PySide6.QtCore import QCoreApplication

from app.core.bridge import Bridge
from app.core.loops import run_loop
from app.core.session.model import Session
from app.core.session.records import EnginePhase, Turn
from engine.bench.harness import Progress, seconds
from engine.config import EngineConfig
from engine.errors import BiplaneError
from engine.storage.segment_file import SUFFIX

_WAIT_S = 600.0
_QUESTIONS = (
    "Hello! My name is Greta and my code is 5512.",
    "What is a prefix cache, and what does it keep of a conversation?",
    "What is a checkpoint?",
    "And a tombstone?",
    "What is prefill, and what is decode?",
)


@dataclass(frozen=True, slots=True)
class Return:
    """The first question after returning to the first model.

    Attributes:
        prompt, reused: its tokens, and those reused from the cache.
        switch_s: from requesting the model until it was open.
        first_token_s: from the question's start until the first token.
        cache_bytes: of the open model's planes, without the running request's state.
        file_bytes: of both models' cache files.
        rss_bytes: of the process, with the model open.
    """

    prompt: int
    reused: int
    switch_s: float
    first_token_s: float
    cache_bytes: int
    file_bytes: int
    rss_bytes: int


@dataclass(frozen=True, slots=True)
class SwitchingReport:
    """The results of alternating.

    Attributes:
        returns: one per round.
        cache_budget, disk_budget: in bytes.
        threads: number of leaked threads at the end.
        files: in the cache folder that are not complete cache files.
    """

    returns: tuple[Return, ...]
    cache_budget: int
    disk_budget: int
    threads: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def reused_share(self) -> float:
        """The reused share of the prompts after returning."""
        return sum(one.reused for one in self.returns) / sum(one.prompt for one in self.returns)

    @property
    def switch_s(self) -> float:
        """Median."""
        return statistics.median(one.switch_s for one in self.returns)

    @property
    def first_token_s(self) -> float:
        """Median."""
        return statistics.median(one.first_token_s for one in self.returns)


class _Program:
    """A session and its bridge, driven by hand."""

    def __init__(self, config: EngineConfig) -> None:
        self.app = QCoreApplication.instance() or QCoreApplication(["biplane"])
        self.session = Session(given={"temperature": 0.0, "max_tokens": 12})
        self.bridge = Bridge(self.session, config, run_loop)
        self.bridge.watch("pane", on=True)

    def until(self, done: Callable[[], bool]) -> None:
        ends = time.monotonic() + _WAIT_S
        while not done():
            engine = self.session.engine
            if engine.phase is EnginePhase.FAILED or self.session.refused is not None:
                refused = self.session.refused
                raise BiplaneError(refused.sentence if refused else engine.sentence)
            if time.monotonic() > ends:
                raise BiplaneError("The engine did not respond in time.")
            self.bridge.take()
            self.app.processEvents()
            time.sleep(0.001)

    def open(self, folder: Path) -> float:
        """Open a model; returns the seconds it took."""

        def opened() -> None:
            self.bridge.open_model(folder, follow=False)
            self.until(lambda: self.session.model_folder == str(folder) and self._ready)

        return seconds(opened)

    def ask(self, conversation: int, text: str) -> Turn:
        self.bridge.perform(self.session.select(conversation))
        self.bridge.perform(self.session.send(text))
        self.until(lambda: not self.session.busy)
        last = self.session.current.last
        assert last is not None, "a question was asked"
        return last

    @property
    def cache_bytes(self) -> int:
        """Of both planes, as reported by the engine."""
        self.until(lambda: self.session.cache.snapshot is not None)
        assert self.session.cache.snapshot is not None, "it was waited for"
        memory, model = self.session.cache.snapshot.memory, self.session.engine.model
        assert model is not None, "it is open"
        return memory.kv_plane + memory.state_plane - model.checkpoint_bytes

    @property
    def _ready(self) -> bool:
        return self.session.engine.phase is EnginePhase.READY


def bench_switching(
    first: Path, second: Path, config: EngineConfig, rounds: int, progress: Progress
) -> SwitchingReport:
    """Chat with two models in turn. Raises BiplaneError if one of them cannot be opened.

    Args:
        config: with a folder for the cache files.
    """
    assert config.cache_dir is not None, "without files nothing is there after coming back"
    threads = set(threading.enumerate())
    program = _Program(config)
    try:
        returns = tuple(_rounds(program, first.absolute(), second.absolute(), rounds, progress))
    finally:
        closed = program.bridge.close(_WAIT_S)
        program.bridge.deleteLater()
        program.app.processEvents()
    left = [thread.name for thread in threading.enumerate() if thread not in threads]
    if not closed:
        left.append("an engine that did not end")
    half = [one for one in config.cache_dir.rglob("*") if one.is_file() and one.suffix != SUFFIX]
    return SwitchingReport(
        returns,
        config.cache_bytes,
        config.disk_bytes,
        tuple(left),
        tuple(str(path.relative_to(config.cache_dir)) for path in half),
    )


def _rounds(
    program: _Program, first: Path, second: Path, rounds: int, progress: Progress
) -> list[Return]:
    session, cache_dir = program.session, program.bridge.settings.config.cache_dir
    assert cache_dir is not None, "checked by the caller"
    program.open(first)
    ours = session.current.id
    for question in _QUESTIONS[:2]:
        program.ask(ours, question)
    program.bridge.perform(session.new_conversation())
    theirs = session.current.id
    found = []
    for number in range(rounds):
        progress(f"round {number + 1} of {rounds}")
        program.open(second)
        program.ask(theirs, _QUESTIONS[number % len(_QUESTIONS)])
        took = program.open(first)
        answer = program.ask(ours, _QUESTIONS[(number + 2) % len(_QUESTIONS)])
        report = answer.report
        assert report is not None, "it was answered"
        found.append(
            Return(
                report.plan.total,
                report.plan.reused,
                took,
                report.first_token_s or 0.0,
                program.cache_bytes,
                sum(path.stat().st_size for path in cache_dir.rglob("*") if path.is_file()),
                psutil.Process().memory_info().rss,
            )
        )
    return found


def copied_model(source: Path, folder: Path) -> Path:
    """Copy a model, which gets a cache of its own; returns the copy's folder."""
    shutil.copytree(source, folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    # The fingerprint covers the whole configuration.
    config["biplane_copy"] = folder.name
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder
