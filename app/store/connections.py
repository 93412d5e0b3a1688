"""The file that remembers which servers the user connected to. It holds no tokens."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from engine.errors import RemoteError
from engine.private_files import make_folder, open_private
from engine.remote.chat.address import Address
from engine.remote.chat.connection import Connection

MOST = 12
_MOST_BYTES = 64 << 10


def connections_file(memory: Path) -> Path:
    """Beside the file that remembers the window."""
    return memory.with_name("connections.json")


def load(path: Path) -> tuple[Connection, ...]:
    """The connections, the last one first; what cannot be read of a damaged file is left out."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return ()
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return ()
    listed = raw.get("connections") if isinstance(raw, dict) else None
    if not isinstance(listed, list):
        return ()
    read = [_read(one) for one in listed[: 2 * MOST]]
    return tuple(dict.fromkeys(one for one in read if one is not None))[:MOST]


def save(path: Path, connections: tuple[Connection, ...]) -> None:
    """Write the file atomically, readable by the user alone; failing is not worth an error."""
    raw = {"connections": [_raw(one) for one in connections]}
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError, ValueError):
        make_folder(path.parent)
        with open(open_private(draft), "w", encoding="utf-8") as file:
            file.write(json.dumps(raw, indent=1) + "\n")
        draft.replace(path)


def with_first(known: tuple[Connection, ...], new: Connection) -> tuple[Connection, ...]:
    """The connections after another one was made."""
    return (new, *(one for one in known if str(one) != str(new)))[:MOST]


def _raw(one: Connection) -> dict[str, str]:
    made = {"address": str(one.address), "model": one.model}
    if one.metrics is not None:
        made["metrics"] = str(one.metrics)
    if one.events:
        made["events"] = one.events
    return made


def _read(raw: object) -> Connection | None:
    if not isinstance(raw, dict):
        return None
    values = [raw.get(name, "") for name in ("address", "model", "metrics", "events")]
    if not all(isinstance(value, str) for value in values) or not all(values[:2]):
        return None
    address, model, metrics, events = values
    try:
        counters = Address.parse(metrics, path="/metrics") if metrics else None
        return Connection(Address.parse(address, path=""), model, counters, events)
    except RemoteError:
        return None
