"""A complete model folder with random weights and a tokenizer of plain words.

Speed does not depend on the values of the weights, and one word is one token, so a benchmark sets
the exact length of its prompts. The text of every generated id encodes to the same id again, as
with a real tokenizer.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from engine.bench.timed import on_own_thread
from engine.model.random_checkpoint import random_checkpoint

SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>")
# How byte-level vocabularies write a space.
SPACE = "\u0120"
NAMES = ("system", "user", "assistant", "\n")
# Keeps an answer verbatim and drops its thinking: the two ways a template can treat the past.
TEMPLATE = """\
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
{% if enable_thinking %}<think>
{% endif -%}
{%- endif -%}
"""


def random_model(
    folder: Path, config: dict[str, Any], *, seed: int = 0, dtype: str, draft_head: bool = False
) -> Path:
    """Write `config.json`, weights, tokenizer and template into `folder` and return it."""
    kind = getattr(torch, dtype)
    on_own_thread(partial(random_checkpoint, folder, config, seed, kind, draft_head=draft_head))
    words_tokenizer(int(config["vocab_size"])).save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": "<|im_end|>"}))
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    return folder


def words_tokenizer(vocab_size: int) -> Tokenizer:
    """One token per word: the special tokens, the roles, a newline, then " w0", " w1", ..."""
    fixed = (*SPECIALS, *NAMES)
    words = [*fixed, *(f"{SPACE}w{i}" for i in range(vocab_size - len(fixed)))]
    tokenizer = Tokenizer(
        models.WordLevel({word: i for i, word in enumerate(words)}, unk_token=SPECIALS[0])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r" ?\S+"), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(name, normalized=False) for name in SPECIALS])
    tokenizer.add_tokens([AddedToken("\n", normalized=False)])
    return tokenizer
