"""The installed CUDA part: downloading it piece by piece, and putting it in place at once.

DATA/cuda/unfinished/    wheels that have arrived, whole or in part, and `site`, being unpacked
DATA/cuda/DIGEST/        the whole part, renamed last
DATA/cuda/state.json     which one is used, and what its check found
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.core.cuda.state import STATE, State, cuda_folder, keep, read, site
from app.core.cuda.unpacking import WheelError, room_for, unpack
from app.core.cuda.wheels import Wheel, WheelList
from app.core.web import WebError, open_url, reason
from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.errors import BiplaneError
from engine.hub.failures import HubError
from engine.hub.manifest import RemoteFile
from engine.hub.part import Part
from engine.private_files import make_folder, open_private, read_object, write_whole

try:
    import fcntl
except ImportError:
    # Not on Windows, for which there is no list.
    fcntl = None  # type: ignore[assignment]

UNFINISHED, SITE, LOCK = "unfinished", "site", "install.lock"
# Seconds to wait after each failure in a row that brought almost nothing.
PATIENCE_S: tuple[float, ...] = (1.0, 2.0, 4.0, 8.0)
_WORTH_BYTES = 1 << 16
_TIMEOUT_S = 30.0
_PIECE = 1 << 18
# Shared libraries of CUDA shrink to about half in a wheel.
_UNPACKED_TIMES = 2.2
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


class CudaError(BiplaneError):
    """The CUDA part cannot be installed; the message says why, and what stays."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an installation is.

    Attributes:
        doing: "download" or "unpack".
        name: of the wheel.
        done, total: bytes of all wheels.
    """

    doing: str
    name: str
    done: int
    total: int


class CudaPart:
    """The folder of the CUDA part.

    Attributes:
        root: need not exist.
    """

    def __init__(self, root: Path | None = None) -> None:
        """root: None is the user's."""
        self.root = root or cuda_folder()

    @property
    def state(self) -> State:
        """What is installed; damage counts as nothing."""
        return read(self.root)

    def site(self, digest: str) -> Path:
        """The folder of packages of a list."""
        return site(self.root, digest)

    @property
    def begun_bytes(self) -> int:
        """What an interrupted installation has left."""
        total = 0
        with contextlib.suppress(OSError):
            for one in os.scandir(self.root / UNFINISHED):
                if one.is_file(follow_symlinks=False):
                    total += one.stat(follow_symlinks=False).st_size
        return total

    def keep(self, state: State) -> None:
        """Write down what is installed. Raises OSError."""
        keep(self.root, state)

    def install(self, what: WheelList, progress: Callable[[Progress], None]) -> None:
        """Download and unpack everything; what had arrived before is used again.

        Not checked yet: its state has `passed` false.

        progress: called often; its exceptions end the work, and what has come stays.

        Raises CudaError.
        """
        try:
            with self._alone():
                if not self.site(what.digest).is_dir():
                    self._fetch_and_unpack(what, progress)
                self.keep(State(what.digest))
                self._sweep(what.digest)
        except OSError as error:
            raise self._disk_error(error) from error
        except (HubError, WheelError) as error:
            raise CudaError(str(error)) from error

    def remove(self) -> None:
        """Delete all of it. Raises CudaError."""
        try:
            with self._alone():
                (self.root / STATE).unlink(missing_ok=True)
                self._sweep("")
            shutil.rmtree(self.root, ignore_errors=True)
        except OSError as error:
            raise self._disk_error(error) from error

    # ---- inside

    def _fetch_and_unpack(self, what: WheelList, progress: Callable[[Progress], None]) -> None:
        work = self.root / UNFINISHED
        packages = work / SITE
        make_folder(work)
        unpacked = _unpacked(work, what)
        if not unpacked:
            # Half of a wheel may be in it.
            shutil.rmtree(packages, ignore_errors=True)
        self._drop_strangers(work, what)
        left = [one for one in what.wheels if one.sha256 not in unpacked]
        missing = room_for(work, self._needed(work, left))
        if missing:
            raise CudaError(
                tr(
                    "The disk of {folder} lacks {size} for the CUDA part: make room, and try again."
                ).format(folder=self.root, size=fmt.byte_size(missing))
            )
        done = what.nbytes - sum(one.size for one in left)
        for wheel in left:
            self._fetch(wheel, work, progress, done, what.nbytes)
            now = Progress("unpack", wheel.name, done + wheel.size, what.nbytes)
            unpack(work / wheel.file, packages, partial(progress, now))
            unpacked.append(wheel.sha256)
            write_whole(work / STATE, json.dumps({"digest": what.digest, "unpacked": unpacked}))
            (work / wheel.file).unlink()
            done += wheel.size
        packages.rename(self.site(what.digest))

    def _needed(self, work: Path, left: list[Wheel]) -> int:
        """Bytes still to be written: the rest of the wheels one by one, and all that is in them."""
        come = sum(
            path.stat().st_size
            for one in left
            for path in (work / one.file, work / f"{one.file}.part")
            if path.is_file()
        )
        largest = max((one.size for one in left), default=0)
        unpacked = sum(one.size for one in left) * _UNPACKED_TIMES
        return max(0, int(unpacked) + largest - come)

    def _fetch(
        self,
        wheel: Wheel,
        work: Path,
        progress: Callable[[Progress], None],
        done: int,
        total: int,
    ) -> None:
        """Have the whole wheel, checked, in the folder."""
        if (work / wheel.file).is_file():
            # Renamed only after its checksum was right; the name holds no other bytes.
            return
        file = RemoteFile(wheel.file, wheel.size, wheel.sha256, "")

        def came(nbytes: int) -> None:
            progress(Progress("download", wheel.name, done + nbytes, total))

        part = Part(work, file, lambda: came(0))
        try:
            came(part.size)
            failures = 0
            while part.size < wheel.size:
                before = part.size
                try:
                    _stream(wheel, part, came)
                except WebError as error:
                    failures = 0 if part.size - before >= _WORTH_BYTES else failures + 1
                    if failures > len(PATIENCE_S):
                        raise CudaError(
                            tr(
                                "The CUDA part could not be fetched: {reason}. What has come is "
                                "kept; try again to go on."
                            ).format(reason=error)
                        ) from error
                    _wait(PATIENCE_S[max(0, failures - 1)], lambda: came(part.size))
            part.finish()
        finally:
            part.close()

    def _drop_strangers(self, work: Path, what: WheelList) -> None:
        """Remove what an earlier list has left."""
        ours = {name for one in what.wheels for name in (one.file, f"{one.file}.part")}
        for path in work.iterdir():
            if path.name not in (*ours, SITE, STATE) and not path.is_dir():
                path.unlink()

    def _sweep(self, keep: str) -> None:
        """Remove everything but the part in use, the state and the lock."""
        for path in self.root.iterdir():
            if path.name in (keep, STATE, LOCK):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Raises CudaError if another process is at it, and OSError."""
        make_folder(self.root)
        lock = open_private(self.root / LOCK, os.O_RDWR | os.O_CREAT)
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise CudaError(tr("The CUDA part is being installed already.")) from None
        finally:
            os.close(lock)

    def _disk_error(self, error: OSError) -> CudaError:
        if error.errno in _FULL:
            return CudaError(
                tr("The disk of {folder} is full: make room, and try again to go on.").format(
                    folder=self.root
                )
            )
        return CudaError(
            tr("{folder} cannot be written ({reason}).").format(
                folder=self.root, reason=error.strerror or type(error).__name__
            )
        )


def _stream(wheel: Wheel, part: Part, came: Callable[[int], None]) -> None:
    """Use one connection, as long as it lasts. Raises WebError if it ends early."""
    headers = {"Range": f"bytes={part.size}-"} if part.size else {}
    try:
        answer = open_url(wheel.url, _TIMEOUT_S, headers)
    except WebError:
        if part.size:
            # It may be the range that was refused.
            part.clear()
        raise
    with answer:
        stated = _RANGE.match(answer.headers.get("Content-Range", ""))
        continues = answer.status == 206 and stated is not None and int(stated[1]) == part.size
        if part.size and not continues:
            part.clear()
        while True:
            try:
                piece = answer.read(_PIECE)
            except Exception as error:
                raise WebError(reason(error, wheel.url)) from error
            if not piece:
                break
            part.write(piece)
            came(part.size)
    if part.size < wheel.size:
        raise WebError(tr("the connection ended early"))


def _unpacked(work: Path, what: WheelList) -> list[str]:
    """The wheels that are in the folder whole, by checksum."""
    raw = read_object(work / STATE)
    listed = raw.get("unpacked") if raw.get("digest") == what.digest else None
    known = {one.sha256 for one in what.wheels}
    there = listed if isinstance(listed, list) and (work / SITE).is_dir() else []
    return [one for one in there if one in known]


def _wait(seconds: float, check: Callable[[], None]) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        check()
        time.sleep(min(0.1, seconds))
