"""A conversation's own sampling: its overrides of the defaults, stored as JSON in its record.

The defaults are the model's, overridden by the options given at the start.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from app.core.session.records import Conversation
from app.core.words.kinds import Real, Schema, Texts, Whole
from app.core.words.tr import tr
from engine.config import Sampling
from engine.errors import PromptError
from engine.events import ModelInfo
from engine.text.json_rule import read_schema

# Values by `Sampling` field name; each is valid for its field.
Overrides = Mapping[str, object]

# What a user can set, in the order in which it is shown; `Sampling` checks the values.
KINDS: dict[str, Whole | Real | Texts | Schema] = {
    "temperature": Real(0, 100, by=0.1),
    "top_p": Real(0, 1, by=0.05),
    "top_k": Whole(0, 1 << 30),
    "min_p": Real(0, 1, by=0.01),
    "repetition_penalty": Real(0.01, 100, by=0.05),
    "presence_penalty": Real(-100, 100, by=0.1),
    "max_tokens": Whole(1, 1 << 30, by=256),
    "seed": Whole(0, 1 << 62),
    "stop": Texts(),
    "grammar": Schema(),
}
NAMES = tuple(KINDS)

log = logging.getLogger(__name__)


def problem(name: str, value: object) -> str:
    """Why a field of `Sampling` cannot have a value, in one sentence; "" if it can."""
    try:
        merged(Sampling(), {name: value})
    except PromptError as error:
        return str(error)
    if name == "grammar" and isinstance(value, str) and value.strip():
        try:
            read_schema(value)
        except ValueError as error:
            return tr("The schema cannot be used: it {error}.").format(error=error)
    return ""


def merged(defaults: Sampling, overrides: Overrides) -> Sampling:
    """The defaults with overrides. Raises PromptError if one is invalid."""
    return replace(defaults, **dict(overrides))  # type: ignore[arg-type]


def effective(defaults: Sampling, conversation: Conversation) -> Sampling:
    """The sampling of a conversation's next answer."""
    return merged(defaults, overrides_of(conversation.sampling))


@lru_cache(maxsize=256)
def overrides_of(text: str) -> Overrides:
    """The usable values of a JSON object; others are ignored and logged.

    Cached, so that each text is logged once.
    """
    found = {}
    for name, written in _object(text).items():
        value = tuple(written) if name == "stop" and isinstance(written, list) else written
        if name not in NAMES:
            log.warning("A setting of a conversation is not known to this version; it is ignored.")
        elif problem(name, value):
            log.warning("The setting %s of a conversation is invalid; it is ignored.", name)
        else:
            found[name] = value
    return MappingProxyType(found)


def to_json(overrides: Overrides) -> str:
    """Overrides as a JSON object; "" for none."""
    return json.dumps(dict(overrides), sort_keys=True) if overrides else ""


def with_value(text: str, name: str, value: object) -> str:
    """The JSON with another value; unknown keys of a newer version are kept."""
    assert not problem(name, value), f"{name} must be checked first"
    return to_json({**_object(text), name: value})


def without(text: str, name: str) -> str:
    """The JSON without a value, which falls back to the default."""
    return to_json({key: value for key, value in _object(text).items() if key != name})


def sound(text: str) -> str:
    """The JSON itself if it is an object or empty, else "": a record must hold an object."""
    return text if _object(text) else ""


def changed_names(defaults: Sampling, conversation: Conversation) -> tuple[str, ...]:
    """The fields that a conversation overrides, in the order of `NAMES`."""
    own = overrides_of(conversation.sampling)
    return tuple(name for name in NAMES if name in own and own[name] != getattr(defaults, name))


def source(name: str, given: Overrides, model: ModelInfo | None) -> str:
    """Where the default of a field comes from. given: the options of the start."""
    if name in given:
        return tr("start option")
    if model is not None and name in model.recommended:
        return tr("model's generation_config")
    return tr("Biplane's own default")


def _object(text: str) -> dict[str, object]:
    """The JSON object in a text; an empty one if there is none."""
    if not text:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    log.warning("The sampling of a conversation cannot be read; the defaults are used.")
    return {}
