"""The program is killed at random moments of a download, and its disk fills up."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.hub.download import Download
from engine.hub.library import Library
from tests.engine.hub.hub_server import REPO, Hub
from tests.engine.hub.test_download import is_whole
from tests.present import present

KILLS, LONGEST_S, EARLY = 20, 0.1, 5
FULL_DISK = """
import resource, sys
from engine.hub.download import Download
from engine.hub.library import Library
root, repo, endpoint, most = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
ended = Download(Library(__import__("pathlib").Path(root)), repo, endpoint=endpoint).run()
print(ended.phase, ended.problem and ended.problem.kind, ended.problem, flush=True)
"""


# Starts one program after another, forked from here, with every import done.
STARTER = """
import os, signal, sys
from engine.hub.download import Download
from engine.hub.library import Library
from engine.hub.listing import list_repo
root, repo, endpoint = sys.argv[1:]
list_repo(repo, endpoint=endpoint)
# Nobody waits for the killed.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in sys.stdin:
    child = os.fork()
    if not child:
        Download(Library(__import__("pathlib").Path(root)), repo, endpoint=endpoint).run()
        os._exit(0)
    print(child, flush=True)
"""


class Starter:
    """Starts programs that download, and are to be killed."""

    def __init__(self, library: Library, server: Hub) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", STARTER, str(library.root), REPO, server.endpoint],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self) -> int:
        """The id of a new program."""
        print(file=present(self._process.stdin), flush=True)
        return int(present(self._process.stdout).readline())

    def close(self) -> None:
        self._process.communicate(timeout=60)


@pytest.fixture
def starter(library: Library, server: Hub) -> Iterator[Starter]:
    starter = Starter(library, server)
    yield starter
    starter.close()


def kill(process: int) -> None:
    """At once, and until it is gone."""
    os.kill(process, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        while True:
            os.kill(process, 0)
            time.sleep(0.002)


@pytest.mark.timeout(240)
@pytest.mark.slow
def test_killed_at_twenty_moments(server: Hub, library: Library, starter: Starter) -> None:
    """Never shown as usable before it is whole, and equal byte for byte in the end."""
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    server.faults.chunk, server.faults.chunk_s = 1_000, 0.003
    done: list[int] = []
    for at in range(KILLS):
        running = starter.start()
        # Some fall before the first byte, while the hub is asked and what is there is looked at.
        if at >= EARLY:
            _wait_for_more(library, done[-1])
        time.sleep(rng.uniform(0, LONGEST_S))
        kill(running)
        done.append(_come(library))
        for found in library.downloaded():
            assert is_whole(found.folder, server)
    print(f"bytes after each kill: {done}")
    assert done == sorted(done), "what has come is kept"
    assert len(set(done)) > KILLS // 2, "most kills fell on files"
    assert library.downloaded() == (), "it was killed before it was over"
    assert not library.folder(REPO).exists()
    server.faults.chunk_s = 0.0
    ended = Download(library, REPO, endpoint=server.endpoint).run()
    assert ended.phase == "done", ended.problem
    assert is_whole(present(ended.folder), server)
    assert len(library.downloaded()) == 1
    # What was kept was not fetched again. The first file is: an early kill may fall between its
    # request and its first byte.
    first = [asked for name, asked in server.asked if name == "config.json"]
    assert 1 <= len(first) <= 1 + EARLY


def _come(library: Library) -> int:
    return sum(each.done_bytes for each in library.unfinished())


def _wait_for_more(library: Library, than: int) -> None:
    for _ in range(2000):
        if _come(library) > than:
            return
        time.sleep(0.005)
    raise AssertionError("nothing comes")


@pytest.mark.parametrize("step", ["write", "unlink", "rename"])
def test_killed_while_it_gets_its_name(
    server: Hub, library: Library, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        if step == "write":
            # The manifest of what is whole is the last one that is written.
            patch.setattr("engine.hub.download.SOURCE", "no/such/folder.json")
        elif step == "unlink":
            patch.setattr("engine.hub.download.sync_folder", die)
        else:
            patch.setattr(Path, "rename", die)
        one = Download(library, REPO, endpoint=server.endpoint)
        if step == "write":
            one.run()
        else:
            with pytest.raises(Killed):
                one.run()
    assert library.downloaded() == ()
    (left,) = library.unfinished()
    assert left.done_bytes == left.manifest.bytes
    before = len(server.asked)
    ended = Download(library, REPO, endpoint=server.endpoint).run()
    assert is_whole(present(ended.folder), server)
    assert len(server.asked) == before, "nothing is fetched again"


def test_the_disk_fills_up(server: Hub, library: Library) -> None:
    """The system refuses to write more; what was written is kept and gone on with."""
    said = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(library.root), REPO, server.endpoint, "200000"],
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert said.startswith("failed disk"), said
    assert "is full" in said
    assert library.downloaded() == ()
    (left,) = library.unfinished()
    assert left.done_bytes >= 200_000
    ended = Download(library, REPO, endpoint=server.endpoint).run()
    assert is_whole(present(ended.folder), server)
