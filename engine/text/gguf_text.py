"""The text side of a model from a GGUF file's metadata: tokenizer, template, defaults.

Source: the keys `tokenizer.*` and `general.sampling.*` as llama.cpp's converter writes them, and
how its src/llama-vocab.cpp reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from engine.errors import ModelError
from engine.gguf.file import Gguf
from engine.gguf.header import Texts

# How a text is divided before merging, by `tokenizer.ggml.pre`: contractions, a word with what is
# before it, single digits, punctuation, and runs of white space. In qwen35 marks belong to words.
_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
SPLITS = {
    "qwen2": (
        rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}"
        rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}"
    ),
    "qwen35": (
        rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
        rf"| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_SPACES}"
    ),
}
# The types of tokens: control tokens are hidden in answers, the user's own are not.
_CONTROL, _USER, _UNUSED = 3, 4, 5
# Tokens that end an answer wherever they are control tokens: files name only one of them.
_ENDS = ("<|im_end|>", "<|endoftext|>")
_END_KEYS = ("eos_token_id", "eot_token_id", "eom_token_id")
_SPECIAL_KEYS = {
    "bos_token": "bos_token_id",
    "eos_token": "eos_token_id",
    "unk_token": "unknown_token_id",
    "pad_token": "padding_token_id",
    "sep_token": "seperator_token_id",
}
# By the names in a generation_config.json.
_SAMPLING = {
    "temperature": "temp",
    "top_k": "top_k",
    "top_p": "top_p",
    "min_p": "min_p",
    "repetition_penalty": "penalty_repeat",
}
_TEMPLATE = "tokenizer.chat_template"
_LONGEST_TEMPLATE = 16 << 20
_GGML = "tokenizer.ggml."


@dataclass(frozen=True, slots=True)
class GgufText:
    """What a file says about texts.

    Attributes:
        template: source of the chat template by name; "default" is the usual one; may be empty.
        special_tokens: name to text, as passed to templates.
        end_ids: the tokens that end an answer.
        generation: recommended sampling, by the names in a generation_config.json.
    """

    tokenizer: Tokenizer
    template: Mapping[str, str]
    special_tokens: Mapping[str, str]
    end_ids: frozenset[int]
    generation: Mapping[str, Any]


def read_gguf_text(gguf: Gguf) -> GgufText:
    """Raises ModelError naming the key that is missing or cannot be used."""
    tokens, kinds = _tokens(gguf)
    control = {tokens[at]: at for at in np.flatnonzero(kinds == _CONTROL).tolist()}
    ends = {control[text] for text in _ENDS if text in control}
    ends |= {id for key in _END_KEYS if (id := _id(gguf, key, tokens)) is not None}
    return GgufText(
        _tokenizer(gguf, tokens, kinds),
        _templates(gguf),
        _special_tokens(gguf, tokens),
        frozenset(ends),
        _generation(gguf),
    )


def _tokens(gguf: Gguf) -> tuple[list[str], np.ndarray[Any, np.dtype[np.int32]]]:
    """The text and the type of every token, by id."""
    model = gguf.text(_GGML + "model")
    stated = gguf.texts(_GGML + "tokens")
    kinds = gguf.metadata.get(_GGML + "token_type")
    if stated is None or not isinstance(kinds, np.ndarray):
        raise ModelError(
            '{file} has no tokenizer ("{key}"): take a file that was converted with one.',
            file=gguf.path.name,
            key=_GGML + ("tokens" if stated is None else "token_type"),
        )
    if model != "gpt2":
        raise ModelError(
            '{file}: its tokenizer is of the kind "{model}"; only "gpt2" (byte-level) is read.',
            file=gguf.path.name,
            model=str(model)[:64],
        )
    tokens = list(stated)
    if len(kinds) != len(tokens) or kinds.dtype.kind not in "iu":
        raise ModelError(
            '{file} is damaged: "{key}" does not have one type for each of the {count} tokens.',
            file=gguf.path.name,
            key=_GGML + "token_type",
            count=len(tokens),
        )
    return tokens, kinds.astype(np.int32)


def _tokenizer(
    gguf: Gguf, tokens: list[str], kinds: np.ndarray[Any, np.dtype[np.int32]]
) -> Tokenizer:
    pre = gguf.text(_GGML + "pre")
    if pre not in SPLITS:
        raise ModelError(
            '{file}: it divides texts as "{pre}", which Biplane does not know; it knows {known}.',
            file=gguf.path.name,
            pre=str(pre)[:64],
            known=", ".join(SPLITS),
        )
    merges = gguf.texts(_GGML + "merges")
    if merges is None:
        raise ModelError('{file} has no "{key}".', file=gguf.path.name, key=_GGML + "merges")
    # What pads the vocabulary stands for no text.
    vocabulary = {text: at for at, text in enumerate(tokens) if kinds[at] != _UNUSED}
    pairs = []
    for merge in merges:
        left, _, right = merge.partition(" ")
        pairs.append((left, right))
    try:
        made = Tokenizer(models.BPE(vocab=vocabulary, merges=pairs))
        made.normalizer = normalizers.NFC()
        made.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(SPLITS[pre]), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
        made.decoder = decoders.ByteLevel()
        for kind, special in ((_CONTROL, True), (_USER, False)):
            added = [tokens[at] for at in np.flatnonzero(kinds == kind).tolist() if tokens[at]]
            made.add_tokens([AddedToken(t, normalized=False, special=special) for t in added])
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        # The library raises plain Exception; a panic in its Rust code is not even an Exception.
        raise ModelError(
            "{file}: its tokenizer cannot be used: {error}.", file=gguf.path.name, error=error
        ) from None
    return made


def _id(gguf: Gguf, key: str, tokens: list[str]) -> int | None:
    """The token that a key names; None if the file does not have it."""
    value = gguf.whole(_GGML + key)
    if value is not None and not 0 <= value < len(tokens):
        raise ModelError(
            '{file}: "{key}" is {value}, but there are only {count} tokens.',
            file=gguf.path.name,
            key=_GGML + key,
            value=value,
            count=len(tokens),
        )
    return value


def _special_tokens(gguf: Gguf, tokens: list[str]) -> dict[str, str]:
    found = {}
    for name, key in _SPECIAL_KEYS.items():
        id = _id(gguf, key, tokens)
        if id is not None:
            found[name] = tokens[id]
    if gguf.metadata.get(_GGML + "add_bos_token") is False:
        # The converter names one for models that have none.
        found.pop("bos_token", None)
    return found


def _templates(gguf: Gguf) -> dict[str, str]:
    """The chat templates by name."""
    names = {"default": _TEMPLATE}
    listed = gguf.metadata.get(_TEMPLATE + "s")
    if isinstance(listed, Texts):
        names |= {name: f"{_TEMPLATE}.{name}" for name in listed if name != "default"}
    found = {name: text for name, key in names.items() if (text := gguf.text(key)) is not None}
    if any(len(text) > _LONGEST_TEMPLATE for text in found.values()):
        raise ModelError(
            "{file}: its chat template is larger than 16 MiB; that is not a chat template.",
            file=gguf.path.name,
        )
    return found


def _generation(gguf: Gguf) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, key in _SAMPLING.items():
        value = gguf.number(f"general.sampling.{key}")
        if value is not None:
            # Stored in 32 bits: 0.95 must not become 0.949999988079071.
            found[name] = float(f"{value:.6g}") if isinstance(value, float) else value
    return found
