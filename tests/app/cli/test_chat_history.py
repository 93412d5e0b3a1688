"""The history of the terminal chat: what comes back, who may read it, and files that are no use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.cli.message_source import KEPT_BYTES, LONGEST_BYTES, ChatHistory


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "biplane" / "chat_history"


def kept(path: Path) -> list[str]:
    """What a new chat finds, newest first."""
    return list(ChatHistory(path).load_history_strings())


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_what_was_typed_comes_back_newest_first(path: Path) -> None:
    assert kept(path) == []
    history = ChatHistory(path)
    for text in ("one", "two\nlines", 'with "quotes" and \\', "ünï ✓", "\ud800"):
        history.append_string(text)
    assert kept(path) == ["\ud800", "ünï ✓", 'with "quotes" and \\', "two\nlines", "one"]
    assert history.problem == ""


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_its_owner_reads_it(path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        ChatHistory(path).append_string("secret")
    finally:
        os.umask(before)
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)


@pytest.mark.parametrize("use", ["read", "write"])
def test_a_file_that_others_could_read_is_closed_to_them(path: Path, use: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text('"old"\n')
    path.chmod(0o644)
    if use == "read":
        assert kept(path) == ["old"]
    else:
        ChatHistory(path).append_string("new")
    assert mode(path) == 0o600


def test_damaged_lines_are_left_out(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b'"one"\n{"a": 1}\n\n\xff\xfe\n' + b"[" * 100_000 + b'\n3\n"cut sho')
    assert kept(path) == ["one"]


def test_the_file_does_not_grow_for_ever(path: Path) -> None:
    history = ChatHistory(path)
    text = "x" * 60_000
    for number in range(40):
        history.store_string(f"{number} {text}")
    found = kept(path)
    assert path.stat().st_size <= KEPT_BYTES
    assert [entry.split()[0] for entry in found] == [str(n) for n in range(39, 39 - len(found), -1)]
    assert len(found) > 10
    assert kept(path) == found


def test_a_page_that_was_pasted_is_not_kept(path: Path) -> None:
    history = ChatHistory(path)
    history.append_string("x" * LONGEST_BYTES)
    assert kept(path) == []
    assert len(history.get_strings()) == 1


@pytest.mark.parametrize("what", ["folder", "parent is a file"])
def test_a_place_that_is_no_use_ends_no_chat(tmp_path: Path, what: str) -> None:
    path = tmp_path / "place"
    if what == "folder":
        path.mkdir()
    else:
        path.touch()
        path /= "chat_history"
    history = ChatHistory(path)
    list(history.load_history_strings())
    history.append_string("hello")
    assert history.get_strings() == ["hello"]
    assert history.problem.startswith(f"Input history is off: {path} cannot be used (")
    assert history.problem.endswith(").")
