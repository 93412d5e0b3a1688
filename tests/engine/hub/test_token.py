"""Tokens: in a keyring that keeps secrets, or nowhere."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend

from engine.hub.token import can_store, store_token, stored_token


class Memory(KeyringBackend):
    """A keyring that keeps what it is told for as long as the test."""

    priority = 5

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Plain(Memory):
    """A keyring that writes plain files."""

    priority = 0.5  # type: ignore[assignment]


@pytest.fixture
def use() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


@pytest.mark.usefixtures("use")
class TestToken:
    def test_it_is_kept_and_deleted(self) -> None:
        keyring.set_keyring(Memory())
        assert can_store()
        assert stored_token() == ""
        assert store_token("hf_1")
        assert stored_token() == "hf_1"
        assert store_token("")
        assert stored_token() == ""
        assert store_token("")

    def test_no_plain_files(self) -> None:
        plain = Plain()
        keyring.set_keyring(plain)
        assert not can_store()
        assert not store_token("hf_1")
        assert plain.kept == {}
        assert stored_token() == ""

    def test_a_keyring_that_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        broken = Memory()

        def fail(*_: object) -> None:
            raise RuntimeError("locked")

        monkeypatch.setattr(broken, "get_password", fail)
        monkeypatch.setattr(broken, "set_password", fail)
        keyring.set_keyring(broken)
        assert stored_token() == ""
        assert not store_token("hf_1")
