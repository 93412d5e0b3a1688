"""A request of ours as the JSON that the server reads."""

from __future__ import annotations

import json
from typing import Any

from engine.commands import Submit
from engine.errors import RemoteError
from engine.message import Message
from engine.remote.chat.catalog import PROGRAM_NAMES, Program

# Known to read the fields of the engines that run such models, besides those of the protocol.
_ENGINES: frozenset[Program] = frozenset({"biplane", "llama-server", "vllm", "sglang"})


def body_of(submit: Submit, model: str, program: Program) -> bytes:
    """The body of POST /chat/completions.

    Only fields that this program is known to take are sent: others refuse what they do not know.

    Raises:
        RemoteError: it cannot be asked of this program.
    """
    if not submit.prompt or not isinstance(submit.prompt[0], Message):
        raise RemoteError("A server takes messages, not token ids.")
    messages = [message for message in submit.prompt if isinstance(message, Message)]
    sampling = submit.sampling
    made: dict[str, Any] = {
        "model": model,
        "messages": [_message(message, program) for message in messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
    }
    if sampling.presence_penalty:
        made["presence_penalty"] = sampling.presence_penalty
    if sampling.seed is not None:
        made["seed"] = sampling.seed
    if sampling.stop:
        made["stop"] = list(sampling.stop)
    if program in _ENGINES:
        made |= _engine_fields(submit, program)
    if submit.options.continues:
        made |= _continuing(program)
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def tokenize_body_of(submit: Submit, model: str) -> bytes:
    """The body of POST /tokenize: the messages as body_of sends them to vLLM."""
    messages = [message for message in submit.prompt if isinstance(message, Message)]
    continues = submit.options.continues
    made = {
        "model": model,
        "messages": [_message(message, "vllm") for message in messages],
        "add_generation_prompt": not continues,
        "continue_final_message": continues,
        "chat_template_kwargs": {"enable_thinking": submit.options.thinking},
    }
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def _engine_fields(submit: Submit, program: Program) -> dict[str, Any]:
    sampling = submit.sampling
    penalty = "repeat_penalty" if program == "llama-server" else "repetition_penalty"
    made: dict[str, Any] = {
        # Those servers name "all of them" differently.
        "top_k": sampling.top_k or (-1 if program in ("vllm", "sglang") else 0),
        "min_p": sampling.min_p,
        penalty: sampling.repetition_penalty,
        "chat_template_kwargs": {"enable_thinking": submit.options.thinking},
    }
    if sampling.ignore_end:
        made["ignore_eos"] = True
    if program == "llama-server":
        # It then says how far it has read the prompt, and what of it was cached.
        made |= {"return_progress": True, "cache_prompt": True}
    return made


def _continuing(program: Program) -> dict[str, Any]:
    """How each program is told to go on with the last message."""
    if program == "vllm":
        return {"continue_final_message": True, "add_generation_prompt": False}
    if program == "sglang":
        return {"continue_final_message": True}
    if program == "llama-server":
        # It does so by itself, but not with the thinking switched on.
        return {"chat_template_kwargs": {"enable_thinking": False}}
    raise RemoteError(
        f"An answer cannot be continued on {PROGRAM_NAMES[program]}: regenerate it instead."
    )


def _message(message: Message, program: Program) -> dict[str, Any]:
    made: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.thinking and program in _ENGINES:
        # What its template does with it is the server's own affair, but without it the next prompt
        # could not be the one that is cached.
        made["reasoning_content"] = message.thinking
    return made
