"""`biplane serve --for PROGRAM`: the settings with which another program uses the server."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass

OBSIDIAN = "app://obsidian.md"
# Programs that demand a key accept any where the server asks for none.
NO_TOKEN = "none"


@dataclass(frozen=True, slots=True)
class Facts:
    """What the settings say.

    Attributes:
        url: of the server, without a path.
        token: "" if none is asked for.
        context: tokens of the longest conversation.
    """

    url: str
    token: str
    model: str
    context: int

    @property
    def openai(self) -> str:
        return f"{self.url}/v1"

    @property
    def key(self) -> str:
        return self.token or NO_TOKEN


def _variables(**values: str) -> str:
    return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in values.items())


def _codex(facts: Facts) -> str:
    return f"""\
# In ~/.codex/config.toml:
model = {json.dumps(facts.model)}
model_provider = "biplane"
model_context_window = {facts.context}

[model_providers.biplane]
name = "Biplane"
base_url = {json.dumps(facts.openai)}
wire_api = "responses"
env_key = "BIPLANE_TOKEN"

# In the shell that starts codex:
# {_variables(BIPLANE_TOKEN=facts.key)}"""


def _opencode(facts: Facts) -> str:
    limits = {"context": facts.context, "output": max(1, facts.context // 4)}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Biplane",
        "options": {"baseURL": facts.openai, "apiKey": facts.key},
        "models": {facts.model: {"name": facts.model, "limit": limits}},
    }
    settings = {
        "$schema": "https://opencode.ai/config.json",
        "model": f"biplane/{facts.model}",
        "provider": {"biplane": provider},
    }
    return "// In opencode.json:\n" + json.dumps(settings, indent=2)


def _claude_code(facts: Facts) -> str:
    settings = _variables(
        ANTHROPIC_BASE_URL=facts.url,
        ANTHROPIC_AUTH_TOKEN=facts.key,
        ANTHROPIC_MODEL=facts.model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL=facts.model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
    )
    return f"# In the shell that starts claude:\n{settings}"


def _aider(facts: Facts) -> str:
    settings = _variables(OPENAI_API_BASE=facts.openai, OPENAI_API_KEY=facts.key)
    start = f"aider --model {shlex.quote(f'openai/{facts.model}')}"
    return f"# In the shell that starts aider:\n{settings}\n{start}"


def _llm(facts: Facts) -> str:
    return f"""\
# In extra-openai-models.yaml, beside the file that `llm logs path` names:
- model_id: biplane
  model_name: {json.dumps(facts.model)}
  api_base: {json.dumps(facts.openai)}
  api_key_name: biplane
  supports_schema: true
  supports_tools: true

# Once:
# llm keys set biplane --value {shlex.quote(facts.key)}
# llm -m biplane 'Hello!'"""


def _open_webui(facts: Facts) -> str:
    settings = _variables(OPENAI_API_BASE_URL=facts.openai, OPENAI_API_KEY=facts.key)
    return (
        f"# In the shell that starts Open WebUI:\n{settings}\n"
        "# Or in Admin Panel > Settings > Connections > OpenAI API: the same address and key."
    )


def _obsidian(facts: Facts) -> str:
    return f"""\
# In the settings of a plugin that knows OpenAI-compatible servers:
Base URL   {facts.openai}
API key    {facts.key}
Model      {facts.model}
# The server lets {OBSIDIAN} in, since it was started with --for obsidian."""


PROGRAMS: dict[str, Callable[[Facts], str]] = {
    "codex": _codex,
    "opencode": _opencode,
    "claude-code": _claude_code,
    "aider": _aider,
    "llm": _llm,
    "open-webui": _open_webui,
    "obsidian": _obsidian,
}


def settings_for(program: str, facts: Facts) -> str:
    """What to paste, with comments that say where."""
    return PROGRAMS[program](facts)
