"""Names of repositories and files."""

from __future__ import annotations

import pytest

from engine.hub.failures import HubError
from engine.hub.names import is_safe, is_wanted, repo_id


@pytest.mark.parametrize(
    "text",
    [
        "Qwen/Qwen3.5-0.8B",
        "  Qwen/Qwen3.5-0.8B ",
        "https://huggingface.co/Qwen/Qwen3.5-0.8B",
        "https://huggingface.co/Qwen/Qwen3.5-0.8B/tree/main",
    ],
)
def test_a_repository(text: str) -> None:
    assert repo_id(text) == "Qwen/Qwen3.5-0.8B"


@pytest.mark.parametrize(
    "text",
    ["", "Qwen", "/x", "a/", "../x", "a/..", "a/b/c", "a b/c", ".a/b", "a/b--c", "a/b\n", "é/b"],
)
def test_no_repository(text: str) -> None:
    if text == "a/b\n":
        assert repo_id(text) == "a/b"
        return
    with pytest.raises(HubError, match="owner/name"):
        repo_id(text)


@pytest.mark.parametrize("name", ["LICENSE", "LICENSE.txt", "Licence.md", "NOTICE", "a.json"])
def test_wanted(name: str) -> None:
    assert is_safe(name)
    assert is_wanted(name)


@pytest.mark.parametrize("name", ["a.py", "a.bin", "a.gguf", ".hidden.json", "README.md", "a.pth"])
def test_not_wanted(name: str) -> None:
    assert not is_wanted(name)


@pytest.mark.parametrize("name", ["", "/a", "a//b", "a/./b", "..", "a\0b", "nul:", "x" * 201])
def test_not_safe(name: str) -> None:
    assert not is_safe(name)
