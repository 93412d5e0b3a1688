"""The only file of the app that imports the engines' run loops; defines the interface it uses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine.commands import Command
from engine.config import EngineConfig
from engine.events import Event
from engine.net.client.connection import Connection

if TYPE_CHECKING:
    from engine.loop import RunLoop
    from engine.net.client.expecting import Watcher


class Loop(Protocol):
    """`engine.loop.RunLoop`, or a stand-in for it."""

    def start(self) -> None: ...

    def post(self, command: Command) -> None: ...

    def drain(self) -> list[Event]: ...

    def wake_with_next(self, wake: Callable[[], None]) -> None: ...

    def close(self, timeout_s: float | None = None) -> bool: ...


LoopFactory = Callable[[Path, EngineConfig], Loop]


class Loops:
    """Creates the run loops of local and remote models."""

    def __init__(self, factory: LoopFactory) -> None:
        """factory: creates the loop for a model's folder."""
        self._factory = factory
        # Factories for connections, kept for reconnecting: only they know the token.
        self._makers: dict[Connection, Callable[[], Loop]] = {}

    def learn(self, connection: Connection, make: Callable[[], Loop]) -> None:
        """Register how to connect."""
        self._makers[connection] = make

    def make(self, place: Path | Connection, config: EngineConfig) -> Loop:
        """Create a loop, unstarted."""
        if isinstance(place, Connection):
            return self._makers[place]()
        return self._factory(place, config)


def run_loop(folder: Path, config: EngineConfig) -> RunLoop:
    """The real loop; imported lazily, so that the window appears before the import finishes."""
    from engine.loop import RunLoop

    return RunLoop(folder, config)


def remote_loop(
    connection: Connection, token: str, watch: Callable[[], Watcher] | None = None
) -> Callable[[], Loop]:
    """A factory for the loop of an engine elsewhere.

    watch: starts following its KV events, on a thread of the loop.
    """

    def make() -> Loop:
        from engine.net.client.loop import RemoteLoop

        return RemoteLoop(connection, token, watch=watch)

    return make
