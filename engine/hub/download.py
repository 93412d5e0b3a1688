"""Downloads a model on its own thread, into a temporary folder that is renamed at the end."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.hub.failures import HubError, Stopped
from engine.hub.fetch import PATIENCE_S, READ_TIMEOUT_S, RepositoryAccess, disk_error, fetch
from engine.hub.library import Library, done_bytes, plain_size
from engine.hub.listing import list_repo
from engine.hub.manifest import SOURCE, UNFINISHED, Manifest, RemoteFile, read, sync_folder, write
from engine.hub.part import END, Part
from engine.sentence import say

try:
    import fcntl
except ImportError:
    # Not on Windows, where nothing prevents two programs from running the same download.
    fcntl = None  # type: ignore[assignment]

Phase = Literal[
    "asking", "checking", "downloading", "waiting", "paused", "cancelled", "failed", "done"
]
OVER: frozenset[Phase] = frozenset({"paused", "cancelled", "failed", "done"})
# Left free on the disk for everything else.
SPARE_BYTES = 64 << 20
_RATE_S, _STEP_S = 5.0, 0.1


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a download.

    Attributes:
        phase: "asking" the hub; "checking" existing files; "waiting" for a connection.
        file: being fetched.
        verified: names of the complete files with the stated checksum.
        rate_bytes_s: over the last seconds; 0 while unknown.
        changed: the repository has changed since the download began, and files that differ are
            fetched again.
        problem: why it failed.
        folder: of the model, or its GGUF file, once it is done.
    """

    repo: str
    phase: Phase
    done_bytes: int = 0
    total_bytes: int = 0
    file: str = ""
    verified: tuple[str, ...] = ()
    rate_bytes_s: float = 0.0
    changed: bool = False
    manifest: Manifest | None = None
    problem: HubError | None = None
    folder: Path | None = None

    @property
    def over(self) -> bool:
        return self.phase in OVER

    @property
    def left_s(self) -> float | None:
        """Estimated seconds left; None while unknown."""
        if self.phase != "downloading" or self.rate_bytes_s <= 0:
            return None
        return (self.total_bytes - self.done_bytes) / self.rate_bytes_s


class Download:
    """One run of a download. To resume one, create another.

    Attributes:
        progress: current; replaced as a whole, so that any thread may read it.
    """

    def __init__(
        self,
        library: Library,
        repo: str,
        *,
        revision: str = "main",
        only: str = "",
        token: str | Callable[[], str] = "",
        endpoint: str | None = None,
        patience_s: tuple[float, ...] = PATIENCE_S,
        read_timeout_s: float = READ_TIMEOUT_S,
    ) -> None:
        """only: which of the models, in a repository with several GGUF files.

        token: or a function that finds it, called on the download's thread.

        Raises HubError for a wrong name.
        """
        self._library, self._revision, self._endpoint = library, revision, endpoint
        self._token, self._only = token, only
        self._patience_s, self._read_timeout_s = patience_s, read_timeout_s
        self._folder, self._aside = library.folder(repo), library.aside(repo)
        self.progress = Progress(repo, "asking")
        self._halt = threading.Event()
        self._cancelled = False
        self._came: deque[tuple[float, int]] = deque()
        self._told = 0.0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Run on a daemon thread, which the program does not wait for at exit, as it may be killed
        at any moment.
        """
        self._thread = threading.Thread(target=self.run, name="biplane-download", daemon=True)
        self._thread.start()

    def pause(self) -> None:
        """Stop soon, keeping what has been downloaded."""
        self._halt.set()

    def cancel(self) -> None:
        """Stop soon, and delete what has been downloaded."""
        self._cancelled = True
        self._halt.set()

    def join(self, timeout_s: float) -> bool:
        """Wait for the thread; returns whether it has ended."""
        if self._thread is None:
            return True
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def run(self) -> Progress:
        """Download on this thread; returns the final state, and never raises."""
        try:
            with self._alone():
                self._run()
        except Stopped:
            self._stopped()
        except HubError as error:
            self._tell(phase="failed", problem=error)
        except OSError as error:
            self._tell(phase="failed", problem=disk_error(error, self._library.root))
        except Exception as error:
            said = say(
                "The download failed ({kind}): try again, or see the log.",
                kind=type(error).__name__,
            )
            self._tell(phase="failed", problem=HubError("busy", said))
            raise
        return self.progress

    def _run(self) -> None:
        if self._folder.exists():
            raise HubError(
                "refused", "{repo} is already there: remove it first.", repo=self.progress.repo
            )
        token = self._token() if callable(self._token) else self._token
        self._check()
        manifest = self._agreed(token)
        total = manifest.bytes
        self._tell(phase="checking", manifest=manifest, total_bytes=total)
        self._tell(done_bytes=done_bytes(self._aside, manifest))
        self._check_disk(total - self.progress.done_bytes)
        line = RepositoryAccess(
            manifest,
            token,
            self._endpoint,
            self._wait,
            self._add,
            self._patience_s,
            self._read_timeout_s,
        )
        for file in manifest.files:
            self._check()
            if plain_size(self._aside / file.name) != file.size:
                self._fetch(line, file)
            self._tell(verified=(*self.progress.verified, file.name))
        self._publish(manifest)

    def _agreed(self, token: str) -> Manifest:
        """What to download: the version begun, if the hub still has it, else the current one."""
        begun = read(self._aside / UNFINISHED) or read(self._aside / SOURCE)
        repo, endpoint = self.progress.repo, self._endpoint
        if begun is None or (self._only and self._only not in begun.choices):
            manifest = self._chosen(list_repo(repo, self._revision, token=token, endpoint=endpoint))
            self._begin(manifest)
            return manifest
        try:
            found = list_repo(repo, begun.commit, token=token, endpoint=endpoint)
        except HubError as error:
            if error.kind != "missing":
                raise
            found = list_repo(repo, begun.revision, token=token, endpoint=endpoint)
        self._only = next(iter(begun.choices), "")
        manifest = self._chosen(dataclasses.replace(found, revision=begun.revision))
        if manifest.files != begun.files:
            self._tell(changed=True)
            self._keep_what_is_the_same(begun, manifest)
        self._begin(manifest)
        return manifest

    def _chosen(self, manifest: Manifest) -> Manifest:
        """The manifest with one model of several."""
        if self._only:
            return manifest.only(self._only)
        if len(manifest.choices) > 1:
            raise HubError(
                "unsuitable",
                "{repo} holds several models as GGUF files; choose one of {names}.",
                repo=manifest.repo,
                names=", ".join(manifest.choices),
            )
        return manifest

    def _begin(self, manifest: Manifest) -> None:
        """Mark the folder as unfinished, before the first file is in it."""
        if self._aside.is_symlink():
            self._aside.unlink()
        self._aside.mkdir(parents=True, exist_ok=True)
        write(manifest, self._aside / UNFINISHED)
        known = {file.name for file in manifest.files} | {UNFINISHED}
        for path in self._aside.iterdir():
            # Links and folders are not ours, whoever created them.
            if path.name.removesuffix(END) not in known or plain_size(path) is None:
                _remove(path)

    def _keep_what_is_the_same(self, begun: Manifest, manifest: Manifest) -> None:
        now = {file.name: file for file in manifest.files}
        for file in begun.files:
            if now.get(file.name) != file:
                for path in (self._aside / file.name, self._aside / f"{file.name}{END}"):
                    path.unlink(missing_ok=True)

    def _check_disk(self, needed: int) -> None:
        free = shutil.disk_usage(self._aside).free
        if needed + SPARE_BYTES > free:
            raise HubError(
                "disk",
                "{repo} needs {needed} more on the disk of "
                "{root}, where {free} can be used: free "
                "some space, then try again.",
                repo=self.progress.repo,
                needed=_mib(needed),
                root=self._library.root,
                free=_mib(max(free - SPARE_BYTES, 0)),
            )

    def _fetch(self, line: RepositoryAccess, file: RemoteFile) -> None:
        self._tell(phase="checking", file=file.name)
        part = Part(self._aside, file, self._check)
        try:
            self._tell(phase="downloading", done_bytes=self._here())
            fetch(line, file, part)
            part.finish()
        finally:
            part.close()
            self._tell(done_bytes=self._here())

    def _publish(self, manifest: Manifest) -> None:
        """Rename the folder. From here on it is a model."""
        write(manifest, self._aside / SOURCE)
        (self._aside / UNFINISHED).unlink(missing_ok=True)
        sync_folder(self._aside)
        self._folder.parent.mkdir(parents=True, exist_ok=True)
        self._aside.rename(self._folder)
        sync_folder(self._folder.parent)
        place = self._folder / manifest.first
        self._tell(phase="done", folder=place, file="", rate_bytes_s=0.0)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock out other programs from the same download."""
        self._aside.parent.mkdir(parents=True, exist_ok=True)
        lock = self._aside.with_name(f"{self._aside.name}.lock")
        opened = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        try:
            if fcntl is not None:
                try:
                    fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise HubError(
                        "busy",
                        "Another Biplane is downloading {repo}: wait for it.",
                        repo=self.progress.repo,
                    ) from None
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)
        finally:
            os.close(opened)

    def _stopped(self) -> None:
        self._tell(phase="cancelled" if self._cancelled else "paused", rate_bytes_s=0.0)
        if self._cancelled:
            try:
                self._library.discard(self.progress.repo)
            except OSError as error:
                self._tell(phase="failed", problem=disk_error(error, self._aside))

    def _check(self) -> None:
        if self._halt.is_set():
            raise Stopped

    def _wait(self, seconds: float) -> None:
        self._tell(phase="waiting", rate_bytes_s=0.0)
        self._came.clear()
        if self._halt.wait(seconds):
            raise Stopped
        self._tell(phase="downloading")

    def _add(self, count: int) -> None:
        self._check()
        now = time.monotonic()
        self._came.append((now, count))
        while self._came[0][0] < now - _RATE_S:
            self._came.popleft()
        if now - self._told < _STEP_S:
            return
        self._told = now
        span = now - self._came[0][0]
        rate = sum(each for _, each in self._came) / span if span > 0.5 else 0.0
        self._tell(done_bytes=self._here(), rate_bytes_s=rate)

    def _here(self) -> int:
        """Bytes on the disk, from file sizes alone."""
        manifest = self.progress.manifest
        return 0 if manifest is None else done_bytes(self._aside, manifest)

    def _tell(self, **changed: object) -> None:
        self.progress = dataclasses.replace(self.progress, **changed)  # type: ignore[arg-type]


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _mib(count: int) -> str:
    return f"{count / (1 << 30):,.1f} GiB" if count >= 1 << 30 else f"{-(-count >> 20):,} MiB"
