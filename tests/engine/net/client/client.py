"""A loop to a server, and what it told: what tests talk through."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from engine import events
from engine.commands import Submit
from engine.config import Sampling
from engine.message import Message, PromptOptions
from engine.net.client.address import Address
from engine.net.client.connection import Connection
from engine.net.client.exchange import Patience
from engine.net.client.expecting import Watcher
from engine.net.client.loop import RemoteLoop
from tests.engine.net.client.server import MODEL

QUICK = Patience(connect_s=10, read_s=30)


class Client:
    """A loop and what it told."""

    def __init__(
        self,
        url: str,
        model: str = MODEL,
        token: str = "",
        patience: Patience = QUICK,
        watch: Callable[[], Watcher] | None = None,
    ) -> None:
        connection = Connection(Address.parse(url), model)
        self.loop = RemoteLoop(connection, token, patience=patience, watch=watch)
        self.told: list[events.Event] = []
        self.loop.start()

    def until(self, done: Callable[[events.Event], bool], limit_s: float = 90) -> events.Event:
        until = time.monotonic() + limit_s
        seen = 0
        while time.monotonic() < until:
            self.told += self.loop.drain()
            for one in self.told[seen:]:
                if done(one):
                    return one
            seen = len(self.told)
            time.sleep(0.002)
        raise AssertionError(f"it never came: {self.told}")

    def ready(self) -> events.ModelInfo:
        made = self.until(lambda e: isinstance(e, events.EngineReady | events.EngineFailed))
        assert isinstance(made, events.EngineReady), made
        return made.model

    def failure(self) -> str:
        made = self.until(lambda e: isinstance(e, events.EngineFailed))
        assert isinstance(made, events.EngineFailed)
        self.until(lambda e: isinstance(e, events.EngineClosed))
        return made.sentence

    def say(self, *said: str, number: int = 1, **more: Any) -> None:
        roles = ("user", "assistant")
        prompt = tuple(Message(roles[at % 2], text) for at, text in enumerate(said))
        options = more.pop("options", PromptOptions())
        self.loop.post(Submit(number, prompt, Sampling(**more), options))

    def asked(self, *said: str, **more: Any) -> Client:
        """Itself, when it is ready and has been asked something."""
        self.ready()
        self.say(*said, **more)
        return self

    def end(self, number: int = 1) -> events.RequestFinished:
        made = self.until(
            lambda e: (
                isinstance(e, events.RequestFinished | events.RequestFailed) and e.request == number
            )
        )
        assert isinstance(made, events.RequestFinished), made
        return made

    def fails(self, number: int = 1) -> str:
        made = self.until(lambda e: isinstance(e, events.RequestFailed) and e.request == number)
        assert isinstance(made, events.RequestFailed)
        return made.sentence

    @property
    def deltas(self) -> list[events.TextDelta]:
        return [e for e in self.told if isinstance(e, events.TextDelta)]


Connect = Callable[..., Client]
