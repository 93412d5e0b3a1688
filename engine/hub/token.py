"""A token for gated repositories: in the system's keyring, or nowhere."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_SERVICE, _USER = "biplane", "huggingface.co"
# keyring's own scale: backends below this store secrets in plain files, or not at all.
_SAFE = 1


def stored_token() -> str:
    """The stored token; "" if there is none. May wait for the user to unlock the keyring."""
    with contextlib.suppress(Exception):
        backend = _backend()
        if backend is not None:
            return backend.get_password(_SERVICE, _USER) or ""
    return ""


def store_token(token: str) -> bool:
    """Store it in the keyring, or delete it there if "". Returns whether that was possible."""
    with contextlib.suppress(Exception):
        backend = _backend()
        if backend is None:
            return False
        if token:
            backend.set_password(_SERVICE, _USER, token)
        elif backend.get_password(_SERVICE, _USER) is not None:
            backend.delete_password(_SERVICE, _USER)
        return True
    return False


def can_store() -> bool:
    """Whether this machine has a keyring that stores secrets encrypted."""
    with contextlib.suppress(Exception):
        return _backend() is not None
    return False


def _backend() -> KeyringBackend | None:
    import keyring

    backend = keyring.get_keyring()
    return backend if backend.priority >= _SAFE else None
