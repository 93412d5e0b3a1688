"""What the server tells about the cache: metrics, a snapshot, and events as they happen."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx2

from engine import Engine
from engine.journal.reader import TraceReader
from engine.net.server import Server
from tests.engine.net.server.conftest import TOKEN, Caller

CHAT = "/v1/chat/completions"
BODY = {"messages": [{"role": "user", "content": "Hello there!"}], "max_tokens": 4}


def values(text: str) -> dict[str, float]:
    pairs = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in pairs}


def test_metrics(caller: Caller, engine: Engine) -> None:
    before = values(caller.send("GET", "/metrics").text)
    usage = caller.post(CHAT, BODY)["usage"]
    response = caller.send("GET", "/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    after = values(response.text)
    assert after['biplane_requests_total{state="done"}'] == 1 + before.get(
        'biplane_requests_total{state="done"}', 0
    )
    parts = sum(
        after[f'biplane_prompt_tokens_total{{part="{part}"}}']
        - before[f'biplane_prompt_tokens_total{{part="{part}"}}']
        for part in ("reused", "replayed", "new")
    )
    assert parts == usage["prompt_tokens"]
    kept = 'biplane_draft_tokens_total{result="kept"}'
    details = usage["completion_tokens_details"]
    assert after[kept] - before[kept] == details["accepted_prediction_tokens"]
    rejected = 'biplane_draft_tokens_total{result="rejected"}'
    assert after[rejected] - before[rejected] == details["rejected_prediction_tokens"]
    assert (
        after["biplane_first_token_seconds_count"]
        == (after['biplane_first_token_seconds_bucket{le="+Inf"}'])
    )
    snapshot = engine.snapshot()
    used = (snapshot.kv.total - snapshot.kv.free) * snapshot.kv.slot_bytes
    assert after['biplane_plane_used_bytes{tier="device",plane="kv"}'] == used
    for name in values(response.text):
        assert re.fullmatch(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})?', name)


def test_a_snapshot(caller: Caller, engine: Engine) -> None:
    caller.post(CHAT, BODY)
    told = caller.send("GET", "/v1/cache").json()
    assert len(told["nodes"]) == len(engine.snapshot().nodes)
    known = {client["one_shots"] for client in told["clients"]}
    assert {branch["owner"] for branch in told["branches"]} & known


def test_events_are_a_trace(server: Server, caller: Caller, tmp_path: Path) -> None:
    lines: list[str] = []
    headers = {"authorization": f"Bearer {TOKEN}"}
    with httpx2.stream(
        "GET", f"{server.url}/v1/cache/events", headers=headers, timeout=60
    ) as stream:
        for line in stream.iter_lines():
            if not line.startswith("data: "):
                continue
            lines.append(line.removeprefix("data: "))
            if len(lines) == 1:
                caller.post(CHAT, BODY)
            if json.loads(lines[-1])["event"] == "request":
                break
    file = tmp_path / "events.jsonl"
    file.write_text("\n".join(lines) + "\n")
    assert json.loads(lines[0])["event"] == "header"
    assert any(entry.request is not None for entry in TraceReader(file))
