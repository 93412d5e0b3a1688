"""Whether there is a newer version, from a server of the test's own: every answer is a sentence."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest

from app.core import newer
from app.core.newer import ADDRESS, VARIABLE, Answer, ask, numbers
from app.core.web import WebError, open_url


class Releases(BaseHTTPRequestHandler):
    """Answers as it is told to, and notes what it was asked."""

    status, content, where = 200, b"", ""
    heard: ClassVar[list[dict[str, str]]] = []

    def do_GET(self) -> None:
        type(self).heard.append({"path": self.path} | dict(self.headers))
        self.send_response(self.status)
        if self.where:
            self.send_header("Location", self.where)
        self.end_headers()
        self.wfile.write(self.content)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Releases]]:
    made = type("Own", (Releases,), {"heard": []})
    with HTTPServer(("127.0.0.1", 0), made) as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        monkeypatch.setenv(VARIABLE, f"http://127.0.0.1:{served.server_port}/latest")
        monkeypatch.setenv("no_proxy", "*")
        yield made
        served.shutdown()
        thread.join()


def told(server: type[Releases], tag: object) -> Answer:
    server.content = json.dumps({"tag_name": tag, "html_url": "https://evil.example/"}).encode()
    return ask()


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newer, "app_version", lambda: "0.9.1")


class TestAnswers:
    @pytest.mark.parametrize("tag", ["v0.10.0", "1", "0.9.1.1", "0.9.2"])
    def test_a_newer_one(self, server: type[Releases], tag: str) -> None:
        found = told(server, tag)
        assert found.newer
        assert f"Biplane {tag.removeprefix('v')} is there; this is 0.9.1." in found.sentence
        assert "evil" not in found.sentence

    @pytest.mark.parametrize("tag", ["v0.9.1", "0.9.1.0", "0.9", "0.1.99"])
    def test_none(self, server: type[Releases], tag: str) -> None:
        assert told(server, tag) == Answer("This is the newest version, 0.9.1.")

    def test_nothing_about_this_computer_is_sent(self, server: type[Releases]) -> None:
        told(server, "v1")
        (asked,) = server.heard
        assert asked.pop("User-Agent") == "Biplane"
        assert asked.keys() <= {"path", "Host", "Accept", "Accept-Encoding", "Connection"}

    def test_from_source(self, server: type[Releases], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(newer, "app_version", lambda: "from source")
        found = told(server, "v1.0")
        assert (found.newer, "this one runs from source" in found.sentence) == (False, True)


class TestFailures:
    @pytest.mark.parametrize(
        "content",
        [
            *(b"", b"<html>", b"[]", b"{}", b'{"tag_name": 3}', b'{"tag_name": "nightly"}'),
            *(b"[" * 9999, b" " * (2 << 20)),
        ],
    )
    def test_an_answer_that_is_none(self, server: type[Releases], content: bytes) -> None:
        server.content = content
        assert ask() == Answer(
            "Whether there is a newer version is not known: the answer is not that of a list of "
            "releases."
        )

    @pytest.mark.parametrize("status", [403, 404, 500])
    def test_a_refusal(self, server: type[Releases], status: int) -> None:
        server.status = status
        assert f"127.0.0.1 answers {status}." in ask().sentence

    def test_a_redirect_to_what_is_not_encrypted(self, server: type[Releases]) -> None:
        server.status, server.where = 302, "http://example.org/latest"
        assert "is not encrypted" in ask().sentence

    def test_nobody_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            monkeypatch.setenv(VARIABLE, f"http://127.0.0.1:{held.getsockname()[1]}/")
            monkeypatch.setenv("no_proxy", "*")
            assert "127.0.0.1 cannot be reached." in ask().sentence

    def test_one_that_is_silent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            monkeypatch.setenv(VARIABLE, f"http://127.0.0.1:{silent.getsockname()[1]}/")
            monkeypatch.setenv("no_proxy", "*")
            assert "127.0.0.1 does not answer." in ask(0.2).sentence

    @pytest.mark.parametrize("url", ["http://example.org/", "file:///etc/passwd", "ftp://a/b"])
    def test_only_encrypted(self, url: str) -> None:
        with pytest.raises(WebError, match="is not encrypted"):
            open_url(url, 1)


def test_the_project_is_that_of_the_desktops_id() -> None:
    from app.cli.desktop_entry import METAINFO_FILE

    _, _, owner, name, *_ = METAINFO_FILE.split(".")
    assert f"/{owner}/{name}/" in ADDRESS


@pytest.mark.parametrize(
    ("text", "expected"),
    [("v1.2.0", (1, 2)), ("0", (0,)), ("1.2rc1", None), ("", None), ("1." * 9, None)],
)
def test_versions(text: str, expected: tuple[int, ...] | None) -> None:
    assert numbers(text) == expected
