"""Repositories of GGUF files: what of them is offered, and that one is fetched."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.hub.download import Download
from engine.hub.failures import HubError
from engine.hub.library import Library
from engine.hub.listing import beginning, list_repo
from engine.hub.manifest import SOURCE
from engine.hub.names import is_packed, packed_model, wanted_files
from tests.engine.hub.hub_server import REPO, Hub
from tests.present import present

FILES = {
    "README.md": b"# Tiny\n",
    "LICENSE": b"Do as you like.\n",
    "config.json": b"{}",
    "tiny-Q4_K_M.gguf": b"4" * 40_000,
    "tiny-Q8_0.gguf": b"8" * 80_000,
    "tiny-BF16-00001-of-00002.gguf": b"a" * 100_000,
    "tiny-BF16-00002-of-00002.gguf": b"b" * 60_000,
    "mmproj-F16.gguf": b"m" * 10_000,
    "imatrix.gguf": b"i" * 100,
    "Q2/deep.gguf": b"d" * 100,
}
Get = Callable[..., Download]


@pytest.fixture
def get(server: Hub, library: Library) -> Get:
    server.publish(FILES)
    return lambda only="": Download(library, REPO, only=only, endpoint=server.endpoint)


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("a-Q4_K_M.gguf", "a-Q4_K_M"),
        ("A.GGUF", "A"),
        ("a-00002-of-00003.gguf", "a"),
        ("mmproj-a.gguf", ""),
        ("a-imatrix.gguf", ""),
        ("a.bin", ""),
    ],
)
def test_names(name: str, model: str) -> None:
    assert packed_model(name) == model
    assert is_packed(name) == bool(model)


def test_safetensors_come_first() -> None:
    assert wanted_files("a/b", ["config.json", "m.safetensors", "m.gguf"]) == (
        "config.json",
        "m.safetensors",
    )


def test_a_repository_of_neither() -> None:
    with pytest.raises(HubError, match=r"a \.gguf file, or config\.json and weights"):
        wanted_files("a/b", ["config.json", "mmproj.gguf", "m.bin"])


def test_its_models_with_their_sizes(get: Get, server: Hub) -> None:
    found = list_repo(REPO, endpoint=server.endpoint)
    assert dict(found.choices) == {
        "tiny-Q4_K_M": 40_000,
        "tiny-Q8_0": 80_000,
        "tiny-BF16": 160_000,
    }
    assert [file.name for file in found.only("tiny-Q8_0").files] == ["LICENSE", "tiny-Q8_0.gguf"]
    with pytest.raises(HubError, match=r"has no x\.gguf; it has tiny-Q4_K_M, tiny-Q8_0"):
        found.only("x")


@pytest.mark.parametrize("only", ["tiny-Q4_K_M", "tiny-BF16"])
def test_one_is_fetched_and_opened_by_its_first_file(get: Get, library: Library, only: str) -> None:
    ended = get(only).run()
    assert ended.phase == "done", ended.problem
    place = present(ended.folder)
    assert packed_model(place.name) == only
    names = {path.name for path in place.parent.iterdir()} - {SOURCE}
    assert names == {"LICENSE", *(name for name in FILES if packed_model(name) == only)}
    (found,) = library.downloaded()
    assert found.place == place
    assert not found.problem


def test_which_one_has_to_be_said(get: Get, library: Library) -> None:
    ended = get().run()
    assert ended.phase == "failed"
    assert "choose one of tiny-Q4_K_M, tiny-Q8_0, tiny-BF16" in str(ended.problem)
    assert library.unfinished() == ()


def test_a_begun_one_goes_on_with_its_own_file(get: Get, server: Hub, library: Library) -> None:
    server.faults.wrong = {"tiny-Q8_0.gguf"}
    assert get("tiny-Q8_0").run().phase == "failed"
    server.faults.wrong = set()
    (begun,) = library.unfinished()
    assert list(begun.manifest.choices) == ["tiny-Q8_0"]
    ended = get().run()
    assert ended.phase == "done", ended.problem
    assert present(ended.folder).name == "tiny-Q8_0.gguf"


def test_the_beginning_of_a_file(get: Get, server: Hub) -> None:
    found = list_repo(REPO, endpoint=server.endpoint)
    for no_ranges in (False, True):
        server.faults.no_ranges = no_ranges
        raw = beginning(REPO, found.commit, "tiny-Q8_0.gguf", size=1000, endpoint=server.endpoint)
        assert raw == b"8" * 1000
