"""The search thread: asking never blocks, and only the newest query is answered."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass

from app.core.store.reader import Reader
from app.core.store.records import StoreError
from app.core.store.search import Hit
from app.core.store.store import Store
from app.core.words.tr import tr

# Waits this long for pending writes, so that the latest messages are found.
_SAVED_S = 0.2

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """The results of a search.

    Attributes:
        sentence: why it failed; "" if it did not.
    """

    query: str
    hits: tuple[Hit, ...] = ()
    sentence: str = ""


class Searcher:
    """Searches a store. The thread starts with the first query."""

    def __init__(self, store: Store, answer: Callable[[Answer], None]) -> None:
        """answer: called on the search thread; not for a query that a newer one replaced."""
        self._store, self._answer = store, answer
        self._changed = threading.Condition()
        self._question: str | None = None
        self._closing = False
        self._reader: Reader | None = None
        self._thread: threading.Thread | None = None

    def ask(self, query: str) -> None:
        """Search for all words of a query; a running search is aborted."""
        with self._changed:
            self._question = query
            if self._reader is not None:
                self._reader.interrupt()
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="searcher", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop the thread."""
        with self._changed:
            self._closing, self._question = True, None
            if self._reader is not None:
                self._reader.interrupt()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while (query := self._next()) is not None:
            try:
                answer = Answer(query, self._searched(query))
            except (StoreError, OSError, sqlite3.Error) as error:
                log.error("The conversations cannot be searched.", exc_info=error)
                answer = Answer(query, sentence=tr("The conversations cannot be searched."))
            with self._changed:
                current = self._question is None and not self._closing
            if current:
                self._answer(answer)
        if self._reader is not None:
            self._reader.disconnect()

    def _next(self) -> str | None:
        """Wait for the newest query; None after closing."""
        with self._changed:
            while self._question is None and not self._closing:
                self._changed.wait()
            query, self._question = self._question, None
            return query

    def _searched(self, query: str) -> tuple[Hit, ...]:
        if self._reader is None:
            reader = self._store.reader()
            with self._changed:
                self._reader = reader
        self._store.flush(_SAVED_S)
        return tuple(self._reader.search(query))
