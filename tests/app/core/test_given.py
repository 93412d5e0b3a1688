"""What the program is given to open: addresses, and what files are by their content."""

from __future__ import annotations

import gzip
import os
import socket
from pathlib import Path
from urllib.parse import quote

import pytest

from app.core.given import Given, GivenError, Kind, local_path, may_be_known, recognise
from app.debugger.traces import demo_trace

TRACE = b'{"event":"header","format":"biplane trace","version":2}\n'
EXPORT = b'{\n "format": "biplane conversations",\n "version": 1}'
NAMES = ("plain.gguf", "mit Leerzeichen.gguf", "größe 100 %?#.gguf", "千问.gguf")


class TestAddresses:
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("host", ["", "localhost", socket.gethostname()])
    def test_what_desktops_pass_is_the_path(self, tmp_path: Path, name: str, host: str) -> None:
        path = tmp_path / name
        assert local_path(f"file://{host}{quote(str(path))}") == path
        assert local_path(str(path)) == path

    def test_a_short_form_without_a_host(self) -> None:
        assert local_path("file:/tmp/a%20b") == Path("/tmp/a b")

    def test_bytes_that_are_no_text_are_kept(self) -> None:
        assert os.fsencode(local_path("file:///tmp/a%FFb")) == b"/tmp/a\xffb"

    def test_a_relative_path_is_from_here(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert local_path("a.gguf") == tmp_path / "a.gguf"

    def test_a_file_that_looks_like_an_address_is_a_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "file:").mkdir()
        (tmp_path / "file:" / "a").touch()
        assert local_path("file:/a") == tmp_path / "file:" / "a"

    @pytest.mark.parametrize(
        "address",
        ["https://example.org/a.gguf", "sftp://host/a", "file://elsewhere/a", "trash:///"],
    )
    def test_another_computers_file_is_a_sentence(self, address: str) -> None:
        with pytest.raises(GivenError, match="is not on this computer"):
            local_path(address)

    def test_an_address_of_nothing(self) -> None:
        with pytest.raises(GivenError, match="names no file"):
            local_path("file:///tmp/a%00b")


class TestWhatItIs:
    @pytest.mark.parametrize(
        ("name", "content", "kind", "sure"),
        [
            ("a.gguf", b"GGUF\x03\0\0\0", "model", True),
            ("renamed.bin", b"GGUF\x03\0\0\0", "model", True),
            ("empty.gguf", b"", "model", False),
            ("t.trace.jsonl", TRACE, "trace", True),
            ("t.trace.jsonl.gz", gzip.compress(TRACE, mtime=0), "trace", True),
            ("renamed", gzip.compress(TRACE, mtime=0), "trace", True),
            ("damaged.jsonl.gz", b"\x1f\x8bnonsense", "trace", False),
            ("other.JSONL", b'{"a": 1}\n', "trace", False),
            ("c.biplane.json", EXPORT, "conversations", True),
            ("chatgpt.json", b"[]", "conversations", False),
            ("chatgpt.zip", b"PK\3\4", "conversations", False),
        ],
    )
    def test_its_content_goes_before_its_name(
        self, tmp_path: Path, name: str, content: bytes, kind: Kind, sure: bool
    ) -> None:
        path = tmp_path / name
        path.write_bytes(content)
        assert recognise(path) == Given(kind, path, sure)

    def test_the_bundled_trace(self) -> None:
        assert recognise(demo_trace()) == Given("trace", demo_trace(), sure=True)

    def test_a_models_folder_and_what_is_in_it(self, tmp_path: Path) -> None:
        for name in ("config.json", "model.safetensors"):
            (tmp_path / name).write_bytes(b"{}")
        for path in (tmp_path, tmp_path / "config.json", tmp_path / "model.safetensors"):
            assert recognise(path) == Given("model", tmp_path, sure=True)

    def test_a_folder_with_a_gguf_file(self, tmp_path: Path) -> None:
        (tmp_path / "a.gguf").touch()
        assert recognise(tmp_path).kind == "model"

    @pytest.mark.parametrize("name", ["notes.txt", "picture.png", "lonely.safetensors"])
    def test_anything_else_is_one_sentence(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        path.write_bytes(b"hello")
        with pytest.raises(GivenError, match="is nothing that Biplane opens") as caught:
            recognise(path)
        assert str(path.parent) not in str(caught.value)

    def test_a_folder_without_a_model(self, tmp_path: Path) -> None:
        with pytest.raises(GivenError, match="is a folder without a model"):
            recognise(tmp_path)

    def test_what_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(GivenError, match="There is no file"):
            recognise(tmp_path / "none.gguf")

    def test_a_pipe_is_not_read(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.gguf")
        with pytest.raises(GivenError, match="is nothing that Biplane opens"):
            recognise(tmp_path / "pipe.gguf")

    def test_a_loop_of_links(self, tmp_path: Path) -> None:
        (tmp_path / "a.gguf").symlink_to(tmp_path / "a.gguf")
        with pytest.raises(GivenError, match="cannot be read"):
            recognise(tmp_path / "a.gguf")


def test_other_texts_are_not_looked_at(tmp_path: Path) -> None:
    assert may_be_known(tmp_path)
    assert may_be_known(tmp_path / "A.GGUF")
    assert not may_be_known(tmp_path / "notes.txt")
