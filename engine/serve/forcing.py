"""How a model is made to call a tool: its answer is begun for it, in the way of its template."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from engine.errors import BiplaneError
from engine.message import Message, PromptOptions
from engine.serve.asked import Tools
from engine.serve.call_reader import FUNCTION, OPEN

if TYPE_CHECKING:
    from engine.text.text_model import TextModel

_NAME = "probe_of_biplane"
_TOOL = {
    "type": "function",
    "function": {
        "name": _NAME,
        "description": "",
        "parameters": {"type": "object", "properties": {}},
    },
}


def writes_tags(text: TextModel) -> bool:
    """Whether the template writes calls in tags; if not, as JSON.

    It is asked by rendering a call, not by name: the template's text is what the model was taught.
    """
    call = Message("assistant", "", tool_calls=({"name": _NAME, "arguments": {}},))
    chat = [Message("user", "Hello"), call, Message("tool", "Done")]
    try:
        ids = text.render(chat, PromptOptions(tools=(_TOOL,))).ids
    except BiplaneError:
        return True
    return f"{FUNCTION}{_NAME}" in text.decode(ids)


def begun_call(tools: Tools, *, tags: bool) -> str:
    """How the answer begins that has to call a tool."""
    if tags:
        return f"{OPEN}\n{FUNCTION}" + (f"{tools.name}>\n" if tools.name else "")
    name = json.dumps(tools.name, ensure_ascii=False) if tools.name else '"'
    return f'{OPEN}\n{{"name": {name}' + (', "arguments":' if tools.name else "")
