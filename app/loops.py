"""The only file of the app that knows the engines' run loops: the interface it uses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine.commands import Command
from engine.config import EngineConfig
from engine.events import Event
from engine.remote.chat.connection import Connection

if TYPE_CHECKING:
    from engine.loop import RunLoop


class Loop(Protocol):
    """`engine.loop.RunLoop`, or a stand-in for it."""

    def start(self) -> None: ...

    def post(self, command: Command) -> None: ...

    def drain(self) -> list[Event]: ...

    def close(self, timeout_s: float | None = None) -> bool: ...


LoopFactory = Callable[[Path, EngineConfig], Loop]


def run_loop(folder: Path, config: EngineConfig) -> RunLoop:
    """The real one; imported here so that the window appears before the import finishes."""
    from engine.loop import RunLoop

    return RunLoop(folder, config)


def remote_loop(connection: Connection, token: str) -> Callable[[], Loop]:
    """Makes the loop of an engine elsewhere."""

    def make() -> Loop:
        from engine.remote.chat.loop import RemoteLoop

        return RemoteLoop(connection, token)

    return make
