"""Help > Copy diagnostics, and crash reports: what helps to find an error, without chat text.

Without Qt. The user's home folder is written as "~".
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

from app.core.checks.finding import Finding
from app.core.launch_marker import LostLaunch
from app.core.log import Log
from app.core.preferences.book import Book
from app.core.preferences.table import SPECS
from app.core.session.model import Session
from app.core.version import app_version
from app.core.words import format as fmt
from engine.machine_speed import processor

_PACKAGES = ("torch", "PySide6-Essentials", "safetensors", "tokenizers", "jinja2", "numpy")
_LOG_LINES = 80
_LOG_BYTES = 64 << 10
# At this level the log may contain text of a conversation.
_TELLING = re.compile(r"log level (is )?debug")
_NO_LOG = "(left out: it was written at the debug level, and may hold text of your chats)"


def diagnostics(
    session: Session,
    book: Book,
    log: Log,
    desktop: Mapping[str, str],
    found: Sequence[Finding] = (),
) -> str:
    """Describe the program, the machine, the model and the settings, and append the log's tail.

    Args:
        desktop: facts about the window system, one per line.
        found: by the last look at this computer; what is in order is left out.
    """
    sections = [
        ("Biplane", {**_program(), **desktop}),
        ("Machine", _machine()),
        ("Not in order", {one.title: one.text for one in found if one.level != "ok"}),
        ("Model", _model(session)),
        ("Cache", _cache(session)),
        ("Settings that are not the default", _settings(book)),
    ]
    parts = [f"{title}\n{_lines(values)}" for title, values in sections if values]
    parts.append(f"Log\n{log_tail(log)}")
    return without_home("\n\n".join(parts)) + "\n"


def crash_report(lost: Sequence[LostLaunch], log: Log) -> str:
    """Describe runs that ended unexpectedly."""
    parts = [_lines(_program()), _lines(_machine())]
    parts += [
        f"Process {run.pid}, started {run.started.isoformat(' ', 'seconds')}\n"
        + (run.stack or "It left no report: it was killed, or the power failed.")
        for run in lost
    ]
    parts.append(f"Log\n{log_tail(log)}")
    return without_home("\n\n".join(parts)) + "\n"


def without_home(text: str) -> str:
    """The text with "~" for the home folder."""
    home = Path.home()
    for folder in sorted({str(home), os.path.realpath(home)}, key=len, reverse=True):
        if len(folder) > 1:
            text = re.sub(rf"{re.escape(folder)}(?=/|\b)", "~", text)
    return text


def log_tail(log: Log) -> str:
    """The last lines of the log, unless they may contain text of a conversation."""
    if log.problem:
        return log.problem
    try:
        with log.path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _LOG_BYTES))
            text = file.read(_LOG_BYTES).decode(errors="replace")
    except OSError as error:
        return f"(it cannot be read: {error.strerror or error})"
    # The beginning of such a run may be in the previous log file.
    debugging = any(_TELLING.search(line) for line in text.splitlines()) or " DEBUG " in text
    return _NO_LOG if debugging else "\n".join(text.splitlines()[-_LOG_LINES:])


def _program() -> dict[str, str]:
    found = {"Version": app_version(), "Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _machine() -> dict[str, str]:
    memory = psutil.virtual_memory()
    return {
        "System": platform.platform(),
        "Processor": processor()[0],
        "Cores": f"{psutil.cpu_count(logical=False)} ({psutil.cpu_count()} threads)",
        "Memory": f"{fmt.byte_size(memory.total)}, {fmt.byte_size(memory.available)} available",
    }


def _model(session: Session) -> dict[str, str]:
    engine = session.engine
    found = {"State": engine.phase.value}
    if engine.sentence:
        found["Problem"] = engine.sentence
    model = engine.model
    if model is not None:
        found |= {
            "Name": f"{model.name} ({model.family})",
            "Folder": model.folder,
            "Weights": f"{fmt.byte_size(model.weight_bytes)}, {model.weights or model.dtype}",
            "Computes": f"{model.dtype} on {model.device} ({model.kernels or 'no kernels'})",
            "Context": f"{fmt.count(model.context)} tokens",
        }
    return found


def _cache(session: Session) -> dict[str, str]:
    snapshot = session.cache.snapshot
    if snapshot is None:
        return {}
    kv, state = snapshot.kv, snapshot.state
    found = {
        "Nodes": fmt.count(len(snapshot.nodes)),
        "Planes": f"{fmt.byte_size(kv.budget_bytes)} and {fmt.byte_size(state.budget_bytes)}",
    }
    disk = snapshot.disk
    if disk is not None:
        used, budget = fmt.byte_size(disk.used_bytes), fmt.byte_size(disk.budget_bytes)
        found["Disk"] = f"{disk.files} files, {used} of {budget}, {disk.damaged} damaged"
        if disk.trouble:
            found["Disk problem"] = disk.trouble
    return found


def _settings(book: Book) -> dict[str, Any]:
    return {spec.key: book.now(name) for name, spec in SPECS.items() if _differs(book, name)}


def _differs(book: Book, name: str) -> bool:
    return bool(book.now(name) != SPECS[name].default)


def _lines(values: Mapping[str, object]) -> str:
    return "\n".join(f"  {name}: {value}" for name, value in values.items())
