"""Records the KV events of a running vLLM while it answers a few requests: a test's stream.

Start the engine first, in an environment of its own, with its events on a local socket:

    vllm serve MODEL --port 8100 --host 127.0.0.1 --enable-prefix-caching \\
        --enable-prompt-tokens-details --kv-events-config \\
        '{"enable_kv_cache_events": true, "publisher": "zmq", "endpoint": "ipc:///tmp/kv-events",
          "replay_endpoint": "ipc:///tmp/kv-replay"}'

then run this with Biplane's environment:

    python packaging/record_kv_events.py --events ipc:///tmp/kv-events \\
        --url http://127.0.0.1:8100 OUT.jsonl.gz

Each line of the file is a batch ("seq", "at", "payload" in hexadecimal digits), the moment before
a request ("asks"), or a request ("prompt" and "answer" as token ids, "cached" as the engine reports
it).
"""

from __future__ import annotations

import argparse
import gzip
import json
import threading
import time
import urllib.request
from typing import Any

import zmq

SYSTEM = "You are a careful assistant. Answer in one short sentence. " * 60
ASKED = (
    "Name a river.",
    "Name a mountain.",
    "What is the capital of France?",
    "Explain what a prefix cache is.",
)


def posted(url: str, body: dict[str, Any]) -> dict[str, Any]:
    """The answer to a JSON request."""
    data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as reply:
        found: dict[str, Any] = json.load(reply)
    return found


class Recording:
    """Lines from two threads, in the order in which they came."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._lock = threading.Lock()

    def add(self, **line: object) -> None:
        with self._lock:
            self.lines.append(line)


def listen(address: str, into: Recording, over: threading.Event) -> None:
    socket = zmq.Context.instance().socket(zmq.SUB)
    socket.setsockopt(zmq.SUBSCRIBE, b"")
    socket.connect(address)
    while not over.is_set():
        if socket.poll(100):
            *_, seq, payload = socket.recv_multipart()
            number = int.from_bytes(seq, "big")
            into.add(seq=number, at=time.time(), payload=payload.hex())
    socket.close(linger=0)


def prompts() -> list[list[dict[str, str]]]:
    """Conversations that share a long beginning: turns, an edit, a repetition, a second system."""
    head = {"role": "system", "content": SYSTEM}
    asked = [{"role": "user", "content": text} for text in ASKED]
    said = [{"role": "assistant", "content": f"Answer {n}, which is short."} for n in range(4)]
    turns = [
        [head, asked[0]],
        [head, asked[0], said[0], asked[1]],
        [head, asked[0], said[0], asked[1], said[1], asked[2]],
        [head, asked[0], said[0], asked[1], said[1], asked[2], said[2], asked[3]],
        [head, asked[3]],
        [head, asked[3], said[3], asked[0]],
    ]
    other = {"role": "system", "content": "Another beginning. " + SYSTEM}
    return [*turns, turns[3], turns[0], [other, asked[0]], [other, asked[1]], [asked[0]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--events", required=True, help="where the engine publishes")
    parser.add_argument("--url", required=True, help="where the engine answers")
    parser.add_argument("out")
    args = parser.parse_args()
    into, over = Recording(), threading.Event()
    thread = threading.Thread(target=listen, args=(args.events, into, over))
    thread.start()
    time.sleep(1.0)
    with urllib.request.urlopen(f"{args.url}/v1/models") as reply:
        model = json.load(reply)["data"][0]["id"]
    for messages in prompts():
        body = {"model": model, "messages": messages}
        ids = posted(f"{args.url}/tokenize", body)["tokens"]
        more = {"max_tokens": 24, "temperature": 0, "return_token_ids": True}
        into.add(asks=len(ids), at=time.time())
        answer = posted(f"{args.url}/v1/chat/completions", body | more)
        details = answer["usage"].get("prompt_tokens_details") or {}
        out = answer["choices"][0].get("token_ids") or []
        cached = details.get("cached_tokens")
        into.add(prompt=ids, answer=out, cached=cached, at=time.time())
        print(f"{len(ids):,} tokens, {cached} cached")
        time.sleep(0.5)
    over.set()
    thread.join()
    with gzip.open(args.out, "wt") as file:
        file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in into.lines)


if __name__ == "__main__":
    main()
