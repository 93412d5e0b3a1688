"""Piecewise tokenisation equals whole tokenisation, or is not used."""

from __future__ import annotations

import json

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from engine.text.pieces import PieceEncoder
from engine.text.prompt_tokens import PromptTokens

TEXTS = [
    "",
    "plain text",
    "<|im_start|>user\nWhy?\n\n<|im_end|>\n<|im_start|>assistant\n<think>\n",
    "<|im_end|><|im_end|>  <think>x</think>  ",
    "étés 東京🌊<|im_end|>🌊",
    "<|im_start <think",
]


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_join_to_the_whole(tokenizer, text):
    encoder = PieceEncoder(tokenizer)
    assert encoder.cuts_at_added
    for _ in range(2):
        assert list(PromptTokens(encoder, text).ids) == tokenizer.encode(text).ids


def test_token_positions_of_characters(tokenizer):
    text = "<|im_start|>user\n🌊 Why?<|im_end|>"
    prompt = PromptTokens(PieceEncoder(tokenizer), text)
    for chars in range(len(text) + 1):
        count = prompt.tokens_before(chars)
        decoded = tokenizer.decode(list(prompt.ids[:count]), skip_special_tokens=False)
        assert text.startswith(decoded)
        assert len(decoded) <= chars
        more = tokenizer.decode(list(prompt.ids[: count + 1]), skip_special_tokens=False)
        assert count == len(prompt.ids) or len(more) > chars


def test_old_pieces_are_forgotten(tokenizer, monkeypatch):
    monkeypatch.setattr("engine.text.pieces.CACHED_CHARS", 40)
    encoder = PieceEncoder(tokenizer)
    for n in range(50):
        assert encoder.encode([f"stone number {n}"])[0].ids == tuple(
            tokenizer.encode(f"stone number {n}").ids
        )
    assert len(encoder._known) < 4


class TestFallback:
    def test_a_start_that_tokenises_otherwise_forbids_pieces(self):
        words = ["<unk>", "▁Then", "Then", "▁then,"]
        tokenizer = Tokenizer(
            models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>")
        )
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
        tokenizer.add_special_tokens([AddedToken("<e>", normalized=False)])
        encoder = PieceEncoder(tokenizer)
        assert not encoder.cuts_at_added
        text = "Then<e>Then then,<e>"
        assert list(PromptTokens(encoder, text).ids) == tokenizer.encode(text).ids

    def test_a_prefix_space_forbids_pieces(self):
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
        tokenizer.decoder = decoders.ByteLevel()
        alphabet = {c: i for i, c in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
        tokenizer.model = models.BPE(alphabet, [])
        tokenizer.add_special_tokens([AddedToken("<e>", normalized=False)])
        encoder = PieceEncoder(tokenizer)
        text = "a<e>b"
        assert list(PromptTokens(encoder, text).ids) == tokenizer.encode(text).ids

    def test_a_token_that_eats_blanks_is_no_border(self, tokenizer):
        changed = Tokenizer.from_str(json.dumps(json.loads(tokenizer.to_str())))
        changed.add_special_tokens([AddedToken("<mask>", lstrip=True, normalized=False)])
        encoder = PieceEncoder(changed)
        for text in ("a  <mask> b", "<|im_end|>  <mask><|im_end|> c"):
            assert list(PromptTokens(encoder, text).ids) == changed.encode(text).ids

    def test_a_tokenizer_without_added_tokens(self, tokenizer):
        parts = json.loads(tokenizer.to_str())
        parts["added_tokens"] = []
        plain = Tokenizer.from_str(json.dumps(parts))
        encoder = PieceEncoder(plain)
        assert not encoder.cuts_at_added
        assert list(PromptTokens(encoder, "a stone").ids) == plain.encode("a stone").ids
