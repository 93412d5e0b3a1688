"""Servers that the user connected to: a file without tokens, with the tokens in the keyring."""

from __future__ import annotations

import contextlib
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.words.tr import tr
from engine.errors import RemoteError
from engine.net.client.address import Address
from engine.net.client.connection import Connection
from engine.private_files import read_object, write_whole

if TYPE_CHECKING:
    from types import ModuleType


MOST = 12
_SERVICE = "biplane"
log = logging.getLogger(__name__)


class Tokens:
    """Tokens by server. Not for the window's thread: the keyring may ask to be unlocked.

    Neither the attributes of this class nor what it returns is ever logged or saved to a file.
    """

    def __init__(self) -> None:
        self._held: dict[str, str] = {}

    def of(self, address: Address) -> str:
        """The token for a server: this run's, else the keyring's; "" if there is none."""
        held = self._held.get(address.origin)
        if held is not None:
            return held
        keyring = _keyring()
        if keyring is None:
            return ""
        try:
            found = keyring.get_password(_SERVICE, address.origin)
        except Exception as error:
            # Each keyring backend raises its own errors.
            log.info("The keyring could not be read: %s", type(error).__name__)
            return ""
        return found or ""

    def hold(self, address: Address, token: str) -> None:
        """Hold a token in memory until the program ends."""
        self._held[address.origin] = token

    def keep(self, address: Address, token: str) -> str:
        """Save a token in the system's keyring. Returns why that failed, or ""."""
        self.hold(address, token)
        keyring = _keyring()
        if keyring is None:
            return tr("This system has no keyring, so the token is kept for this run only.")
        try:
            keyring.set_password(_SERVICE, address.origin, token)
        except Exception as error:
            log.info("The keyring could not be written: %s", type(error).__name__)
            return tr("The system's keyring did not take the token: it is kept for this run only.")
        return ""

    def forget(self, address: Address) -> None:
        """Remove a server's token from memory and keyring."""
        self._held.pop(address.origin, None)
        keyring = _keyring()
        if keyring is None:
            return
        try:
            keyring.delete_password(_SERVICE, address.origin)
        except Exception as error:
            # A missing token also raises an error.
            log.info("The keyring had no token to remove: %s", type(error).__name__)


def _keyring() -> ModuleType | None:
    """The system's keyring; None if there is no usable one."""
    try:
        import keyring
        import keyring.backends.fail
        import keyring.backends.null

        chosen = keyring.get_keyring()
    except Exception as error:
        log.info("There is no keyring: %s", type(error).__name__)
        return None
    none = (keyring.backends.fail.Keyring, keyring.backends.null.Keyring)
    return None if isinstance(chosen, none) else keyring


def connections_file(memory: Path) -> Path:
    """Next to the file that stores the window's geometry."""
    return memory.with_name("connections.json")


def load(path: Path) -> tuple[Connection, ...]:
    """The connections, most recent first; unreadable entries of a damaged file are skipped."""
    listed = read_object(path).get("connections")
    if not isinstance(listed, list):
        return ()
    read = [_read(one) for one in listed[: 2 * MOST]]
    return tuple(dict.fromkeys(one for one in read if one is not None))[:MOST]


def save(path: Path, connections: tuple[Connection, ...]) -> None:
    """Write the file atomically, private to the user; a failure is ignored."""
    raw = {"connections": [_raw(one) for one in connections]}
    with contextlib.suppress(OSError, ValueError):
        write_whole(path, json.dumps(raw, indent=1) + "\n")


def with_first(known: tuple[Connection, ...], new: Connection) -> tuple[Connection, ...]:
    """The connections with a new one in front."""
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
