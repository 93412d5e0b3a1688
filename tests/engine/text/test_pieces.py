"""Piecewise tokenisation equals whole tokenisation wherever a template wrote the text."""

from __future__ import annotations

import json

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from engine.text.control_tokens import ControlTokens
from engine.text.pieces import PieceEncoder
from engine.text.prompt_tokens import PrefixDigests, PromptTokens

TEXTS = [
    "",
    "plain text",
    "<|im_start|>user\nWhy?\n\n<|im_end|>\n<|im_start|>assistant\n<think>\n",
    "<|im_end|><|im_end|>  <think>x</think>  ",
    "étés 東京🌊<|im_end|>🌊",
    "<|im_start <think",
]


def tokens(tokenizer: Tokenizer, text: str) -> PromptTokens:
    """`text` as a template would have written all of it."""
    control = ControlTokens(tokenizer)
    return PromptTokens(PieceEncoder(tokenizer, control), control.seal(text).sealed)


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_join_to_the_whole(tokenizer: Tokenizer, text: str) -> None:
    control = ControlTokens(tokenizer)
    encoder = PieceEncoder(tokenizer, control)
    for _ in range(2):
        sealed = control.seal(text).sealed
        assert list(PromptTokens(encoder, sealed).ids) == tokenizer.encode(text).ids


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_not_sealed_is_text(tokenizer: Tokenizer, text: str) -> None:
    control = ControlTokens(tokenizer)
    ids = PromptTokens(PieceEncoder(tokenizer, control), text).ids
    assert tokenizer.decode(list(ids), skip_special_tokens=False) == text
    assert not set(ids) & set(tokenizer.get_added_tokens_decoder())


def test_token_positions_of_characters(tokenizer: Tokenizer) -> None:
    text = "<|im_start|>user\n🌊 Why?<|im_end|>"
    prompt = tokens(tokenizer, text)
    for chars in range(len(text) + 1):
        count = prompt.tokens_before(chars)
        decoded = tokenizer.decode(list(prompt.ids[:count]), skip_special_tokens=False)
        assert text.startswith(decoded)
        assert len(decoded) <= chars
        more = tokenizer.decode(list(prompt.ids[: count + 1]), skip_special_tokens=False)
        assert count == len(prompt.ids) or len(more) > chars


def test_the_last_cut_is_found_however_far_back(tokenizer: Tokenizer) -> None:
    control = ControlTokens(tokenizer)
    encoder = PieceEncoder(tokenizer, control)
    for gap in (0, 1, 500, 512, 513, 3000, 40_000):
        sealed = control.seal("a<|im_end|>b<think>" + "x" * gap).sealed
        assert encoder.last_cut(sealed) == len(sealed) - gap
    assert encoder.last_cut("x" * 3000) == 0


def test_old_pieces_are_forgotten(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.text.pieces.CACHED_CHARS", 40)
    encoder = PieceEncoder(tokenizer, ControlTokens(tokenizer))
    for n in range(50):
        assert encoder.encode([f"stone number {n}"])[0].ids == tuple(
            tokenizer.encode(f"stone number {n}").ids
        )
    assert len(encoder._known) < 4


class TestOtherTokenizers:
    def test_a_prefix_space(self) -> None:
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
        tokenizer.decoder = decoders.ByteLevel()
        alphabet = {c: i for i, c in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
        tokenizer.model = models.BPE(alphabet, [])
        tokenizer.add_special_tokens([AddedToken("<e>", normalized=False)])
        text = "a<e>b"
        assert list(tokens(tokenizer, text).ids) == tokenizer.encode(text).ids

    @pytest.mark.parametrize("flags", [{"lstrip": True}, {"rstrip": True}, {"single_word": True}])
    def test_a_token_with_blanks_of_its_own(
        self, tokenizer: Tokenizer, flags: dict[str, bool]
    ) -> None:
        changed = Tokenizer.from_str(json.dumps(json.loads(tokenizer.to_str())))
        changed.add_special_tokens([AddedToken("<mask>", normalized=False, **flags)])
        for text in ("a  <mask> b", "<|im_end|>  <mask><|im_end|> c", "a<mask> <mask>\n\n<mask>b"):
            assert list(tokens(changed, text).ids) == changed.encode(text).ids

    def test_a_tokenizer_without_added_tokens(self, tokenizer: Tokenizer) -> None:
        parts = json.loads(tokenizer.to_str())
        parts["added_tokens"] = []
        plain = Tokenizer.from_str(json.dumps(parts))
        assert list(tokens(plain, "a stone").ids) == plain.encode("a stone").ids

    def test_a_control_token_that_the_vocabulary_spells_too(self, tokenizer: Tokenizer) -> None:
        changed = Tokenizer.from_str(json.dumps(json.loads(tokenizer.to_str())))
        the = changed.token_to_id("The")
        changed.add_special_tokens(["The"])
        control = ControlTokens(changed)
        encoder = PieceEncoder(changed, control)
        text = "The river. Then The"
        prompt = PromptTokens(encoder, text)
        assert the in changed.encode(text).ids
        assert the not in prompt.ids
        assert changed.decode(list(prompt.ids)) == text
        assert [prompt.tokens_before(chars) for chars in (1, 2, 3)] == [1, 2, 3]
        assert the in PromptTokens(encoder, control.seal(text).sealed).ids

    def test_added_words_keep_their_ids(self, tokenizer: Tokenizer) -> None:
        changed = Tokenizer.from_str(json.dumps(json.loads(tokenizer.to_str())))
        changed.add_tokens(["riverbank", AddedToken("    ", normalized=False), "!"])
        text = "<|im_end|>The riverbank:\n    stone!"
        whole = changed.encode(text).ids
        assert changed.token_to_id("riverbank") in whole
        assert list(tokens(changed, text).ids) == whole


def test_digests_are_of_the_prefix_alone() -> None:
    text = "é<\ud800\udc00\ud801>stone"
    digests = PrefixDigests(text)
    for chars in (2, 2, 5, 9, 1, 0, 4, 99):
        assert digests.of(chars) == PrefixDigests(text[:chars]).of(99)
    assert len({PrefixDigests(text).of(chars) for chars in range(len(text))}) == len(text)
