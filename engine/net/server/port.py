"""Interface to the run loop that executes requests, either the server's own or the window's."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Protocol, TypeVar

from engine.commands import Command
from engine.run.listeners import Listeners

if TYPE_CHECKING:
    from engine.run.core import Core

T = TypeVar("T")


class Port(Protocol):
    """`engine.loop.RunLoop` as the server uses it: commands in, events out.

    Other users of the same loop share the cache and its tree with the server's clients.

    Attributes:
        listeners: receive the events.
    """

    @property
    def listeners(self) -> Listeners: ...

    def post(self, command: Command) -> None:
        """Queue a command; returns at once."""

    def call(self, function: Callable[[Core], T], *, anytime: bool = False) -> Future[T]:
        """Run a function on the core on the loop's thread."""
