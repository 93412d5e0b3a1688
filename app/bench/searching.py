"""Search over ten thousand messages."""

from __future__ import annotations

import time
from pathlib import Path

from app.bench.figure import Figure, figure
from app.bench.talks import SEARCHED, add_searched
from app.store.opening import open_store

SEARCH_MS = 50.0
# One that every message has, one that few have, two words, a beginning, none, signs.
QUERIES = ("rivers", "quokka7", "gardens machines", "mach", "zebra", "message number 42")


def search_figure(folder: Path, runs: int) -> Figure:
    """The slowest of the queries; each run is the median of its repetitions."""
    store = open_store(folder).store
    try:
        add_searched(store, 1)
        slowest = [max(_once(store.search, query) for query in QUERIES) for _ in range(runs)]
    finally:
        store.close()
    what = f"search over {SEARCHED:,} messages, slowest of {len(QUERIES)} queries"
    return figure("search", what, slowest, SEARCH_MS)


def _once(search: object, query: str) -> float:
    assert callable(search)
    begun = time.perf_counter()
    search(query)
    return 1e3 * (time.perf_counter() - begun)
