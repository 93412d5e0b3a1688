"""Reading files that go with a message."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from app.core.session.attachments import MOST_FILE_BYTES
from app.core.session.text_files import FileError, read_text_file


def read(tmp_path: Path, raw: bytes, name: str = "a.txt") -> str:
    (tmp_path / name).write_bytes(raw)
    return read_text_file(tmp_path / name).text


def refusal(path: Path) -> str:
    with pytest.raises(FileError) as found:
        read_text_file(path)
    return str(found.value)


class TestText:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
    def test_encodings(self, tmp_path: Path, encoding: str) -> None:
        text = "Grüße, “naïve” café and a rather long line of plain words"
        assert read(tmp_path, text.encode(encoding)) == text

    def test_utf16_big_endian_with_a_mark(self, tmp_path: Path) -> None:
        assert read(tmp_path, b"\xfe\xff" + "日本語".encode("utf-16-be")) == "日本語"

    def test_line_ends_become_one_kind_and_the_last_goes(self, tmp_path: Path) -> None:
        assert read(tmp_path, b"a\r\nb\rc\n") == "a\nb\nc"

    def test_it_knows_its_name_and_size(self, tmp_path: Path) -> None:
        (tmp_path / "b.log").write_text("one\n")
        found = read_text_file(tmp_path / "b.log")
        assert (found.name, found.size) == ("b.log", 3)

    def test_the_largest_that_is_allowed(self, tmp_path: Path) -> None:
        assert len(read(tmp_path, b"x" * MOST_FILE_BYTES)) == MOST_FILE_BYTES


class TestRefused:
    def test_too_large(self, tmp_path: Path) -> None:
        (tmp_path / "big.log").write_bytes(b"x" * (MOST_FILE_BYTES + 1))
        said = refusal(tmp_path / "big.log")
        assert said == "big.log is too large: a file may have at most 1.00 MiB."

    @pytest.mark.parametrize("seed", range(20))
    def test_binary(self, tmp_path: Path, seed: int) -> None:
        rng = random.Random(seed)
        (tmp_path / "x.bin").write_bytes(rng.randbytes(rng.randint(50, 5000)))
        assert refusal(tmp_path / "x.bin") == "x.bin is not a text file."

    @pytest.mark.parametrize("raw", [b"PNG\0text", b"\xff\xfex", b"\xe4\xf6\xfc\xdf", b"\1\2\3abc"])
    def test_what_is_nearly_text(self, tmp_path: Path, raw: bytes) -> None:
        (tmp_path / "x").write_bytes(raw)
        assert refusal(tmp_path / "x") == "x is not a text file."

    @pytest.mark.parametrize("raw", [b"", b"\n", b" \r\n\t\n", b"\xef\xbb\xbf"])
    def test_empty(self, tmp_path: Path, raw: bytes) -> None:
        (tmp_path / "x").write_bytes(raw)
        assert refusal(tmp_path / "x") == "x is empty."

    def test_missing(self, tmp_path: Path) -> None:
        assert refusal(tmp_path / "none.txt").startswith("none.txt cannot be read: No such file")

    def test_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "src").mkdir()
        assert "src is a folder" in refusal(tmp_path / "src")

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
    def test_a_pipe_does_not_wait_for_a_writer(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert "not an ordinary file" in refusal(tmp_path / "pipe")
