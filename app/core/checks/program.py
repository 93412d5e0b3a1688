"""The deep checks: kernels, the bundled model, its cache, the server, and a window nobody sees.

Each runs to its end whatever the others find, so that a report names everything at once. Takes
about a minute, and calls the engine, so not for the window's process.
"""

from __future__ import annotations

import http.client
import json
import logging
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.core.checks.finding import Finding
from app.core.own_program import own_command, own_environment
from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.errors import BiplaneError

if TYPE_CHECKING:
    from engine import Engine

# The same wherever it runs: neither the user's cache files nor a graphics card take part.
_CACHE_BYTES = 64 << 20
_WINDOW_S = 180.0
_ANSWER_S = 120.0
_PNG = b"\x89PNG\r\n\x1a\n"
# A picture of an empty window is smaller.
_LEAST_PICTURE = 10_000
_REINSTALL = tr("Install Biplane again; if that does not help, copy this report and show it.")

log = logging.getLogger(__name__)


class Wrong(Exception):
    """What a check found wrong, in a sentence."""


# A check returns what it found in order, and raises Wrong.
_Check = Callable[[], str]


def program_findings(model: Path, progress: Callable[[str], None]) -> Iterator[Finding]:
    """All deep checks, one after the other.

    Args:
        model: the bundled model's folder.
        progress: called with what begins.
    """
    progress(tr("Comparing the kernels with their references"))
    yield _done("kernels", tr("Kernels"), _kernels)
    from engine import Engine, EngineConfig

    progress(tr("Opening the bundled model"))
    config = EngineConfig(device="cpu", cache_bytes=_CACHE_BYTES)
    began = time.perf_counter()
    try:
        engine = Engine.open(model, config)
    except BiplaneError as error:
        yield Finding("model", tr("Bundled model"), "problem", str(error), _REINSTALL)
    else:
        with engine:
            took = time.perf_counter() - began
            said = tr("{name} opens in {seconds}.").format(
                name=engine.model.name, seconds=fmt.seconds(took)
            )
            yield Finding("model", tr("Bundled model"), "ok", said, seconds=took)
            progress(tr("Comparing what it says with what it is known to say"))
            yield _done("logits", tr("Answers"), lambda: compare_logits(engine))
            progress(tr("Comparing cached with cold runs"))
            yield _done("audit", tr("Cache"), lambda: _audit(engine))
            progress(tr("Asking through the server"))
            yield _done("server", tr("Server"), lambda: _server(engine))
    progress(tr("Opening a window that nobody sees"))
    yield _done("window", tr("Window"), _window)


def _done(id: str, title: str, check: _Check) -> Finding:
    began = time.perf_counter()
    try:
        said = check()
    except (Wrong, BiplaneError) as error:
        return Finding(id, title, "problem", str(error), _REINSTALL, time.perf_counter() - began)
    except Exception as error:
        log.error("The check %s failed.", id, exc_info=error)
        said = tr("The check itself failed ({name}); see the log.").format(
            name=type(error).__name__
        )
        return Finding(id, title, "problem", said, _REINSTALL, time.perf_counter() - began)
    return Finding(id, title, "ok", said, seconds=time.perf_counter() - began)


def _kernels() -> str:
    from kernels.native.library import in_use
    from kernels.selftest import check_kernels

    checked = check_kernels()
    wrong = [one for one in checked if not one.passed]
    if wrong:
        raise Wrong(
            tr(
                "{what} is off by {error} of the largest value with {kernels}; {bound} is allowed. "
                "BIPLANE_KERNELS=torch avoids these kernels."
            ).format(
                what=wrong[0].name,
                error=f"{wrong[0].error:.2g}",
                kernels=in_use(),
                bound=f"{wrong[0].bound:.2g}",
            )
        )
    return tr("{count} operations agree with their references ({kernels}).").format(
        count=len(checked), kernels=in_use()
    )


def compare_logits(engine: Engine) -> str:
    """Compare what the bundled model says with what is stored. Raises Wrong."""
    from app.core.checks.stored_logits import BOUND, differences, read, stored_file

    try:
        stored = read(stored_file())
    except (OSError, ValueError) as error:
        raise Wrong(tr("The stored logits cannot be read.")) from error
    found = differences(stored, engine)
    for one in found:
        if not one.passed:
            raise Wrong(
                tr(
                    "Logits differ by {largest} ({bound} is allowed), and {same} of {tokens} "
                    "tokens are as stored."
                ).format(
                    largest=f"{one.largest:.3g}", bound=BOUND, same=one.same, tokens=one.tokens
                )
            )
    return tr("Logits differ by at most {largest}, and all {tokens} tokens are as stored.").format(
        largest=f"{max(one.largest for one in found):.2g}", tokens=sum(one.tokens for one in found)
    )


def _audit(engine: Engine) -> str:
    from engine.audit import audit

    report = audit(engine)
    wrong = [row.name for row in report.rows if not row.passed]
    if wrong:
        raise Wrong(
            tr("Cached and cold runs differ in {conversations}.").format(
                conversations=", ".join(wrong)
            )
        )
    return tr("{count} conversations give the same cached as cold.").format(count=len(report.rows))


def _server(engine: Engine) -> str:
    from engine.net.server import ServeConfig, Server

    server = Server(ServeConfig(hosts=("127.0.0.1",), port=0))
    server.attach(engine.loop, engine.model)
    server.start()
    try:
        answer = _ask(server.url, server.config.token, engine.model.name)
    finally:
        server.stop()
    if not answer:
        raise Wrong(tr("The server sent an empty answer."))
    return tr("The server answers.")


def _ask(url: str, token: str, model: str) -> str:
    """The answer to a question of a few tokens. No proxy takes part."""
    body = {"model": model, "max_tokens": 8, "messages": [{"role": "user", "content": "Hello"}]}
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_ANSWER_S)
    try:
        connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
        response = connection.getresponse()
        content = response.read(1 << 20)
    except (OSError, http.client.HTTPException) as error:
        raise Wrong(tr("The server does not answer.")) from error
    finally:
        connection.close()
    if response.status != 200:
        raise Wrong(tr("The server answers with status {status}.").format(status=response.status))
    return str(json.loads(content)["choices"][0]["message"]["content"])


def _window() -> str:
    with tempfile.TemporaryDirectory(prefix="biplane-check-") as folder:
        picture = Path(folder) / "window.png"
        command = own_command(
            *("--screenshot", str(picture), "--say", "Hello", "--max-tokens", "8"),
            *("--size", "1000x700", "--device", "cpu"),
        )
        environment = own_environment() | {"QT_QPA_PLATFORM": "offscreen"}
        try:
            done = subprocess.run(
                command,
                env=environment,
                cwd=folder,
                capture_output=True,
                timeout=_WINDOW_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Wrong(tr("The window did not open in time.")) from error
        if done.returncode != 0:
            told = done.stderr.decode(errors="replace").strip().splitlines()
            raise Wrong(
                tr("The window could not open: {reason}").format(
                    reason=told[-1] if told else done.returncode
                )
            )
        if not _is_picture(picture):
            raise Wrong(tr("The window opened, but showed nothing."))
    return tr("A window opens, asks and shows the answer.")


def _is_picture(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_PNG)) == _PNG and os.fstat(file.fileno()).st_size > _LEAST_PICTURE
