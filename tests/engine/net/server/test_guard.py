"""Who is let in: the Host header, other sites' pages, the token, and what a body may be."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.net.server import ServeConfig, ServeError, Server
from engine.net.server.config import new_token
from engine.net.server.guard import host_name
from tests.engine.net.server.conftest import TOKEN, Caller

CHAT = "/v1/chat/completions"


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost:8642", "localhost"),
        ("LOCALHOST", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("[::1]:8642", "::1"),
        ("[::1]evil.example", ""),
        ("localhost:8642@evil.example", ""),
        ("::1", ""),
        ("", ""),
    ],
)
def test_the_name_in_a_host_header(host: str, name: str) -> None:
    assert host_name(host) == name


class TestHost:
    @pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:8642"])
    def test_names_of_this_computer_are_accepted(self, caller: Caller, host: str) -> None:
        assert caller.send("GET", "/v1/models", host=host).status_code == 200

    @pytest.mark.parametrize("host", ["rebound.example", "localhost.evil.example", "10.0.0.1"])
    def test_other_names_are_refused(self, caller: Caller, host: str) -> None:
        response = caller.send("GET", "/v1/models", host=host)
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "wrong_host"

    def test_even_where_no_token_is_needed(self, caller: Caller) -> None:
        assert caller.send("GET", "/health", host="rebound.example").status_code == 403


class TestOrigin:
    @pytest.mark.parametrize(
        "origin", ["https://evil.example", "null", "http://localhost:3000", "file://"]
    )
    def test_pages_of_other_sites_are_refused(self, caller: Caller, origin: str) -> None:
        response = caller.send("POST", CHAT, {"messages": []}, origin=origin)
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "other_origin"

    def test_no_page_may_read_an_answer(self, caller: Caller) -> None:
        headers = {"origin": "https://evil.example", "access-control-request-method": "POST"}
        for response in (caller.send("OPTIONS", CHAT, **headers), caller.send("GET", "/health")):
            assert not [name for name in response.headers if name.startswith("access-control")]


class TestAllowedOrigin:
    ORIGIN = "app://obsidian.md"

    @pytest.fixture(scope="class")
    def open(self) -> Iterator[Caller]:
        made = Server(ServeConfig(port=0, token=TOKEN, origins=(self.ORIGIN,)))
        made.start()
        caller = Caller(made)
        yield caller
        caller.close()
        assert made.stop()

    def test_it_may_ask_what_it_may_send(self, open: Caller) -> None:
        asked = {"origin": self.ORIGIN, "access-control-request-method": "POST"}
        told = open.send(
            "OPTIONS", CHAT, authorization="", access_control_request_headers="x-api-key", **asked
        )
        assert told.status_code == 200
        assert told.headers["access-control-allow-origin"] == self.ORIGIN
        assert told.headers["access-control-allow-headers"] == "x-api-key"
        assert "POST" in told.headers["access-control-allow-methods"]

    def test_it_may_read_answers_and_refusals_but_needs_the_token(self, open: Caller) -> None:
        for token, status in ((f"Bearer {TOKEN}", 503), ("", 401)):
            told = open.send("GET", "/v1/models", origin=self.ORIGIN, authorization=token)
            assert told.status_code == status
            assert told.headers["access-control-allow-origin"] == self.ORIGIN
            assert told.headers["vary"] == "origin"

    def test_no_other_may(self, open: Caller) -> None:
        for origin in ("app://other.md", "app://obsidian.md.evil.example", "null"):
            told = open.send("OPTIONS", CHAT, origin=origin)
            assert told.status_code == 403
            assert "access-control-allow-origin" not in told.headers


class TestToken:
    @pytest.mark.parametrize(
        "headers",
        [
            {"authorization": ""},
            {"authorization": "Bearer wrong"},
            {"authorization": f"Basic {TOKEN}"},
            {"authorization": "", "x-api-key": "wrong"},
            {"authorization": f"Bearer {TOKEN}x"},
            {"authorization": "Bearer \xe9"},
        ],
        ids=str,
    )
    def test_missing_or_wrong(self, caller: Caller, headers: dict[str, str]) -> None:
        response = caller.send("GET", "/v1/models", **headers)
        assert response.status_code == 401
        assert response.json()["error"]["code"] == "invalid_api_key"

    def test_as_either_header(self, caller: Caller) -> None:
        assert caller.send("GET", "/v1/models").status_code == 200
        given = {"authorization": "", "x-api-key": TOKEN}
        assert caller.send("GET", "/v1/models", **given).status_code == 200

    def test_health_needs_none_and_tells_nothing(self, caller: Caller) -> None:
        response = caller.send("GET", "/health", authorization="")
        assert (response.status_code, response.json()) == (200, {"status": "ok"})

    def test_each_one_is_new(self) -> None:
        assert len({new_token() for _ in range(10)}) == 10
        assert len(new_token()) > 30


class TestErrors:
    def test_there_is_nothing_there(self, caller: Caller) -> None:
        response = caller.send("GET", "/v1/nothing")
        assert response.status_code == 404
        assert "/v1/nothing" in response.json()["error"]["message"]

    def test_a_method_that_is_not_possible(self, caller: Caller) -> None:
        response = caller.send("GET", CHAT)
        assert response.status_code == 405
        assert response.json()["error"]["type"] == "method_not_allowed"

    @pytest.mark.parametrize(
        "body", [b"", b"{", b"[]", b"1", b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000, b"9" * 6_000]
    )
    def test_a_body_that_is_no_json_object(self, caller: Caller, body: bytes) -> None:
        response = caller.send("POST", CHAT, body)
        assert response.status_code == 400
        assert response.json()["error"]["message"].startswith("The body ")

    def test_a_body_that_is_too_large(self, engine: object, server: Server) -> None:
        small = Server(ServeConfig(port=0, token=TOKEN, body_bytes=1_000))
        small.start()
        caller = Caller(small)
        try:
            assert caller.send("POST", CHAT, b" " * 1_001).status_code == 413
            assert caller.send("POST", CHAT, b" " * 900).status_code == 400
        finally:
            caller.close()
            assert small.stop()

    def test_without_a_model(self) -> None:
        empty = Server(ServeConfig(port=0, token=TOKEN))
        empty.start()
        caller = Caller(empty)
        try:
            response = caller.send("POST", CHAT, {"messages": [{"role": "user", "content": "Hi"}]})
            assert response.status_code == 503
            assert response.headers["retry-after"] == "2"
            assert "No model is open" in response.json()["error"]["message"]
            assert caller.send("GET", "/health", authorization="").status_code == 503
        finally:
            caller.close()
            assert empty.stop()


class TestListening:
    def test_a_port_that_is_taken(self, server: Server) -> None:
        port = int(server.url.rpartition(":")[2])
        with pytest.raises(ServeError, match=f"port {port}"):
            Server(ServeConfig(port=port)).start()

    def test_only_this_computer_unless_asked(self) -> None:
        assert ServeConfig().hosts == ("127.0.0.1", "::1")
