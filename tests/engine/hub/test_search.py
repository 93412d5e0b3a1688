"""Searching a hub on this machine."""

from __future__ import annotations

import pytest

from engine.hub.failures import HubError
from engine.hub.search import MOST, Match, search
from tests.engine.hub.hub_server import Hub, Listed

QWEN: dict[str, object] = {"model_type": "qwen3_5"}


def test_the_most_downloaded_of_one_architecture(server: Hub) -> None:
    server.listed = [
        Listed("ada/Notes", QWEN, parameters=5, downloads=1),
        Listed("bob/More-Notes", QWEN, ("safetensors",), downloads=2),
        Listed("eve/Notes-llama", {"model_type": "llama"}, downloads=3),
        Listed("eve/Notes-GGUF", QWEN, ("gguf",), downloads=3),
        Listed("eve/Notes-AWQ", QWEN, ("safetensors", "awq"), downloads=3),
        Listed("eve/Other", QWEN, downloads=3),
    ]
    found = search("notes", "qwen3_5", endpoint=server.endpoint)
    assert found == (
        Match("bob/More-Notes", server.listed[1].commit, "", 0, 2),
        Match("ada/Notes", server.listed[0].commit, "mit", 5, 1),
    )
    assert len(search("", "qwen3_5", endpoint=server.endpoint)) == 3


def test_no_more_than_asked_for(server: Hub) -> None:
    server.listed = [Listed(f"ada/Notes-{at}", QWEN) for at in range(MOST + 5)]
    assert len(search("notes", "qwen3_5", endpoint=server.endpoint)) == MOST


@pytest.mark.parametrize("repo", ["../../etc", "ada/..", "ada", "ada/No tes"])
def test_a_name_that_is_none_is_left_out(server: Hub, repo: str) -> None:
    server.listed = [Listed(repo, QWEN), Listed("ada/Notes", QWEN)]
    found = search("", "qwen3_5", endpoint=server.endpoint)
    assert [match.repo for match in found] == ["ada/Notes"]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (404, "does not answer searches (status 404): enter a model as owner/name."),
        (429, "asks to wait"),
        (503, "has trouble of its own (status 503)"),
    ],
)
def test_a_hub_that_refuses(server: Hub, status: int, words: str) -> None:
    server.search_status = status
    with pytest.raises(HubError) as raised:
        search("notes", "qwen3_5", endpoint=server.endpoint)
    assert words in str(raised.value)


def test_nobody_there() -> None:
    with pytest.raises(HubError) as raised:
        search("notes", "qwen3_5", endpoint="http://127.0.0.1:9")
    assert raised.value.kind == "offline"
    assert str(raised.value).startswith("127.0.0.1:9 cannot be reached")
