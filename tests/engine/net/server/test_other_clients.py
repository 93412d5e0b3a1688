"""Programs as they are installed, opt-in: BIPLANE_CLIENTS is a virtual environment with llm,
litellm and ollama, BIPLANE_AGENTS a folder of the programs codex, opencode and aider.

The bundled model was not taught to call tools, so in a task each of its answers is constrained to a
text that was decided beforehand. All else is real: the program, its tools, and the server.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from app.cli.serve_for import Facts, settings_for
from engine import Engine, EngineConfig
from engine.net.server import ServeConfig, Server
from engine.net.server.asked import Asked
from engine.net.server.exchange import Exchange
from engine.net.server.hub import Hub
from engine.net.server.registry import ClientRecord
from tests.engine.net.server.conftest import DEMO, MIB, TOKEN

CLIENTS, AGENTS = os.environ.get("BIPLANE_CLIENTS", ""), os.environ.get("BIPLANE_AGENTS", "")
clients = pytest.mark.skipif(not CLIENTS, reason="BIPLANE_CLIENTS names no environment")
agents = pytest.mark.skipif(not AGENTS, reason="BIPLANE_AGENTS names no folder")


def agent(name: str) -> pytest.MarkDecorator:
    here = bool(AGENTS) and Path(AGENTS, name).is_file()
    return pytest.mark.skipif(not here, reason=f"BIPLANE_AGENTS names no folder with {name}")


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


@dataclass(frozen=True)
class Served:
    server: Server
    facts: Facts


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("models") / "large"
    shutil.copytree(DEMO, folder)
    config = json.loads((folder / "config.json").read_text())
    config["max_position_embeddings"] = CONTEXT
    (folder / "config.json").write_text(json.dumps(config))
    with Engine.open(folder, EngineConfig(cache_bytes=512 * MIB)) as engine:
        server = Server(ServeConfig(port=0, token=TOKEN, keep_thinking=True))
        server.attach(engine.loop, engine.model)
        server.start()
        model = engine.model
        yield Served(server, Facts(server.url, TOKEN, model.name, model.context))
        assert server.stop()


@pytest.fixture
def facts(served: Served) -> Facts:
    return served.facts


class Task:
    """The answers of the model in one task, in order; what a program asks besides gets a title."""

    def __init__(self, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
        self._server = served.server
        self._answers: deque[str] = deque()
        self._numbers: list[int] = []
        begin = Hub.begin

        async def constrained(hub: Hub, asked: Asked, client: ClientRecord, path: str) -> Exchange:
            of_task = bool(self._answers) and self.has(asked)
            grammars = await hub.ask(lambda core: core.grammars)
            says = grammars.literal(self._answers.popleft() if of_task else "A title")
            asked = replace(asked, sampling=asked.sampling | {"grammar": f"start: {says}"})
            exchange = await begin(hub, asked, client, path)
            if of_task:
                self._numbers.append(exchange.number)
            return exchange

        monkeypatch.setattr(Hub, "begin", constrained)

    def has(self, asked: Asked) -> bool:
        """Whether a request belongs to the task."""
        return bool(asked.tools.described)

    def says(self, text: str, **calls: object) -> None:
        """The next answer: a text, and calls of tools with their arguments."""
        for name, arguments in calls.items():
            call = json.dumps({"name": name, "arguments": arguments})
            text += f"\n<tool_call>\n{call}\n</tool_call>"
        self._answers.append(text)

    def check(self, *, rewrites: bool = False) -> None:
        """All was asked for, and each request processed only what was new in it.

        rewrites: the program changes what was said before, so only what precedes that is reused.
        """
        assert not self._answers
        requests = {one.number: one for one in self._server.snapshot.requests}
        before = processed = reused = 0
        for turn, number in enumerate(self._numbers):
            request = requests[number]
            plan, report = request.plan, request.report
            assert request.state == "done"
            assert plan is not None
            assert report is not None
            if turn:
                assert plan.replayed == 0, plan.detail
                assert plan.reused > 0 if rewrites else plan.reused >= before, plan.detail
            before = plan.total + report.generated
            processed, reused = processed + plan.computed, reused + plan.reused
        print(f"{len(self._numbers)} requests: {processed:,} processed, {reused:,} reused")


@pytest.fixture
def task(served: Served, monkeypatch: pytest.MonkeyPatch) -> Task:
    return Task(served, monkeypatch)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The file that the tasks change."""
    path = tmp_path / "notes.txt"
    path.write_text("one\ntwo\n")
    return path


def said(*command: str | Path, cwd: Path, **variables: str) -> str:
    done = subprocess.run(
        [str(one) for one in command],
        cwd=cwd,
        # Some programs take their folder from the shell's variable.
        env=os.environ | {"HOME": str(cwd), "PWD": str(cwd)} | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=400,
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


TOOLS = """
import pathlib

def read_file(path: str) -> str:
    "Read a file."
    return pathlib.Path(path).read_text()

def write_file(path: str, text: str) -> str:
    "Write a file."
    pathlib.Path(path).write_text(text)
    return "Written."
"""


@clients
def test_a_task_of_llm(facts: Facts, task: Task, notes: Path) -> None:
    here = notes.parent
    program, settings = Path(CLIENTS, "bin", "llm"), {"LLM_USER_PATH": str(here)}
    (here / "extra-openai-models.yaml").write_text(settings_for("llm", facts))
    said(program, "keys", "set", "biplane", "--value", facts.token, cwd=here, **settings)
    asks = (program, "-m", "biplane", "--functions", TOOLS)
    task.says("I read it.", read_file={"path": "notes.txt"})
    task.says("I change it.", write_file={"path": "notes.txt", "text": "one\nthree\n"})
    task.says("It is three now.")
    told = said(*asks, "Change two to three.", cwd=here, **settings)
    assert "It is three now." in told
    assert notes.read_text() == "one\nthree\n"
    task.says("I look again.", read_file={"path": "notes.txt"})
    task.says("Yes.")
    assert said(*asks, "-c", "Is it?", cwd=here, **settings).strip().endswith("Yes.")
    task.check()


@agent("codex")
def test_a_task_of_codex(facts: Facts, task: Task, notes: Path) -> None:
    here = notes.parent
    (here / "config.toml").write_text(settings_for("codex", facts))
    settings = {"CODEX_HOME": str(here), "BIPLANE_TOKEN": facts.token}
    # Nothing is changed outside the folder, and where tests run there may be no sandbox.
    free = ("--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox")
    task.says("I read it.", exec_command={"cmd": "cat notes.txt"})
    task.says("I change it.", exec_command={"cmd": "sed -i s/two/three/ notes.txt"})
    task.says("It is three now.")
    asks = (Path(AGENTS, "codex"), "exec")
    told = said(*asks, *free, "Change two to three.", cwd=here, **settings)
    assert told.strip() == "It is three now."
    assert notes.read_text() == "one\nthree\n"
    task.says("I look again.", exec_command={"cmd": "cat notes.txt"})
    task.says("Yes.")
    told = said(*asks, "resume", "--last", *free, "Is it?", cwd=here, **settings)
    assert told.strip() == "Yes."
    task.check()


@agent("opencode")
def test_a_task_of_opencode(facts: Facts, task: Task, notes: Path) -> None:
    here = notes.parent
    (here / "opencode.json").write_text(settings_for("opencode", facts).partition("\n")[2])
    settings = {"OPENCODE_CONFIG": str(here / "opencode.json")}
    file = {"filePath": str(notes)}
    task.says("I read it.", read=file)
    task.says("I change it.", edit=file | {"oldString": "two", "newString": "three"})
    task.says("It is three now.")
    asks = (Path(AGENTS, "opencode"), "run")
    told = said(*asks, "Change two to three.", cwd=here, **settings)
    assert "It is three now." in told
    assert notes.read_text() == "one\nthree\n"
    task.says("I look again.", read=file)
    task.says("Yes.")
    assert "Yes." in said(*asks, "--continue", "Is it?", cwd=here, **settings)
    task.check()


@agent("aider")
def test_a_task_of_aider(
    facts: Facts, task: Task, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It offers no tools: it shows the files that an answer names, writes those that an answer
    lists, and sends back what the tests say. Their new contents come before what was said.
    """
    monkeypatch.setattr(task, "has", lambda asked: True)
    here = notes.parent
    for step in (("init", "-q"), ("add", notes.name)):
        said("git", *step, cwd=here)
    *settings, _ = settings_for("aider", facts).splitlines()
    variables = dict(one.removeprefix("export ").split("=", 1) for one in settings[1:])
    task.says("I have to see notes.txt first.")
    task.says("notes.txt\n```\none\ntree\n```")
    task.says("A letter was missing.\n\nnotes.txt\n```\none\nthree\n```")
    quiet = "yes-always no-check-update no-show-model-warnings no-gitignore no-auto-commits"
    told = said(
        *(Path(AGENTS, "aider"), "--model", f"openai/{facts.model}"),
        *(f"--{name}" for name in quiet.split()),
        *("--auto-test", "--test-cmd", "grep -q three notes.txt"),
        *("--message", "Change two to three."),
        cwd=here,
        **variables,
    )
    assert "Applied edit to notes.txt" in told
    assert notes.read_text() == "one\nthree\n"
    task.check(rewrites=True)
