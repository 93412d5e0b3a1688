"""Search over ten thousand messages: in the store, and from a key in the field to the results."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from app.bench.figure import Figure, figure
from app.bench.stage import Stage, stage
from app.bench.talks import SEARCHED, add_searched
from app.shell.searching import Searching
from app.store.opening import open_store
from app.store.store import Store
from engine.config import EngineConfig

SEARCH_MS = 50.0
# One that every message has, one that few have, two words, a beginning, none, signs.
QUERIES = ("rivers", "quokka7", "gardens machines", "mach", "zebra", "message number 42")
_TIMEOUT_S = 30.0


def search_figures(folder: Path, config: EngineConfig, runs: int) -> Iterator[Figure]:
    """The slowest of the queries in each run. Raises BiplaneError if no results come."""
    store = open_store(folder).store
    try:
        add_searched(store, 1)
        found = [max(_found_ms(store, query) for query in QUERIES) for _ in range(runs)]
    finally:
        store.close()
    over = f"{SEARCHED:,} messages, slowest of {len(QUERIES)} queries"
    yield figure("search", f"search over {over}", found, SEARCH_MS)
    with stage(folder, config) as made:
        searching = Searching(made.window, made.bridge, made.keeper)
        try:
            shown = [
                max(_shown_ms(made, searching, query) for query in QUERIES) for _ in range(runs)
            ]
        finally:
            searching.close()
    yield figure("search_shown", f"from a key to the results, {over}", shown, SEARCH_MS)


def _found_ms(store: Store, query: str) -> float:
    begun = time.perf_counter()
    store.search(query)
    return 1e3 * (time.perf_counter() - begun)


def _shown_ms(made: Stage, searching: Searching, query: str) -> float:
    """From a text in the field until its results are painted."""
    field = made.window.chats.search
    answers: list[object] = []
    searching.answered.connect(answers.append)
    begun = time.perf_counter()
    field.setText(query)
    made.until(lambda: bool(answers), _TIMEOUT_S)
    made.pump(2)
    cost = 1e3 * (time.perf_counter() - begun)
    searching.answered.disconnect(answers.append)
    field.clear()
    made.rest()
    return cost
