"""Tokens of servers: what the keyring keeps, and what happens where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.backends.null import Keyring as NullKeyring
from keyring.errors import KeyringLocked

from app.core.store.connections import Tokens
from engine.net.client.address import Address

HERE = Address.parse("http://127.0.0.1:8080")
OTHER = Address.parse("http://127.0.0.1:8081")


class Locked(KeyringBackend):
    """A keyring that the user does not unlock."""

    priority = 1

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("dismissed")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("dismissed")

    def delete_password(self, service: str, username: str) -> None:
        raise KeyringLocked("dismissed")


@pytest.fixture(autouse=True)
def _the_own_keyring_stays_as_it_is() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def use(backend: type[KeyringBackend]) -> Tokens:
    keyring.set_keyring(backend())
    return Tokens()


@pytest.mark.parametrize("backend", [NoKeyring, NullKeyring, Locked])
def test_without_a_keyring_it_is_for_this_run(backend: type[KeyringBackend]) -> None:
    tokens = use(backend)
    assert tokens.of(HERE) == ""
    assert "for this run" in tokens.keep(HERE, "abc")
    assert tokens.of(HERE) == "abc"
    assert use(backend).of(HERE) == ""


@pytest.mark.parametrize("backend", [NoKeyring, Locked])
def test_forgotten(backend: type[KeyringBackend]) -> None:
    tokens = use(backend)
    tokens.hold(HERE, "abc")
    tokens.forget(HERE)
    assert tokens.of(HERE) == ""


def test_each_server_has_its_own() -> None:
    tokens = use(NoKeyring)
    tokens.hold(HERE, "abc")
    assert tokens.of(OTHER) == ""
    assert tokens.of(Address.parse("http://127.0.0.1:8080/other/path")) == "abc"


def test_it_does_not_show_in_what_is_printed() -> None:
    tokens = use(NoKeyring)
    tokens.hold(HERE, "s3cret")
    assert "s3cret" not in repr(tokens)
