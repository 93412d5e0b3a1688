"""Which models a search means."""

from __future__ import annotations

import pytest

from app.models.logic.seeking import named_repo, sought
from app.models.logic.shelf import ShelfEntry

B = 10**9


def finds(text: str, name: str, parameters: int = 0, *, said: str = "", fits: bool = False) -> bool:
    entry = ShelfEntry(f"Org/{name}", "known", name, f"Org/{name}")
    return sought(text).finds(entry, parameters, said=said, fits=fits)


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("", "Any", 0),
        ("QWEN 3.5", "Qwen3.5-4B", 0),
        ("org/any", "Any", 0),
        ("https://huggingface.co/Org/Any/tree/main", "Any", 0),
        ("4b", "Qwen3.5-4B", 0),
        ("4b", "Nameless", 4_210_000_000),
        ("0.8b", "Nameless", 752_000_000),
        ("750m", "Nameless", 752_000_000),
        ("small", "Any", 4 * B),
        ("large", "Any", 27 * B),
        ("handy", "Any", 0),
    ],
)
def test_found(text: str, name: str, parameters: int) -> None:
    assert finds(text, name, parameters, said="Handy for notes")


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("qwen 4", "Qwen3.5-9B", 0),
        ("4b", "Model-14B", 14 * B),
        ("4b", "Model-4Bit", 0),
        ("3b", "Model-35B-A3B", 35 * B),
        ("small", "Any", 9 * B),
        # Nobody knows.
        ("small", "Any", 0),
        ("large", "Any", 0),
        ("fits", "Any", 4 * B),
    ],
)
def test_not_found(text: str, name: str, parameters: int) -> None:
    assert not finds(text, name, parameters)


def test_fits_is_asked_of_the_machine_and_not_of_the_hub() -> None:
    assert finds("qwen fits", "Qwen3.5-4B", fits=True)
    assert sought("Qwen fits small 4B notes").on_hub == "qwen notes 4b"


def test_a_repository_is_named_by_owner_and_name_alone() -> None:
    assert named_repo(" Org/Name ") == "Org/Name"
    assert named_repo("https://huggingface.co/Org/Name") == "Org/Name"
    assert named_repo("name") == ""
