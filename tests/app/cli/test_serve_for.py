"""`biplane serve --for PROGRAM`: what it prints is what the program reads."""

from __future__ import annotations

import argparse
import json
import shlex
import tomllib

import pytest

from app.cli.main import make_parser
from app.cli.serve import serve_config
from app.cli.serve_for import NO_TOKEN, OBSIDIAN, PROGRAMS, Facts, settings_for

FACTS = Facts("http://127.0.0.1:8642", "bp-secret", 'it\'s "big" 4B', 4096)


def parsed(*options: str) -> argparse.Namespace:
    return make_parser().parse_args(["serve", *options])


def variables(text: str) -> dict[str, str]:
    """What a shell would set."""
    words = [shlex.split(line) for line in text.splitlines() if line.startswith("export ")]
    return dict(word.split("=", 1) for _, word in words)


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_has_the_address_the_token_and_the_model(program: str) -> None:
    text = settings_for(program, FACTS)
    assert FACTS.url in text
    assert FACTS.token in text
    assert "4B" in text or program == "open-webui"
    assert NO_TOKEN in settings_for(program, Facts(FACTS.url, "", "x", 1))


def test_codex_reads_toml() -> None:
    read = tomllib.loads(settings_for("codex", FACTS))
    provider = read["model_providers"][read["model_provider"]]
    assert read["model"] == FACTS.model
    assert read["model_context_window"] == 4096
    assert provider["base_url"] == "http://127.0.0.1:8642/v1"
    assert provider["wire_api"] == "responses"


def test_opencode_reads_json() -> None:
    read = json.loads(settings_for("opencode", FACTS).partition("\n")[2])
    provider, _, model = read["model"].partition("/")
    assert model == FACTS.model
    assert list(read["provider"][provider]["models"]) == [FACTS.model]
    assert read["provider"][provider]["options"]["apiKey"] == "bp-secret"


def test_shells_read_variables() -> None:
    assert variables(settings_for("claude-code", FACTS))["ANTHROPIC_MODEL"] == FACTS.model
    aider = settings_for("aider", FACTS)
    assert variables(aider)["OPENAI_API_BASE"] == "http://127.0.0.1:8642/v1"
    assert shlex.split(aider.splitlines()[-1])[-1] == f"openai/{FACTS.model}"


def test_obsidian_is_let_in() -> None:
    assert serve_config(parsed("--for", "obsidian")).origins == (OBSIDIAN,)
    assert serve_config(parsed("--for", "codex")).origins == ()
