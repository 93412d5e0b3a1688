"""Encodes a request as the JSON that the server expects."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from engine.commands import Submit
from engine.errors import RemoteError
from engine.message import Message
from engine.net.client.catalog import PROGRAM_NAMES, Program
from engine.net.wire import ChatBody, ChatMessage, Options

# These also read the fields of the engines that run such models.
_ENGINES: frozenset[Program] = frozenset({"biplane", "llama-server", "vllm", "sglang"})


class _Body(ChatBody, kw_only=True):
    """With fields that only some servers read."""

    model: str
    return_progress: bool | None = None
    cache_prompt: bool | None = None
    continue_final_message: bool | None = None
    add_generation_prompt: bool | None = None


def body_of(submit: Submit, model: str, program: Program) -> bytes:
    """The body of POST /chat/completions.

    Only fields that this program is known to accept are sent: others reject unknown ones.

    Raises:
        RemoteError: this program does not support the request.
    """
    if not submit.prompt or not isinstance(submit.prompt[0], Message):
        raise RemoteError("A server takes messages, not token ids.")
    sampling = submit.sampling
    more = _engine_fields(submit, program) if program in _ENGINES else {}
    if submit.options.continues:
        more |= _continuing(program)
    return _bytes(
        _Body(
            model=model,
            messages=_messages(submit, program),
            stream=True,
            stream_options=Options(include_usage=True),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=sampling.max_tokens,
            presence_penalty=sampling.presence_penalty or None,
            seed=sampling.seed,
            stop=list(sampling.stop) or None,
            **more,
        )
    )


def tokenize_body_of(submit: Submit, model: str) -> bytes:
    """The body of POST /tokenize: the messages as body_of sends them to vLLM."""
    continues = submit.options.continues
    return _bytes(
        _Body(
            model=model,
            messages=_messages(submit, "vllm"),
            add_generation_prompt=not continues,
            continue_final_message=continues,
            chat_template_kwargs={"enable_thinking": submit.options.thinking},
        )
    )


def _bytes(body: _Body) -> bytes:
    """UTF-8; half a surrogate pair becomes a question mark."""
    plain = msgspec.to_builtins(body)
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def _engine_fields(submit: Submit, program: Program) -> dict[str, Any]:
    sampling = submit.sampling
    penalty = "repeat_penalty" if program == "llama-server" else "repetition_penalty"
    made: dict[str, Any] = {
        # These servers spell "all of them" differently.
        "top_k": sampling.top_k or (-1 if program in ("vllm", "sglang") else 0),
        "min_p": sampling.min_p,
        penalty: sampling.repetition_penalty,
        "chat_template_kwargs": {"enable_thinking": submit.options.thinking},
    }
    if sampling.ignore_end:
        made["ignore_eos"] = True
    if program == "llama-server":
        # It then reports how much of the prompt it has read, and how much was cached.
        made |= {"return_progress": True, "cache_prompt": True}
    return made


def _continuing(program: Program) -> dict[str, Any]:
    """The fields that make each program continue the last message."""
    if program == "vllm":
        return {"continue_final_message": True, "add_generation_prompt": False}
    if program == "sglang":
        return {"continue_final_message": True}
    if program == "llama-server":
        # It does so by itself, but not with thinking enabled.
        return {"chat_template_kwargs": {"enable_thinking": False}}
    raise RemoteError(
        "An answer cannot be continued on {program}: regenerate it instead.",
        program=PROGRAM_NAMES[program],
    )


def _messages(submit: Submit, program: Program) -> list[ChatMessage]:
    # What its template does with the thinking is up to the server, but without it the next prompt
    # could not match the cache.
    thinks = program in _ENGINES
    return [
        ChatMessage(
            role=message.role,
            content=message.content,
            reasoning_content=(message.thinking or None) if thinks else None,
        )
        for message in submit.prompt
        if isinstance(message, Message)
    ]
