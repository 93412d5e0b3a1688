"""One window for each user and folder of conversations: a second start calls the first.

Without Qt, so that a second start is over at once. The lock is the system's and goes with the
process, so a crash leaves nothing that a later start could mistake for a running window: whoever
holds the lock replaces the socket that an earlier run left.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import stat
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from app.core.words.tr import tr
from engine.private_files import make_folder, open_private

try:
    import fcntl
except ImportError:
    # Not on Windows: there every start has a window of its own.
    fcntl = None  # type: ignore[assignment]

LOCK = "window.lock"
MOST_BYTES = 64 << 10
# A window that starts on a busy computer answers late; one that hangs never does.
ANSWER_S = 20.0
# One that is closing may have a large cache to write.
CLOSING_S = 120.0
_AGAIN_S = 0.1
TAKEN, CLOSING = b"taken\n", b"closing\n"


@dataclass(frozen=True, slots=True)
class Call:
    """What a second start wants of the first.

    Attributes:
        model: a folder to open, "" for none.
        trace: a file to look at, "" for none.
        token: with which the desktop lets the window come to the front.
    """

    model: str = ""
    trace: str = ""
    token: str = ""

    def line(self) -> bytes:
        return json.dumps(asdict(self)).encode() + b"\n"


def read_call(line: bytes) -> Call | None:
    """The call that a line holds; None if it is none."""
    try:
        raw = json.loads(line)
        known = {name: raw.get(name, "") for name in Call.__slots__}
    except (ValueError, AttributeError, RecursionError):
        return None
    if not all(isinstance(value, str) and "\0" not in value for value in known.values()):
        return None
    paths = (known["model"], known["trace"])
    return Call(**known) if all(not path or os.path.isabs(path) for path in paths) else None


class Instance:
    """The right to be the one window, and the socket at which others call.

    Attributes:
        listener: non-blocking; None where the system has no such sockets.
    """

    def __init__(self, lock: int | None, address: Path | None) -> None:
        """Use `claim`."""
        self._lock, self._address = lock, address
        self.listener = None if address is None else _listen(address)

    @classmethod
    def claim(cls, folder: Path) -> Instance | None:
        """None if another process has it. Never raises: without a lock it is everyone's."""
        if fcntl is None or not hasattr(socket, "AF_UNIX"):
            return cls(None, None)
        try:
            make_folder(folder)
            lock = open_private(folder / LOCK, os.O_RDWR | os.O_CREAT)
        except OSError:
            return cls(None, None)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return None
        except OSError:
            # A file system without locks.
            os.close(lock)
            return cls(None, None)
        return cls(lock, address_of(folder))

    def close(self) -> None:
        """Let the next start have it. Idempotent."""
        if self.listener is not None:
            self.listener.close()
            if self._address is not None:
                with contextlib.suppress(OSError):
                    self._address.unlink()
        if self._lock is not None:
            os.close(self._lock)
        self.listener = self._lock = None


def claim_or_call(folder: Path, call: Call, answer_s: float = ANSWER_S) -> Instance | str:
    """Become the one window, or bring the one there is to the front.

    Returns what came of the call: "" if the window took it, else why not, in one sentence.
    """
    ends, closing_ends = time.monotonic() + answer_s, time.monotonic() + CLOSING_S
    while True:
        found = Instance.claim(folder)
        if found is not None:
            return found
        answer = _ask(address_of(folder), call, max(_AGAIN_S, ends - time.monotonic()))
        if answer == TAKEN:
            return ""
        # One that is about to end, or has not begun to listen, is asked again.
        if time.monotonic() > (closing_ends if answer == CLOSING else ends):
            return tr(
                "Biplane is running, but its window does not answer. End that program, or start "
                "another window with --new-instance."
            )
        time.sleep(_AGAIN_S)


def this_call(model: os.PathLike[str] | None, trace: os.PathLike[str] | None) -> Call:
    """What this start would ask of a window that is open already."""
    tokens = (os.environ.get(name, "") for name in ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"))
    given, shown = ("" if path is None else os.path.abspath(path) for path in (model, trace))
    return Call(given, shown, next((token for token in tokens if token), ""))


def address_of(folder: Path) -> Path:
    """Where the window of a folder listens. Short, since the system allows about 100 bytes."""
    name = hashlib.blake2b(os.fsencode(folder.resolve()), digest_size=8).hexdigest()
    return _runtime_folder() / f"biplane-{name}.sock"


def _runtime_folder() -> Path:
    """A folder that only this user can reach."""
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    if given and _is_private(Path(given)):
        return Path(given)
    return Path(tempfile.gettempdir()) / f"biplane-{os.getuid()}"


def _is_private(folder: Path) -> bool:
    """Whether it is a folder of this user's that nobody else can write to."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _listen(address: Path) -> socket.socket | None:
    """A socket at an address, in place of one that a crash left; None if it cannot be had."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if not address.parent.exists():
            make_folder(address.parent)
        if not _is_private(address.parent):
            raise PermissionError(f"{address.parent} is another user's.")
        address.unlink(missing_ok=True)
        made.bind(str(address))
        address.chmod(0o600)
        made.listen()
        made.setblocking(False)
    except OSError:
        made.close()
        return None
    return made


def _ask(address: Path, call: Call, timeout_s: float) -> bytes:
    """The answer of the window at an address; b"" if there is none."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
        made.settimeout(timeout_s)
        try:
            if not _is_private(address.parent):
                return b""
            made.connect(str(address))
            made.sendall(call.line())
            return made.recv(64)
        except OSError:
            return b""
