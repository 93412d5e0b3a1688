"""Internal failures: each is logged with its traceback and reported in one sentence."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from engine.errors import BiplaneError, unexpected
from engine.events import Notice

T = TypeVar("T")

log = logging.getLogger(__name__)


class Failures:
    """Runs steps that may fail, so that the caller can continue."""

    def __init__(self, emit: Callable[[Notice], None]) -> None:
        self._emit = emit
        self._known: set[str] = set()

    def tell(self, what: str, error: BaseException) -> None:
        """Log an error and report what failed."""
        self._emit(Notice(sentence=self.sentence(what, error)))

    def sentence(self, what: str, error: BaseException) -> str:
        """Log an error; returns the sentence for the user."""
        log.error("%s failed.", what, exc_info=error)
        return unexpected(what, error)

    def attempt(self, what: str, step: Callable[[], object]) -> bool:
        """Run a step, or report why it failed. Returns whether it succeeded."""
        try:
            step()
        except BiplaneError as error:
            self._emit(Notice(sentence=str(error)))
        except BaseException as error:
            # A panic in Rust code is not an Exception.
            self.tell(what, error)
        else:
            return True
        return False

    def background(self, what: str, step: Callable[[], T], otherwise: T) -> T:
        """Run background work; a recurring failure is reported only once."""
        try:
            return step()
        except BaseException as error:
            if what not in self._known:
                self._known.add(what)
                self.tell(what, error)
            return otherwise
