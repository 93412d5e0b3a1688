"""A core without a model: what it is told to do when the run loop asks it for something."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from engine.plan.draft_depth import Depth
from engine.run.core import Core
from engine.run.notices import Notices
from engine.run.turns import Work
from engine.verdict import Verdict

Step = Callable[..., Any]


def _nothing(*_args: object, **_named: object) -> None:
    pass


def iter_nothing() -> Work[None]:
    yield from ()


class StubCore:
    """Answers with harmless values; `does[name]` takes the place of a method.

    Attributes:
        calls: names of the methods that were called, in order.
    """

    def __init__(self, **does: Step) -> None:
        self.does: dict[str, Step] = {
            "idle": lambda: False,
            "settle": lambda: 0,
            "answer": lambda submit, emit, cancelled: iter_nothing(),
            "check_each": tuple,
            "audit": lambda wanted: None,
            "verify": lambda node, wanted: Verdict("verified", 0.0, 0.0, 0.0),
            **does,
        }
        self.calls: list[str] = []
        self.info = SimpleNamespace(notes=())
        self.notices, self.depth = Notices(), Depth()
        self.store = SimpleNamespace(log_change=lambda what: None)
        self.recordings = SimpleNamespace(
            start=self.record, stop=self.stop_recording, feed=self.feed
        )
        self.tuning = SimpleNamespace(tune=self.tune)

    def __getattr__(self, name: str) -> Step:
        def call(*args: object, **named: object) -> object:
            self.calls.append(name)
            return self.does.get(name, _nothing)(*args, **named)

        return call

    def install(self, monkeypatch: pytest.MonkeyPatch) -> StubCore:
        """Be what every run loop opens from now on."""
        monkeypatch.setattr(Core, "open", lambda *args: self)
        return self


def fails(error: BaseException) -> Step:
    """A method that raises."""

    def raise_it(*args: object, **named: object) -> object:
        raise error

    return raise_it
