"""The cache over the wire: a snapshot, and what happens from now on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.plain import as_plain
from engine.serve.config import ServeConfig
from engine.serve.hub import Hub
from engine.serve.metrics import MEDIA_TYPE, metrics_text
from engine.serve.problem import Refused
from engine.serve.wire import EventStream, Json
from engine.snapshot import CacheSnapshot
from engine.trace.lines import entry_line, header_line

if TYPE_CHECKING:
    from engine.run.core import Core
    from engine.trace.feed import Feed, JournalFed

# How often events are sent, and how many viewers there may be at once.
SPACING_S = 0.25
MOST_VIEWERS = 8


def cache_routes(hub: Hub, config: ServeConfig) -> list[BaseRoute]:
    """/metrics, /v1/cache and /v1/cache/events."""
    viewers = 0

    async def metrics(request: Request) -> Response:
        try:
            cache = await hub.ask(_snapshot)
        except Refused:
            cache = None
        return Response(metrics_text(hub.book.snapshot, cache), media_type=MEDIA_TYPE)

    async def cache(request: Request) -> Response:
        snapshot = await hub.ask(_snapshot)
        clients = as_plain(hub.book.snapshot.clients)
        # Thousands of nodes take a while, in which others are to be served.
        return await asyncio.to_thread(lambda: Json(as_plain(snapshot) | {"clients": clients}))

    async def events(request: Request) -> Response:
        nonlocal viewers
        if viewers >= MOST_VIEWERS:
            raise Refused("rate_limit_error", f"{viewers} programs watch the cache already.")
        viewers += 1

        def left() -> None:
            nonlocal viewers
            viewers -= 1

        return EventStream(_lines(hub, left), config.send_s)

    return [
        Route("/metrics", metrics),
        Route("/v1/cache", cache),
        Route("/v1/cache/events", events),
    ]


def _snapshot(core: Core) -> CacheSnapshot:
    return core.snapshot()


async def _lines(hub: Hub, left: Callable[[], None]) -> AsyncIterator[bytes]:
    """The lines of a trace as events: the caches as they are, then every change."""
    feed: Feed | None = None
    try:
        # A recording begins between two requests.
        feed = await hub.ask(lambda core: core.recordings.feed(), anytime=False)
        take, origin = feed.take, time.monotonic()
        while True:
            batch = await hub.ask(lambda core: take())
            if batch is not None:
                yield await asyncio.to_thread(_encoded, batch, origin)
            await asyncio.sleep(SPACING_S)
    except Refused:
        # The model was closed; the stream ends.
        return
    finally:
        left()
        if feed is not None:
            stop = feed.stop
            # Its listeners belong to the engine's thread.
            with suppress(Refused):
                await hub.ask(lambda core: stop())


def _encoded(batch: JournalFed, origin: float) -> bytes:
    lines = [] if batch.header is None else [header_line(batch.header)]
    lines += [entry_line(one.entry, origin, one.request) for one in batch.lines]
    return "".join(f"data: {line}\n" for line in lines).encode("utf-8", "replace")
