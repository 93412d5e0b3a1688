"""`biplane models pull|list|remove`, with a hub on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.main import main
from app.core.store.downloads import downloads
from app.ui import trash
from tests.engine.hub.hub_server import REPO, Hub, hub, tiny_repo


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with hub() as made:
        made.publish(tiny_repo(shard_bytes=1000))
        monkeypatch.setenv("HF_ENDPOINT", made.endpoint)
        monkeypatch.delenv("HF_TOKEN", raising=False)
        yield made


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


Out = pytest.CaptureFixture[str]


def test_pull_list_remove(server: Hub, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["models", "pull", REPO]) == 0
    said = capsys.readouterr().out
    assert "model-00001-of-00003.safetensors" in said
    assert said.count("verified") == 7
    assert main(["models", "list"]) == 0
    assert str(downloads().folder(REPO)) in capsys.readouterr().out
    assert main(["models", "list", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["downloaded"]
    assert found["commit"] == server.head
    gone: list[Path] = []

    def move(path: Path) -> bool:
        gone.append(path)
        path.rename(path.with_name(".gone"))
        return True

    monkeypatch.setattr(trash, "to_trash", move)
    assert main(["models", "remove", REPO]) == 0
    assert gone == [downloads().folder(REPO)]
    assert main(["models", "list"]) == 0
    assert "No model" in capsys.readouterr().out


def test_get_is_another_name_and_json(server: Hub, capsys: Out) -> None:
    assert main(["models", "get", REPO, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["folder"] == str(downloads().folder(REPO))
    assert made["repo"] == REPO


def test_delete_for_good(server: Hub, capsys: Out) -> None:
    assert main(["models", "pull", REPO]) == 0
    assert main(["models", "remove", REPO, "--delete"]) == 0
    assert not downloads().folder(REPO).exists()
    assert main(["models", "remove", REPO]) == 1
    assert "has not been downloaded" in capsys.readouterr().err


def test_without_a_trash(server: Hub, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trash, "to_trash", lambda _: False)
    assert main(["models", "pull", REPO]) == 0
    assert main(["models", "remove", REPO]) == 1
    assert "--delete" in capsys.readouterr().err
    assert downloads().folder(REPO).exists()


def test_one_that_is_not_finished(server: Hub, capsys: Out) -> None:
    server.faults.wrong.add("model-00003-of-00003.safetensors")
    assert main(["models", "pull", REPO]) == 1
    assert "arrived damaged" in capsys.readouterr().err
    assert main(["models", "list"]) == 0
    assert "not finished" in capsys.readouterr().out
    assert main(["models", "remove", REPO]) == 0
    assert downloads().unfinished() == ()


def test_a_gated_one(server: Hub, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    server.gated = True
    assert main(["models", "pull", REPO]) == 1
    assert "gated" in capsys.readouterr().err
    monkeypatch.setenv("HF_TOKEN", server.token)
    assert main(["models", "pull", REPO]) == 0


@pytest.mark.parametrize("command", ["pull", "remove"])
def test_a_wrong_name(command: str, capsys: Out) -> None:
    assert main(["models", command, "nothing"]) == 2
    assert "owner/name" in capsys.readouterr().err
