"""Programs as they are installed, opt-in: BIPLANE_CLIENTS is a virtual environment with llm,
litellm and ollama, BIPLANE_AGENTS the folder of the programs codex and opencode.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.serve_for import Facts, settings_for
from engine import Engine, EngineConfig
from engine.net.server import ServeConfig, Server
from tests.engine.net.server.conftest import DEMO, MIB, TOKEN

CLIENTS, AGENTS = os.environ.get("BIPLANE_CLIENTS", ""), os.environ.get("BIPLANE_AGENTS", "")
clients = pytest.mark.skipif(not CLIENTS, reason="BIPLANE_CLIENTS names no environment")
agents = pytest.mark.skipif(not AGENTS, reason="BIPLANE_AGENTS names no folder")
# Agents' own instructions are longer than the bundled model's context.
CONTEXT = 32_768
LITELLM = """
import json, sys, litellm
litellm.suppress_debug_info = True
url, token, model = sys.argv[1:]
long = [{"role": "user", "content": "word " * 33_000}]
for name, base in ((f"openai/{model}", url + "/v1"), (f"anthropic/{model}", url)):
    try:
        litellm.completion(model=name, messages=long, api_base=base, api_key=token, max_tokens=5)
    except litellm.ContextWindowExceededError:
        print("too long")
    try:
        litellm.completion(model=name, messages=long[:1], api_base=base, api_key="wrong")
    except litellm.AuthenticationError:
        print("not let in")
short = [{"role": "user", "content": "Hello!"}]
tool = {"type": "function", "function": {"name": "look", "parameters": {"properties": {}}}}
for name, base in ((f"openai/{model}", url + "/v1"), (f"anthropic/{model}", url)):
    said = litellm.completion(
        model=name, messages=short, api_base=base, api_key=token, max_tokens=60,
        tools=[tool], tool_choice="required",
    )
    print(said.choices[0].message.tool_calls[0].function.name)
"""
OLLAMA = """
import sys, ollama
url, token, model = sys.argv[1:]
client = ollama.Client(host=url, headers={"Authorization": "Bearer " + token})
asked = {"model": model, "messages": [{"role": "user", "content": "Hello!"}]}
print(client.list().models[0].model)
print(client.show(model).capabilities)
print(client.chat(**asked, format={"enum": ["tea"]}).message.content)
print(len(list(client.chat(**asked, stream=True, options={"num_predict": 5}))))
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Facts]:
    folder = tmp_path_factory.mktemp("models") / "large"
    shutil.copytree(DEMO, folder)
    config = json.loads((folder / "config.json").read_text())
    config["max_position_embeddings"] = CONTEXT
    (folder / "config.json").write_text(json.dumps(config))
    with Engine.open(folder, EngineConfig(cache_bytes=512 * MIB)) as engine:
        server = Server(ServeConfig(port=0, token=TOKEN))
        server.attach(engine.loop, engine.model)
        server.start()
        yield Facts(server.url, TOKEN, engine.model.name, engine.model.context)
        assert server.stop()


def said(*command: str | Path, cwd: Path, **variables: str) -> str:
    done = subprocess.run(
        [str(one) for one in command],
        cwd=cwd,
        env=os.environ | {"HOME": str(cwd)} | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@clients
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (LITELLM, ["too long", "not let in"] * 2 + ["look"] * 2),
        (OLLAMA, ["large", "['completion', 'tools', 'thinking']", '"tea"', "6"]),
    ],
    ids=["litellm", "ollama"],
)
def test_libraries(facts: Facts, tmp_path: Path, script: str, expected: list[str]) -> None:
    python = Path(CLIENTS, "bin", "python")
    told = said(python, "-c", script, facts.url, facts.token, facts.model, cwd=tmp_path)
    assert told.splitlines() == expected


@clients
def test_llm(facts: Facts, tmp_path: Path) -> None:
    program = Path(CLIENTS, "bin", "llm")
    (tmp_path / "extra-openai-models.yaml").write_text(settings_for("llm", facts))
    here = {"LLM_USER_PATH": str(tmp_path)}
    said(program, "keys", "set", "biplane", "--value", facts.token, cwd=tmp_path, **here)
    assert said(program, "-m", "biplane", "Hello!", cwd=tmp_path, **here).strip()
    schema = '{"properties": {"likes": {"enum": ["tea", "rain"]}}, "required": ["likes"]}'
    told = said(program, "-m", "biplane", "--schema", schema, "Who?", cwd=tmp_path, **here)
    assert json.loads(told)["likes"] in ("tea", "rain")


@agents
def test_codex(facts: Facts, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(settings_for("codex", facts))
    variables = {"CODEX_HOME": str(tmp_path), "BIPLANE_TOKEN": facts.token}
    asked = ("exec", "--skip-git-repo-check", "Say hello.")
    assert said(Path(AGENTS, "codex"), *asked, cwd=tmp_path, **variables).strip()


@agents
def test_opencode(facts: Facts, tmp_path: Path) -> None:
    settings = settings_for("opencode", facts).partition("\n")[2]
    path = tmp_path / "opencode.json"
    path.write_text(settings)
    here = {"OPENCODE_CONFIG": str(path)}
    assert said(Path(AGENTS, "opencode"), "run", "Say hello.", cwd=tmp_path, **here).strip()
