"""Tokenizers, templates and defaults from the metadata of GGUF files."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, pre_tokenizers, trainers

from engine.errors import ModelError
from engine.gguf.file import read_gguf
from engine.message import Message, PromptOptions
from engine.text.gguf_text import read_gguf_text
from engine.text.text_model import TextModel
from tests.engine.text.conftest import CHATML, CORPUS, FAMILY_MARKERS, FAMILY_SPECIAL
from tests.gguf_files import tokenizer_facts, write

WriteText = Callable[..., Path]


def hostile() -> list[str]:
    """Texts in every script, and what tokenizers treat specially."""
    draw = random.Random(5)
    every = [chr(at) for at in range(1, sys.maxunicode, 61) if not 0xD800 <= at < 0xE000]
    blanks = [" ", "\t", "\n", "\r\n", "\r", "\u00a0", "\u2028", "\u3000", "\u200b", "\ufeff"]
    words = ["I'll", "it'S", "don\u2019t", "DON'T", "été", "e\u0301te\u0301", "\u1112\u1161\u11ab"]
    words += ["한국어", "नमस्ते", "ที่นี่", "שָׁלוֹם", "العَرَبِيَّة", "12345", "٣٤٥", "x²", "ſ'ſ", "K"]
    words += [
        "👩‍👩‍👧‍👦",
        "🏳️‍🌈",
        "👍🏽",
        "<|im_end|>",
        "<think>",
        "<|IM_END|>",
        "<|im",
        "_end|>",
        "\0\x01\x1b",
    ]
    words += [
        "[PAD699]",
        "Ġ",
        "ĊĊ",
        "def f(x):\n    return x",
        "…!!??\n\n\n",
        "a\u0300\u0301\u0302",
    ]
    mixed = "".join(draw.choice((*words, *blanks)) for _ in range(20_000))
    runs = [blank * count for blank in blanks for count in (1, 2, 3, 17)]
    lines = ["".join(every[at : at + 64]) for at in range(0, len(every), 64)]
    return [*words, *runs, *lines, *(f"a{run}b" for run in runs), mixed[:100_000]]


@pytest.fixture(scope="module")
def own() -> Tokenizer:
    """A small tokenizer as the family's own class makes it."""
    from transformers.models.qwen3_5.tokenization_qwen3_5 import Qwen3_5Tokenizer

    made: Tokenizer = Qwen3_5Tokenizer(vocab={}, merges=[])._tokenizer
    fresh = Tokenizer.from_str(json.dumps(json.loads(made.to_str()) | {"added_tokens": []}))
    trainer = trainers.BpeTrainer(
        vocab_size=900,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        min_frequency=1,
        show_progress=False,
    )
    fresh.train_from_iterator([CORPUS, *hostile()[:80]], trainer)
    fresh.add_special_tokens([AddedToken(text, normalized=False) for text in FAMILY_SPECIAL])
    markers = [AddedToken(text, normalized=False, special=False) for text in FAMILY_MARKERS]
    fresh.add_tokens(markers)
    return fresh


@pytest.fixture
def write_text(tmp_path: Path, own: Tokenizer) -> WriteText:
    """Writes a file without tensors; `changed` overrides its metadata, None leaves a key out."""

    def write_it(changed: dict[str, Any] | None = None, template: str = CHATML) -> Path:
        path = tmp_path / "model.gguf"
        facts = {"general.architecture": "qwen35"} | tokenizer_facts(own, 1200, template)
        facts |= changed or {}
        write(path, {}, {key: value for key, value in facts.items() if value is not None})
        return path

    return write_it


def refusal(path: Path) -> str:
    with pytest.raises(ModelError) as refused:
        read_gguf_text(read_gguf(path))
    return str(refused.value)


class TestTokenizer:
    def test_the_ids_of_the_models_own_tokenizer(
        self, own: Tokenizer, write_text: WriteText
    ) -> None:
        texts = hostile()
        found = read_gguf_text(read_gguf(write_text())).tokenizer
        expected = own.encode_batch(texts, add_special_tokens=False)
        for text, ours, theirs in zip(
            texts, found.encode_batch(texts, add_special_tokens=False), expected, strict=True
        ):
            assert ours.ids == theirs.ids, repr(text[:80])
            assert ours.offsets == theirs.offsets, repr(text[:80])

    def test_added_tokens_keep_ids_and_kind(self, own: Tokenizer, write_text: WriteText) -> None:
        found = read_gguf_text(read_gguf(write_text())).tokenizer
        ours, theirs = found.get_added_tokens_decoder(), own.get_added_tokens_decoder()
        assert {at: (t.content, t.special) for at, t in ours.items()} == {
            at: (t.content, t.special) for at, t in theirs.items()
        }

    def test_text_never_becomes_a_control_token(self, write_text: WriteText) -> None:
        model = TextModel(write_text())
        control = {token for token, _ in model._bytes.added()}
        said = " ".join((*FAMILY_SPECIAL, *FAMILY_MARKERS, "[PAD1100]"))
        plain, pasted = (
            model.render([Message("user", text)], PromptOptions()).ids for text in ("x", said)
        )
        assert [i for i in pasted if i in control] == [i for i in plain if i in control]
        assert max(pasted) < model.vocab_size

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"tokenizer.ggml.tokens": None}, "has no tokenizer"),
            ({"tokenizer.ggml.token_type": None}, "has no tokenizer"),
            ({"tokenizer.ggml.token_type": [1, 2]}, "does not have one type for each of the 1200"),
            ({"tokenizer.ggml.model": "llama"}, 'of the kind "llama"'),
            ({"tokenizer.ggml.pre": "gpt-4o"}, 'divides texts as "gpt-4o"'),
            ({"tokenizer.ggml.pre": None}, 'divides texts as "None"'),
            ({"tokenizer.ggml.merges": None}, '"tokenizer.ggml.merges"'),
            ({"tokenizer.ggml.merges": ["no such"]}, "its tokenizer cannot be used"),
            ({"tokenizer.ggml.merges": ["alone"]}, "its tokenizer cannot be used"),
            ({"tokenizer.ggml.eos_token_id": 1200}, "but there are only 1200 tokens"),
        ],
    )
    def test_what_cannot_be_used(
        self, write_text: WriteText, changed: dict[str, Any], said: str
    ) -> None:
        assert said in refusal(write_text(changed))


class TestDefaults:
    def test_end_tokens(self, own: Tokenizer, write_text: WriteText) -> None:
        eot = own.token_to_id("<|file_sep|>")
        found = read_gguf_text(read_gguf(write_text({"tokenizer.ggml.eot_token_id": eot})))
        names = ("<|im_end|>", "<|endoftext|>", "<|file_sep|>")
        assert found.end_ids == {own.token_to_id(name) for name in names}

    def test_special_tokens_for_templates(self, write_text: WriteText) -> None:
        stated = read_gguf_text(read_gguf(write_text())).special_tokens
        # A start token that is never to be added does not exist for a template.
        assert stated == {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}

    def test_sampling(self, write_text: WriteText) -> None:
        lead = "general.sampling."
        facts = {f"{lead}temp": 0.6, f"{lead}top_p": 0.95, f"{lead}top_k": 20}
        model = TextModel(write_text(facts | {f"{lead}min_p": 2.0, f"{lead}penalty_repeat": 1.05}))
        assert model.generation_defaults == {
            "temperature": 0.6,
            "top_p": 0.95,
            "top_k": 20,
            "repetition_penalty": 1.05,
        }
        (note,) = model.notes
        assert note.startswith("model.gguf: min_p")

    def test_templates_by_name(self, write_text: WriteText) -> None:
        named = {"tokenizer.chat_templates": ["tool_use"], "tokenizer.chat_template.tool_use": "x"}
        found = read_gguf_text(read_gguf(write_text(named)))
        assert found.template == {"default": CHATML, "tool_use": "x"}

    def test_no_template(self, write_text: WriteText) -> None:
        assert read_gguf_text(read_gguf(write_text(template=""))).template == {}
