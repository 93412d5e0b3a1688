"""One window per user and conversations folder: a second start calls the first.

Without Qt, so that a second start is fast. The system releases the lock with the process, so a
crash leaves nothing that a later start could mistake for a running window: the lock's owner
replaces the socket of an earlier run.
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
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from app.core.words.tr import tr
from engine.private_files import make_folder, open_private

try:
    import fcntl
except ImportError:
    # Not on Windows: every start opens its own window there.
    fcntl = None  # type: ignore[assignment]

# What a start begins with: an empty conversation, or the dialog that asks for a trace.
Act = Literal["", "new", "open_trace"]
ACTS: tuple[Act, ...] = ("", "new", "open_trace")
LOCK = "window.lock"
MOST_BYTES = 64 << 10
# Of a call: their paths must fit into it.
MOST_FILES = 100
# A window that starts on a busy computer answers late; a hanging one never does.
ANSWER_S = 20.0
# A closing one may have a large cache to write.
CLOSING_S = 120.0
_AGAIN_S = 0.1
TAKEN, CLOSING = b"taken\n", b"closing\n"


@dataclass(frozen=True, slots=True)
class Call:
    """A second start's request to the first.

    Attributes:
        model: a folder to open, "" for none.
        trace: a file to open, "" for none.
        files: further files and folders to open, whatever they are.
        act: a command to begin with.
        token: the desktop's activation token, which lets the window come to the front.
    """

    model: str = ""
    trace: str = ""
    files: tuple[str, ...] = ()
    act: Act = ""
    token: str = ""

    def line(self) -> bytes:
        return json.dumps(asdict(self)).encode() + b"\n"


def read_call(line: bytes) -> Call | None:
    """Parse a call from a line; None if invalid."""
    try:
        raw = json.loads(line)
        model, trace, act, token = (
            raw.get(name, "") for name in ("model", "trace", "act", "token")
        )
        files = raw.get("files", [])
    except (ValueError, AttributeError, RecursionError):
        return None
    if not isinstance(files, list) or len(files) > MOST_FILES or act not in ACTS:
        return None
    texts = (model, trace, token, *files)
    if not all(isinstance(value, str) and "\0" not in value for value in texts):
        return None
    if not all(os.path.isabs(path) for path in (model, trace) if path):
        return None
    if not all(map(os.path.isabs, files)):
        return None
    return Call(model, trace, tuple(files), act, token)


class Instance:
    """Ownership of the single window, and the socket for other starts' calls.

    Attributes:
        listener: non-blocking; None if the system has no such sockets.
    """

    def __init__(self, lock: int | None, address: Path | None) -> None:
        """Use `claim`."""
        self._lock, self._address = lock, address
        self.listener = None if address is None else _listen(address)

    @classmethod
    def claim(cls, folder: Path) -> Instance | None:
        """None if another process has it. Never raises: without lock support all get one."""
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
        """Release it for the next start. Idempotent."""
        if self.listener is not None:
            self.listener.close()
            if self._address is not None:
                with contextlib.suppress(OSError):
                    self._address.unlink()
        if self._lock is not None:
            os.close(self._lock)
        self.listener = self._lock = None


def claim_or_call(folder: Path, call: Call, answer_s: float = ANSWER_S) -> Instance | str:
    """Become the single window, or bring the existing one to the front.

    Returns the result of the call: "" if the window took it, else why not, in one sentence.
    """
    ends, closing_ends = time.monotonic() + answer_s, time.monotonic() + CLOSING_S
    while True:
        found = Instance.claim(folder)
        if found is not None:
            return found
        answer = _ask(address_of(folder), call, max(_AGAIN_S, ends - time.monotonic()))
        if answer == TAKEN:
            return ""
        # A window that is closing, or not listening yet, is called again.
        if time.monotonic() > (closing_ends if answer == CLOSING else ends):
            return tr(
                "Biplane is running, but its window does not answer. End that program, or start "
                "another window with --new-instance."
            )
        time.sleep(_AGAIN_S)


def this_call(
    model: os.PathLike[str] | None,
    trace: os.PathLike[str] | None,
    files: Iterable[os.PathLike[str]] = (),
    act: Act = "",
) -> Call:
    """The call that this start would send to an open window."""
    tokens = (os.environ.get(name, "") for name in ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"))
    given, shown = ("" if path is None else os.path.abspath(path) for path in (model, trace))
    opened = tuple(os.path.abspath(path) for path in files)[:MOST_FILES]
    return Call(given, shown, opened, act, next((token for token in tokens if token), ""))


def address_of(folder: Path) -> Path:
    """The socket path of a folder's window. Short, since systems allow only about 100 bytes."""
    name = hashlib.blake2b(os.fsencode(folder.resolve()), digest_size=8).hexdigest()
    return _runtime_folder() / f"biplane-{name}.sock"


def _runtime_folder() -> Path:
    """A folder that is private to this user."""
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    if given and _is_private(Path(given)):
        return Path(given)
    return Path(tempfile.gettempdir()) / f"biplane-{os.getuid()}"


def _is_private(folder: Path) -> bool:
    """Whether the folder belongs to this user, and others cannot write to it."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _listen(address: Path) -> socket.socket | None:
    """Bind a socket, replacing one left by a crash; None if that fails."""
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
    """The reply of the window at an address; b"" if there is none."""
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
