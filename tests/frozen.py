"""What no change of the structure may change, recorded as files that can be compared.

    python -m tests.frozen FOLDER          records
    python -m tests.frozen FOLDER OTHER    compares two records

A record is made from the commit before a move and from the one after it: commands and shortcuts,
settings, `--help`, routes and the shapes of their answers, pictures of every view in two
languages at two scales, results of the scenarios, replays of the bundled traces, and the shapes
of what `bench` prints. It is no part of the suite. FOLDER is made new.
"""

from __future__ import annotations

import contextlib
import dataclasses
import filecmp
import io
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
_BENCHES = {
    "cache": [],
    "decode": ["--layers", "4", "--repeats", "1", "--no-peers"],
    "formats": [],
    "gui": [],
    "prefill": ["--layers", "4", "--repeats", "1"],
    "quick": [],
    "remote": [],
    "switch": [],
    "turns": [],
    "agent": [],
}
_BENCH_S = 300
_QUESTION = [{"role": "user", "content": "Hello!"}]


def record(folder: Path) -> None:
    folder.mkdir(parents=True)
    _write(folder / "commands.json", list(_commands()))
    _write(folder / "settings.json", _settings())
    _write(folder / "help.json", _help([]))
    _write(folder / "scenarios.txt", _scenarios())
    _write(folder / "replays.json", _replays())
    _write(folder / "routes.json", _routes())
    for language in ("en", "zh_CN"):
        for scale in ("1", "2"):
            _pictures(folder / f"{language}-{scale}", language, scale)
    for name, options in _BENCHES.items():
        said = _biplane("bench", name, "--json", *options, limit_s=_BENCH_S)
        _write(folder / f"bench-{name}.json", _shape(_json_of(said)))


def compare(one: Path, other: Path) -> int:
    """Prints the files that differ; returns 1 if any does."""
    names = {str(path.relative_to(top)) for top in (one, other) for path in top.rglob("*.*")}
    differing = [
        name
        for name in sorted(names)
        if not (one / name).exists()
        or not (other / name).exists()
        or not filecmp.cmp(one / name, other / name, shallow=False)
    ]
    for name in differing:
        print(f"differs: {name}")
    print(f"{len(names)} files, {len(differing)} differ")
    return 1 if differing else 0


def _write(path: Path, what: Any) -> None:
    text = what if isinstance(what, str) else json.dumps(what, indent=1, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")


def _commands() -> Iterator[list[Any]]:
    from app.ui.menus.command_table import MENUS

    for menu in MENUS:
        for command in menu.commands():
            yield [menu.id, *dataclasses.astuple(command)]


def _settings() -> dict[str, Any]:
    from app.core.preferences.table import Preferences
    from engine.config import EngineConfig, Sampling

    return {
        kind.__name__: {
            field.name: [
                repr(field.default),
                repr(dict(field.metadata)),
            ]
            for field in dataclasses.fields(kind)
        }
        for kind in (Preferences, EngineConfig, Sampling)
    }


def _help(words: list[str]) -> dict[str, str]:
    """The help of a command and of all below it."""
    said = _biplane(*words, "--help")
    found = {" ".join(words): said}
    below = said.partition("positional arguments:")[2].partition("\n\n")[0]
    if "..." in said.partition("\n\n")[0]:
        for name in re.findall(r"^    ([a-z][a-z-]*)(?:  |$)", below, re.MULTILINE):
            if len(words) < 2:
                found |= _help([*words, name])
    return found


def _biplane(*words: str, limit_s: float = 120) -> str:
    try:
        run = subprocess.run(
            [sys.executable, "-m", "app.cli.main", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=limit_s,
            env=os.environ | {"COLUMNS": "100", "QT_QPA_PLATFORM": "offscreen"},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not done in {limit_s} s"
    return run.stdout or run.stderr


def _json_of(said: str) -> Any:
    try:
        return json.loads(said)
    except ValueError:
        return said


def _shape(value: Any) -> Any:
    """Names and kinds of what is in plain data; of a list, its first entry."""
    if isinstance(value, dict):
        return {name: _shape(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_shape(value[0])] if value else []
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def _scenarios() -> str:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/scenarios", "-q", "-rA", "-p", "no:cacheprovider"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    return "\n".join(sorted(re.findall(r"^(?:PASSED|FAILED|ERROR) \S+", run.stdout, re.MULTILINE)))


def _replays() -> dict[str, Any]:
    traces = [ROOT / "assets/demo.trace.jsonl.gz", *(ROOT / "tests/assets/traces").iterdir()]
    found = {}
    for path in sorted(traces):
        for action in ("replay", "show"):
            said = _json_of(_biplane("trace", action, str(path), "--json"))
            found[f"{action} {path.name}"] = said
    return found


def _routes() -> dict[str, Any]:
    """Every route of a real server, and the shapes of its answers."""
    options = ["--port", "0", "--disk-mb", "0", "--no-token"]
    command = [sys.executable, "-m", "app.cli.main", "serve", *options]
    found: dict[str, Any] = {}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = ""
            while not address:
                said = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
                address = said.group(0) if said else ""
            for path, body in _requests().items():
                found[path] = _shape(_ask(address + path, body))
        finally:
            server.terminate()
    return found


def _requests() -> dict[str, Any]:
    chat = {"model": "x", "messages": _QUESTION, "max_tokens": 4}
    return {
        "/health": None,
        "/v1/models": None,
        "/v1/cache": None,
        "/v1/chat/completions": chat,
        "/v1/completions": {"model": "x", "prompt": "Hello", "max_tokens": 4},
        "/v1/responses": {"model": "x", "input": "Hello", "max_output_tokens": 4},
        "/v1/messages": chat,
        "/v1/messages/count_tokens": {"model": "x", "messages": _QUESTION},
        "/v1/chat/completions?": {"model": "x"},
        "/v1/none": None,
    }


def _ask(url: str, body: Any) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with contextlib.suppress(ValueError):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(io.TextIOWrapper(answer, "utf-8"))
        except urllib.error.HTTPError as error:
            return {str(error.code): json.loads(error.read())}
    return None


def _pictures(folder: Path, language: str, scale: str) -> None:
    folder.mkdir()
    variables = {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    subprocess.run(
        [sys.executable, "-m", "tests.app.every_view", language, "light", str(folder)],
        cwd=ROOT,
        env=os.environ | variables,
        stdout=subprocess.DEVNULL,
        check=True,
    )


if __name__ == "__main__":
    given = [Path(word) for word in sys.argv[1:]]
    if len(given) == 2:
        sys.exit(compare(*given))
    record(*given)
