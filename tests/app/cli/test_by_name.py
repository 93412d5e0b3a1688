"""`biplane serve --open-by-name`: another model, and back to the first with its cache."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file

from app.cli.by_name import OneOpen, models_in
from app.core.options.shared import UsageError
from engine import EngineConfig
from engine.net.server import ServeConfig, Server
from tests.engine.net.server.conftest import DEMO, MIB, TOKEN, Caller

CHAT = "/api/chat"
TALK = " ".join(f"The checkpoint of turn {n} lies in the state plane." for n in range(12))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models of different weights, one that is not whole, and one that will be gone."""
    folder = tmp_path_factory.mktemp("models")
    for name in ("first", "second", "half", "gone"):
        shutil.copytree(DEMO, folder / name)
    for name in ("second", "gone"):
        weights = folder / name / "model.safetensors"
        tensors = load_file(weights)
        save_file({key: 1.01 * tensor for key, tensor in tensors.items()}, weights)
    (folder / "half" / "model.safetensors").unlink()
    (folder / "notes.txt").write_text("Not a model.")
    return folder


@pytest.fixture
def models(folder: Path, tmp_path: Path) -> Iterator[tuple[OneOpen, Caller]]:
    config = EngineConfig(
        cache_bytes=64 * MIB, disk_bytes=64 * MIB, cache_dir=tmp_path / "cache", threads=1
    )
    server = Server(ServeConfig(port=0, token=TOKEN))
    server.start()
    opened = OneOpen(server, config, folder / "first", list(models_in([str(folder)])))
    server.open_by_name(opened)
    caller = Caller(server)
    yield opened, caller
    caller.close()
    assert server.stop()
    opened.close()


def body(model: str, **more: Any) -> dict[str, Any]:
    asked = {"role": "user", "content": f"{TALK} What do you like?"}
    return {
        "model": model,
        "messages": [asked],
        "stream": False,
        "options": {"num_predict": 4, "temperature": 0},
    } | more


def test_there_and_back_again(
    models: tuple[OneOpen, Caller], capsys: pytest.CaptureFixture[str]
) -> None:
    opened, caller = models
    cold = caller.post(CHAT, body("first"))
    assert (cold["biplane"]["reused"], cold["biplane"]["opened"]) == (0, None)
    there = caller.post(CHAT, body("second:latest"))
    assert there["model"] == "second"
    assert there["biplane"]["reused"] == 0
    told = there["biplane"]["opened"]
    assert (told["name"], told["closed"], told["kept"]) == ("second", "first", True)
    assert there["load_duration"] == int(told["seconds"] * 1e9) > 0
    assert told["sentence"] in capsys.readouterr().err
    assert "comes from the disk" in told["sentence"]
    back = caller.post(CHAT, body("first"))
    assert back["biplane"]["opened"]["name"] == "first"
    # All but the last token, or all of them with the last hidden row.
    assert back["biplane"]["tier"] == "disk"
    assert back["biplane"]["reused"] >= cold["prompt_eval_count"] - 1
    assert back["message"] == cold["message"]
    assert caller.post(CHAT, body("first"))["load_duration"] == 0
    assert opened.alive


def test_its_answers_are_recognised_after_another_was_open(
    models: tuple[OneOpen, Caller],
) -> None:
    """The client sends no thinking back, so only what is remembered of it continues the prompt."""
    _, caller = models
    thinks = {
        "think": True,
        "chat_template_kwargs": {"preserve_thinking": True},
        "options": {"num_predict": 400, "temperature": 0},
    }
    asked = body("first", **thinks)
    said = caller.post(CHAT, asked)
    assert said["message"]["thinking"]
    caller.post(CHAT, body("second"))
    history = {"role": "assistant", "content": said["message"]["content"]}
    following = {"role": "user", "content": "And then?"}
    back = caller.post(CHAT, asked | {"messages": [*asked["messages"], history, following]})
    assert back["biplane"]["reused"] >= said["prompt_eval_count"] + said["eval_count"] - 1


def test_every_interface_opens_by_name(models: tuple[OneOpen, Caller]) -> None:
    _, caller = models
    asked = {"model": "second", "messages": body("")["messages"], "max_tokens": 2}
    said = caller.post("/v1/chat/completions", asked)
    assert said["usage"]["biplane"]["opened"]["closed"] == "first"
    assert caller.post("/v1/messages/count_tokens", asked | {"model": "first"})["input_tokens"] > 50
    assert (
        caller.post("/v1/messages", asked | {"model": "first"})["usage"]["biplane"]["opened"]
        is None
    )


def test_what_is_listed(models: tuple[OneOpen, Caller]) -> None:
    _, caller = models
    tags = caller.send("GET", "/api/tags").json()["models"]
    assert [one["name"] for one in tags] == ["first", "gone", "second"]
    assert [one["name"] for one in caller.send("GET", "/api/ps").json()["models"]] == ["first"]
    assert [one["id"] for one in caller.send("GET", "/v1/models").json()["data"]] == [
        "first",
        "gone",
        "second",
    ]
    shown = [caller.post("/api/show", {"model": one["name"]})["model_info"] for one in tags]
    assert shown[0] == shown[2]
    assert caller.send("GET", "/v1/models/second").json()["context_length"] > 1000


def test_an_unknown_name(models: tuple[OneOpen, Caller]) -> None:
    _, caller = models
    refused = caller.send("POST", CHAT, body("half"))
    assert refused.status_code == 404
    assert refused.json()["error"].endswith("which has first, gone, second.")
    assert caller.send("POST", "/api/show", {"model": "x"}).status_code == 404


def test_one_that_cannot_be_opened_leaves_the_other(
    models: tuple[OneOpen, Caller], folder: Path
) -> None:
    _, caller = models
    weights = folder / "gone" / "model.safetensors"
    weights.rename(folder / "away")
    refused = caller.send("POST", CHAT, body("gone"))
    (folder / "away").rename(weights)
    assert refused.status_code == 400
    assert refused.json()["error"].startswith("gone cannot be opened: ")
    assert caller.post(CHAT, body("first"))["load_duration"] == 0


def test_an_answer_ends_before_its_model_is_closed(models: tuple[OneOpen, Caller]) -> None:
    _, caller = models
    ended: dict[str, float] = {}
    said: dict[str, Any] = {}

    def ask(name: str, most: int) -> None:
        options = {"num_predict": most, "ignore_eos": True}
        said[name] = caller.post(CHAT, body(name, options=options))
        ended[name] = time.perf_counter()

    first = threading.Thread(target=ask, args=("first", 300))
    first.start()
    while not caller.send("GET", "/metrics").text.count("biplane_requests_running 1"):
        time.sleep(0.01)
    second = threading.Thread(target=ask, args=("second", 2))
    second.start()
    first.join()
    second.join()
    assert said["first"]["eval_count"] == 300
    assert said["second"]["biplane"]["opened"]["name"] == "second"
    assert ended["first"] < ended["second"]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="takes a folder"):
        list(models_in([str(tmp_path / "nowhere")]))
