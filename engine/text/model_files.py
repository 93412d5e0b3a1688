"""Reads the text side of a model: tokenizer, template source, special tokens, defaults."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from engine.config import Sampling
from engine.errors import ModelError, PromptError
from engine.gguf.file import read_gguf
from engine.gguf.header import is_gguf
from engine.sentence import say
from engine.text.gguf_text import read_gguf_text

MAX_TOKENIZER_BYTES = 256 << 20
MAX_CONFIG_BYTES = 16 << 20
# What every tokenizer must handle: words, a digit, a two-byte letter, a line break.
_TRIAL = "Hello été 12\n"
_SPECIAL_NAMES = ("bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token")
# The names in generation_config.json, and ours.
_DEFAULT_NAMES = {
    "temperature": "temperature",
    "top_k": "top_k",
    "top_p": "top_p",
    "min_p": "min_p",
    "repetition_penalty": "repetition_penalty",
    "presence_penalty": "presence_penalty",
    "max_new_tokens": "max_tokens",
}


@dataclass(frozen=True, slots=True)
class TextFiles:
    """The text side of a model folder, or of a GGUF file.

    Attributes:
        template: source of the chat template by name; "default" is the usual one; may be empty.
        template_file: the file it came from, for error messages.
        special_tokens: name to text, as passed to templates.
        end_ids: the tokens that end an answer.
        generation_defaults: sampling values by the names of engine.config.Sampling.
        notes: sentences about recommended values that are invalid and were ignored.
    """

    tokenizer: Tokenizer
    template: Mapping[str, str]
    template_file: str
    special_tokens: Mapping[str, str]
    end_ids: frozenset[int]
    generation_defaults: Mapping[str, Any]
    notes: tuple[str, ...]


def read_text_files(folder: Path) -> TextFiles:
    """Of a model folder, or of a GGUF file. Raises ModelError naming what is missing or wrong."""
    try:
        return _read_gguf(folder) if is_gguf(folder) else _read(folder)
    except OSError as error:
        reason = error.strerror or error
        raise ModelError(
            "{folder} cannot be read: {reason}.", folder=error.filename or folder, reason=reason
        ) from error


def _read(folder: Path) -> TextFiles:
    tokenizer = _tokenizer(folder)
    settings = _json(folder / "tokenizer_config.json")
    special = _special_tokens(settings)
    generation = _json(folder / "generation_config.json")
    config = _json(folder / "config.json")
    template, template_file = _template(folder, settings)
    defaults, notes = _defaults(generation, "generation_config.json")
    return TextFiles(
        tokenizer,
        template,
        template_file,
        special,
        _end_ids(tokenizer, special, generation, config, folder),
        defaults,
        notes,
    )


def _read_gguf(path: Path) -> TextFiles:
    gguf = read_gguf(path)
    found = read_gguf_text(gguf)
    defaults, notes = _defaults(found.generation, gguf.path.name)
    return TextFiles(
        found.tokenizer,
        found.template,
        str(path),
        found.special_tokens,
        found.end_ids,
        defaults,
        notes,
    )


def _tokenizer(folder: Path) -> Tokenizer:
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ModelError(
            "{folder} has no tokenizer.json; download the model's tokenizer files.", folder=folder
        )
    if path.stat().st_size > MAX_TOKENIZER_BYTES:
        raise ModelError("{path} is larger than 256 MiB; that is not a tokenizer.", path=path)
    try:
        tokenizer = Tokenizer.from_file(str(path))
        # Some settings are checked only when text is encoded.
        tokenizer.encode_batch([_TRIAL], add_special_tokens=False)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        # The library raises plain Exception; a panic in its Rust code is not even an Exception.
        raise ModelError(
            "{path} is not a tokenizer that Biplane can read: {error}.", path=path, error=error
        ) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # The decoder is called that, alone or in a sequence.
    if "ByteLevel" not in repr(tokenizer.decoder):
        raise ModelError(
            "{path} is not a byte-level tokenizer; only those are supported.", path=path
        )
    return tokenizer


def _json(path: Path) -> dict[str, Any]:
    """The object in `path`, {} if there is no such file."""
    if not path.is_file():
        return {}
    if path.stat().st_size > MAX_CONFIG_BYTES:
        raise ModelError("{path} is larger than 16 MiB; that is not a configuration.", path=path)
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelError("{path} is not valid JSON: {error}.", path=path, error=error) from None
    if not isinstance(value, dict):
        raise ModelError("{path} does not hold a JSON object.", path=path)
    return value


def _template(folder: Path, settings: dict[str, Any]) -> tuple[dict[str, str], str]:
    path = folder / "chat_template.jinja"
    if path.is_file():
        if path.stat().st_size > MAX_CONFIG_BYTES:
            raise ModelError(
                "{path} is larger than 16 MiB; that is not a chat template.", path=path
            )
        try:
            return {"default": path.read_text(encoding="utf-8")}, str(path)
        except UnicodeDecodeError:
            raise ModelError("{path} is not UTF-8 text.", path=path) from None
    path = folder / "tokenizer_config.json"
    given = settings.get("chat_template")
    if given is None:
        return {}, str(path)
    if isinstance(given, str):
        return {"default": given}, str(path)
    named = {
        entry["name"]: entry["template"]
        for entry in (given if isinstance(given, list) else [])
        if isinstance(entry, dict)
        and isinstance(entry.get("name"), str)
        and isinstance(entry.get("template"), str)
    }
    if "default" not in named:
        raise ModelError(
            "chat_template in {path} is neither a string nor a list with a default.", path=path
        )
    return named, str(path)


def _special_tokens(settings: dict[str, Any]) -> dict[str, str]:
    special = {}
    for name in _SPECIAL_NAMES:
        value = settings.get(name)
        text = value.get("content") if isinstance(value, dict) else value
        if isinstance(text, str):
            special[name] = text
    return special


def _end_ids(
    tokenizer: Tokenizer,
    special: dict[str, str],
    generation: dict[str, Any],
    config: dict[str, Any],
    folder: Path,
) -> frozenset[int]:
    """Those of generation_config.json, else config.json, plus the tokenizer's own end token."""
    found: set[int] = set()
    for name, values in (("generation_config.json", generation), ("config.json", config)):
        nested = values.get("text_config")
        given = values.get("eos_token_id")
        if given is None and isinstance(nested, dict):
            given = nested.get("eos_token_id")
        if given is None:
            continue
        ids = given if isinstance(given, list) else [given]
        if not all(isinstance(i, int) and not isinstance(i, bool) and i >= 0 for i in ids):
            raise ModelError(
                "eos_token_id in {name} is not a token id or a list of them.", name=folder / name
            )
        found.update(ids)
        break
    end = tokenizer.token_to_id(special["eos_token"]) if "eos_token" in special else None
    return frozenset(found if end is None else found | {end})


def _defaults(generation: Mapping[str, Any], file: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The recommended sampling, and a sentence for each value that cannot be used."""
    found: dict[str, Any] = {}
    notes = []
    for stated, name in _DEFAULT_NAMES.items():
        value = generation.get(stated)
        if value is None:
            continue
        # Some files write every number as a float.
        if name in ("top_k", "max_tokens") and isinstance(value, float) and value.is_integer():
            value = int(value)
        try:
            Sampling().merged({name: value})
        except PromptError as error:
            usual = getattr(Sampling(), name)
            said = str(error).removesuffix(".").replace(name, stated, 1)
            notes.append(
                say(
                    "{file}: {said}, so {usual} is used instead.",
                    file=file,
                    said=said,
                    usual=usual,
                )
            )
        else:
            found[name] = value
    if generation.get("do_sample") is False:
        found["temperature"] = 0.0
    return found, tuple(notes)
