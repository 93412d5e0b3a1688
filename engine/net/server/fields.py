"""The fields that a body may hold besides those that work: a constraint is never ignored.

A field either works (it is in the body's type), cannot change what an answer may be (NO_EFFECT),
asks for what is done anyway (NEUTRAL), or is refused by its name.
"""

from __future__ import annotations

from typing import Any

from engine.net.server.problem import Refused

# For accounting, caching and display, and of the client's own.
_IDLE = (
    "model user metadata store service_tier safety_identifier prompt_cache_key client_metadata "
    "prompt_cache_retention prompt_cache_options include verbosity prediction stream_options "
    "cache_prompt id_slot slot_id timings_per_token return_progress return_tokens keep_alive "
    "reasoning_format priority request_id cache_control betas container inference_geo speed usage "
    "anthropic_version anthropic_beta user_profile_id provider diagnostics"
)
NO_EFFECT = frozenset(_IDLE.split())
_NOTHING: tuple[object, ...] = (None, "", [])
NEUTRAL: dict[str, tuple[object, ...]] = {
    "n": (1,),
    "best_of": (1,),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "n_probs": (0,),
    "echo": (False,),
    "background": (False,),
    "truncation": ("disabled",),
    "modalities": (["text"],),
    "function_call": ("none",),
    "prompt_logprobs": (0, False),
    "use_beam_search": (False,),
    "length_penalty": (1,),
    "add_generation_prompt": (True,),
    "continue_final_message": (False,),
    "skip_special_tokens": (True,),
    "spaces_between_special_tokens": (True,),
    "include_stop_str_in_output": (False,),
    "return_token_ids": (False,),
    "add_special_tokens": (False, True),
    "post_sampling_probs": (False,),
    "mirostat": (0,),
    "mirostat_tau": (5,),
    "mirostat_eta": (0.1,),
    "typical_p": (1,),
    "typ_p": (1,),
    "tfs_z": (1,),
    "top_n_sigma": (-1, 0),
    "dynatemp_range": (0,),
    "dynatemp_exponent": (1,),
    "dry_multiplier": (0,),
    "dry_base": (1.75,),
    "dry_allowed_length": (2,),
    "dry_penalty_last_n": (-1, 0),
    "xtc_probability": (0,),
    "xtc_threshold": (0.1, 0),
    "repeat_last_n": (-1,),
    "n_keep": (0, -1),
    "n_discard": (0,),
    "min_keep": (0,),
    "n_indent": (0,),
    "t_max_predict_ms": (0, -1),
}
# Why not, where a client needs to know what to do instead.
WHY = {
    "best_of": "Biplane does not choose among answers: leave {name} out, or send n and choose.",
    "suffix": "Biplane cannot write into the middle of a text: leave {name} out.",
    "functions": "{name} has a newer form: send the functions as tools.",
    "function_call": "{name} has a newer form: send tool_choice.",
    "background": "Biplane answers at once: leave {name} out.",
    "truncation": "Nothing is left out of a prompt: shorten the input and leave {name} out.",
    "prompt": "Biplane has no stored prompts: send {name} as messages or input.",
    "messages": "This interface continues a text: send it as prompt, or {name} to "
    "/v1/chat/completions.",
    "modalities": "Biplane answers with text only: leave {name} out.",
    "audio": "Biplane answers with text only: leave {name} out.",
    "previous_response_id": "Biplane keeps no {name}: send the whole conversation as input. "
    "What was computed of it is in the cache.",
    "conversation": "Biplane keeps no {name}: send the whole conversation as input. "
    "What was computed of it is in the cache.",
    "mcp_servers": "Biplane calls no tools by itself: leave {name} out.",
    "web_search_options": "Biplane does not search the web: leave {name} out.",
    "chat_template": "The template is the model's own: leave {name} out.",
    "max_tool_calls": "Biplane calls no tools by itself: leave {name} out.",
}
_NOT_DONE = "Biplane cannot do what {name} asks for: leave it out."
_UNKNOWN = "Biplane does not know {name}: leave it out."


def check_fields(given: dict[str, Any], works: tuple[str, ...]) -> None:
    """`works`: the fields of this body that do something. Raises Refused."""
    for name, value in given.items():
        if name in works or name in NO_EFFECT or value in _NOTHING:
            continue
        if value not in NEUTRAL.get(name, ()):
            raise unsupported(name)


def unsupported(name: str, path: str = "") -> Refused:
    """The error for a field; `path`: of the object that holds it."""
    known = name in NEUTRAL or name in WHY
    sentence = WHY.get(name, _NOT_DONE if known else _UNKNOWN)
    where = f"{path}.{name}" if path else name
    where = where[:80].encode("utf-8", "replace").decode()
    code = "unsupported_parameter" if known else "unknown_parameter"
    return Refused("invalid_request_error", sentence.format(name=where), where, code)
