"""Failures of our own: each is logged with its traceback and told in one sentence."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from engine.errors import BiplaneError, unexpected
from engine.events import Notice

T = TypeVar("T")

log = logging.getLogger(__name__)


class Failures:
    """Does what may fail, so that whoever asked for it goes on."""

    def __init__(self, emit: Callable[[Notice], None]) -> None:
        self._emit = emit
        self._known: set[str] = set()

    def tell(self, what: str, error: BaseException) -> None:
        """Log an error and tell what failed of it."""
        self._emit(Notice(sentence=self.sentence(what, error)))

    def sentence(self, what: str, error: BaseException) -> str:
        """Log an error; returns the sentence for the user."""
        log.error("%s failed.", what, exc_info=error)
        return unexpected(what, error)

    def attempt(self, what: str, step: Callable[[], object]) -> bool:
        """Do what somebody asked for; where it cannot be done, say why. Returns whether it was."""
        try:
            step()
        except BiplaneError as error:
            self._emit(Notice(sentence=str(error)))
        except BaseException as error:
            # Rust code that panics raises no Exception.
            self.tell(what, error)
        else:
            return True
        return False

    def background(self, what: str, step: Callable[[], T], otherwise: T) -> T:
        """Do what nobody asked for; where it fails again and again, that is told once."""
        try:
            return step()
        except BaseException as error:
            if what not in self._known:
                self._known.add(what)
                self.tell(what, error)
            return otherwise
