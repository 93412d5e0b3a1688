"""Tokens of servers: in the system's keyring, or in memory for this run; never in a file."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from app.words.tr import tr
from engine.remote.chat.address import Address

if TYPE_CHECKING:
    from types import ModuleType

_SERVICE = "biplane"
log = logging.getLogger(__name__)


class Tokens:
    """By server. The keyring may ask the user to unlock it: not for the window's thread.

    The attributes of this class are never written anywhere, and neither is what it returns.
    """

    def __init__(self) -> None:
        self._held: dict[str, str] = {}

    def of(self, address: Address) -> str:
        """The token for a server: of this run, else of the keyring; "" if there is none."""
        held = self._held.get(address.origin)
        if held is not None:
            return held
        keyring = _keyring()
        if keyring is None:
            return ""
        try:
            found = keyring.get_password(_SERVICE, address.origin)
        except Exception as error:
            # Each system's keyring has errors of its own.
            log.info("The keyring could not be read: %s", type(error).__name__)
            return ""
        return found or ""

    def hold(self, address: Address, token: str) -> None:
        """Know a token until the program ends."""
        self._held[address.origin] = token

    def keep(self, address: Address, token: str) -> str:
        """Keep a token in the system's keyring; why that was not possible, "" if it was."""
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
        """Remove a server's token from everywhere."""
        self._held.pop(address.origin, None)
        keyring = _keyring()
        if keyring is None:
            return
        try:
            keyring.delete_password(_SERVICE, address.origin)
        except Exception as error:
            # That there was none is an error, too.
            log.info("The keyring had no token to remove: %s", type(error).__name__)


def _keyring() -> ModuleType | None:
    """The system's keyring; None if there is none that keeps anything."""
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
