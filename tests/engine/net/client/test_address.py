"""Addresses: what a user types becomes one form, and what is none is said in a sentence."""

from __future__ import annotations

import pytest

from engine.errors import RemoteError
from engine.net.client.address import Address


class TestTyped:
    @pytest.mark.parametrize(
        ("typed", "made"),
        [
            ("127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
            ("localhost:8080", "http://localhost:8080/v1"),
            ("http://LOCALHOST:80", "http://localhost/v1"),
            ("https://engine.example/", "https://engine.example/v1"),
            ("https://engine.example:8443/api/v2/", "https://engine.example:8443/api/v2"),
            ("http://[::1]:9000", "http://[::1]:9000/v1"),
            ("http://a:1/v1/chat/completions", "http://a:1/v1"),
            ("http://a:1/v1/models", "http://a:1/v1"),
            ("  http://a:1  ", "http://a:1/v1"),
        ],
    )
    def test_comes_into_one_form(self, typed: str, made: str) -> None:
        assert str(Address.parse(typed)) == made
        assert Address.parse(made) == Address.parse(typed)

    @pytest.mark.parametrize(
        ("typed", "said"),
        [
            ("", "Enter the address"),
            ("ftp://a", "neither http"),
            ("http://", "names no computer"),
            ("http://user:secret@a", "a password"),
            ("http://a:99999", "is not an address"),
            ("http://a:x", "is not an address"),
            ("http://a:0", "port 0"),
            ("http://a/v1?x=1", "goes on after its path"),
            ("http://a/v1#x", "goes on after its path"),
            ("http://a b", "no spaces"),
            ("http://[::1", "is not an address"),
            ("http://a\nb", "no spaces"),
            ("x" * 3000, "no spaces"),
        ],
    )
    def test_says_what_is_wrong(self, typed: str, said: str) -> None:
        with pytest.raises(RemoteError, match=said):
            Address.parse(typed)

    def test_a_password_is_not_repeated(self) -> None:
        with pytest.raises(RemoteError) as caught:
            Address.parse("http://user:hunter2@a")
        assert "hunter2" not in str(caught.value)


class TestWhoHears:
    @pytest.mark.parametrize(
        ("typed", "overheard"),
        [
            ("http://127.0.0.1:1", False),
            ("http://127.8.8.8:1", False),
            ("http://localhost:1", False),
            ("http://[::1]:1", False),
            ("https://engine.example", False),
            ("http://192.168.0.7:1", True),
            ("http://engine.example", True),
            ("http://localhost.example", True),
        ],
    )
    def test_plain_text_to_others(self, typed: str, overheard: bool) -> None:
        assert Address.parse(typed).overheard is overheard
