"""The cache over HTTP: metrics, snapshots, and a stream of events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.journal.lines import entry_line, header_line
from engine.net.server.config import ServeConfig
from engine.net.server.hub import Hub
from engine.net.server.problem import Refused
from engine.net.server.registry import BUCKETS, ServerSnapshot
from engine.net.server.wire import EventStream, Json
from engine.plain import as_plain
from engine.snapshot import CacheSnapshot

if TYPE_CHECKING:
    from engine.journal.feed import Feed, JournalFed
    from engine.run.core import Core


# How often events are sent, and how many viewers there may be at once.
SPACING_S = 0.25
MOST_VIEWERS = 8
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Labels = Mapping[str, str]


def metrics_text(server: ServerSnapshot, cache: CacheSnapshot | None) -> str:
    """All metrics; those of the cache are omitted while no model is open."""
    lines: list[str] = []
    totals = server.totals
    _add(
        lines,
        "biplane_requests_total",
        "counter",
        "Requests that ended, by how.",
        [({"state": state}, count) for state, count in totals.requests],
    )
    waiting = sum(one.state == "waiting" for one in server.open)
    _add(lines, "biplane_requests_waiting", "gauge", "Requests that wait.", [({}, waiting)])
    running = len(server.open) - waiting
    _add(lines, "biplane_requests_running", "gauge", "Requests that run.", [({}, running)])
    prompt = {"reused": totals.reused, "replayed": totals.replayed, "new": totals.new}
    _add(
        lines,
        "biplane_prompt_tokens_total",
        "counter",
        "Tokens of prompts: from the cache, run again for a state, and new.",
        [({"part": part}, count) for part, count in prompt.items()],
    )
    _add(
        lines,
        "biplane_generated_tokens_total",
        "counter",
        "Tokens of answers.",
        [({}, totals.generated)],
    )
    drafts = {"kept": totals.drafts_kept, "rejected": totals.drafted - totals.drafts_kept}
    _add(
        lines,
        "biplane_draft_tokens_total",
        "counter",
        "Tokens that were drafted, by what became of them.",
        [({"result": result}, count) for result, count in drafts.items()],
    )
    _add(
        lines,
        "biplane_first_token_seconds",
        "histogram",
        "Time from the start of a request's run to its first token.",
        [({"le": f"{most:g}"}, n) for most, n in zip(BUCKETS, totals.first_token, strict=True)]
        + [({"le": "+Inf"}, totals.first_tokens)],
        "_bucket",
    )
    lines.append(f"biplane_first_token_seconds_sum {totals.first_token_s!r}")
    lines.append(f"biplane_first_token_seconds_count {totals.first_tokens}")
    if cache is not None:
        _add_cache(lines, cache)
    return "\n".join(lines) + "\n"


def _add_cache(lines: list[str], cache: CacheSnapshot) -> None:
    pools = [("device", "kv", cache.kv), ("device", "state", cache.state)]
    if cache.host is not None:
        pools += [("host", "kv", cache.host.kv), ("host", "state", cache.host.state)]
    used: list[tuple[Labels, float]] = []
    room: list[tuple[Labels, float]] = []
    for tier, plane, pool in pools:
        labels = {"tier": tier, "plane": plane}
        used.append((labels, (pool.total - pool.free) * pool.slot_bytes))
        room.append((labels, pool.total * pool.slot_bytes))
    if cache.disk is not None:
        files = {"tier": "disk", "plane": "both"}
        used.append((files, cache.disk.used_bytes))
        room.append((files, cache.disk.budget_bytes))
    _add(lines, "biplane_plane_used_bytes", "gauge", "Bytes in use, by tier and plane.", used)
    _add(lines, "biplane_plane_bytes", "gauge", "Bytes there are, by tier and plane.", room)
    _add(
        lines,
        "biplane_evictions_total",
        "counter",
        "Evictions since the model was opened, by cause.",
        [({"cause": cause}, count) for cause, count in cache.evicted],
    )
    points = sum(node.checkpoint is not None for node in cache.nodes)
    _add(lines, "biplane_nodes", "gauge", "Nodes of the tree.", [({}, len(cache.nodes))])
    _add(lines, "biplane_checkpoints", "gauge", "Checkpoints of the tree.", [({}, points)])
    skipped: list[tuple[Labels, float]] = [({}, cache.skipped_checkpoints)]
    about = "Checkpoints not taken because every slot was locked."
    _add(lines, "biplane_checkpoints_skipped_total", "counter", about, skipped)


def _add(
    lines: list[str],
    name: str,
    kind: str,
    about: str,
    values: Iterable[tuple[Labels, float]],
    suffix: str = "",
) -> None:
    lines += [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]
    for labels, value in values:
        shown = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        lines.append(f"{name}{suffix}" + (f"{{{shown}}}" if shown else "") + f" {value}")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def cache_routes(hub: Hub, config: ServeConfig) -> list[BaseRoute]:
    """/metrics, /v1/cache and /v1/cache/events."""
    viewers = 0

    async def metrics(request: Request) -> Response:
        try:
            cache = await hub.ask(_snapshot)
        except Refused:
            cache = None
        return Response(metrics_text(hub.registry.snapshot, cache), media_type=MEDIA_TYPE)

    async def cache(request: Request) -> Response:
        snapshot = await hub.ask(_snapshot)
        clients = as_plain(hub.registry.snapshot.clients)
        # Thousands of nodes take a while; do not block the event loop.
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
    """The lines of a trace as events: the current caches, then every change."""
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
        # The model was closed, so the stream ends.
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
