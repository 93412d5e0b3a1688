"""The program is killed at random moments of a download, and its disk fills up."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.hub.download import Download
from engine.hub.library import Library
from tests.engine.hub.hub_server import REPO, Hub
from tests.engine.hub.test_download import is_whole
from tests.present import present

KILLS, LONGEST_S, EARLY = 20, 0.1, 5
CHILD = """
import resource, sys
from engine.hub.download import Download
from engine.hub.library import Library
from engine.hub.listing import list_repo
root, repo, endpoint, most = sys.argv[1:]
if int(most):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
# The first request takes half a second to import what it needs; no kill should be wasted on that.
list_repo(repo, endpoint=endpoint)
print("ready", flush=True)
ended = Download(Library(__import__("pathlib").Path(root)), repo, endpoint=endpoint).run()
print(ended.phase, ended.problem and ended.problem.kind, ended.problem, flush=True)
"""


def child(library: Library, server: Hub, most_bytes: int = 0) -> subprocess.Popen[str]:
    """A program that downloads; it has begun when this returns."""
    made = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(library.root), REPO, server.endpoint, str(most_bytes)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert present(made.stdout).readline() == "ready\n"
    return made


@pytest.mark.timeout(240)
def test_killed_at_twenty_moments(server: Hub, library: Library) -> None:
    """Never shown as usable before it is whole, and equal byte for byte in the end."""
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    server.faults.chunk, server.faults.chunk_s = 1_000, 0.003
    done: list[int] = []
    for at in range(KILLS):
        running = child(library, server)
        # Some fall before the first byte, while the hub is asked and what is there is looked at.
        if at >= EARLY:
            _wait_for_more(library, done[-1])
        time.sleep(rng.uniform(0, LONGEST_S))
        running.kill()
        running.communicate()
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
    running = child(library, server, most_bytes=200_000)
    said, _ = running.communicate(timeout=60)
    assert said.startswith("failed disk"), said
    assert "is full" in said
    assert library.downloaded() == ()
    (left,) = library.unfinished()
    assert left.done_bytes >= 200_000
    ended = Download(library, REPO, endpoint=server.endpoint).run()
    assert is_whole(present(ended.folder), server)
