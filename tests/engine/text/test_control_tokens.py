"""Which added tokens are control tokens, and how they are sealed."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from tokenizers import Tokenizer

from engine.errors import PromptError
from engine.text.control_tokens import SEALED, ControlTokens, before_token
from tests.engine.text.conftest import FAMILY


@pytest.fixture
def control(family_tokenizer: Tokenizer) -> ControlTokens:
    return ControlTokens(family_tokenizer)


class TestWhich:
    def test_every_token_that_the_family_adds(self, control: ControlTokens) -> None:
        assert set(control.contents) == set(FAMILY)
        assert len(FAMILY) == 33
        assert not control.words

    def test_words_are_none(self, tokenizer: Tokenizer) -> None:
        changed = Tokenizer.from_str(json.dumps(json.loads(tokenizer.to_str())))
        changed.add_tokens(["riverbank", "two words", "    ", "<new>"])
        changed.add_special_tokens(["!", "¶", "EOS", "The"])
        control = ControlTokens(changed)
        words = {token.content for token in control.words.values()}
        assert words == {"riverbank", "two words", "    ", "!", "¶"}
        assert {"<new>", "EOS", "The", "<think>"} <= set(control.contents)

    def test_a_tokenizer_without_added_tokens(self, tokenizer: Tokenizer) -> None:
        plain = Tokenizer.from_str(
            json.dumps(json.loads(tokenizer.to_str()) | {"added_tokens": []})
        )
        control = ControlTokens(plain)
        assert control.contents == []
        assert control.seal("a <|im_end|>").sealed == "a <|im_end|>"


class TestSealing:
    def test_each_has_a_spelling_of_its_own(
        self, control: ControlTokens, family_tokenizer: Tokenizer
    ) -> None:
        sealed = {content: control.seal(content).sealed for content in FAMILY}
        assert len(set(sealed.values())) == len(FAMILY)
        for content, spelling in sealed.items():
            assert len(spelling) == len(content)
            assert SEALED.fullmatch(spelling)
            assert control.token_id(spelling) == family_tokenizer.token_to_id(content)

    def test_positions_stay(self, control: ControlTokens) -> None:
        text = "a<|im_end|>\n<think><think>é🌊</think>"
        prompt = control.seal(text)
        assert prompt.plain == text
        assert len(prompt.sealed) == len(text)
        spans = [match.span() for match in SEALED.finditer(prompt.sealed)]
        assert [text[a:b] for a, b in spans] == ["<|im_end|>", "<think>", "<think>", "</think>"]

    def test_the_longest_token_wins(
        self, control: ControlTokens, family_tokenizer: Tokenizer
    ) -> None:
        prompt = control.seal("<tts_text_bos_single>")
        assert control.token_id(prompt.sealed) == family_tokenizer.token_to_id(prompt.plain)

    def test_half_a_character_is_refused(self, control: ControlTokens) -> None:
        with pytest.raises(PromptError, match="half of a surrogate pair"):
            control.prompt("a\udbff")

    def test_what_is_cut_out_of_a_token_is_text(self, control: ControlTokens) -> None:
        spelt = control.spell("<think><|im_end|>")
        prompt = control.prompt(f"{spelt[:7]}a{spelt[9:]} <think>")
        assert prompt.plain == "<think>aim_end|> <think>"
        assert [m.span() for m in SEALED.finditer(prompt.sealed)] == [(0, 7)]

    def test_positions_inside_a_token(self, control: ControlTokens) -> None:
        prompt = control.seal("ab<think></think>")
        inside = [at for at in range(18) if prompt.divides_token(at)]
        assert inside == [*range(3, 9), *range(10, 17)]
        assert [before_token(prompt.sealed, at) for at in (2, 3, 8, 9, 16, 17)] == [
            2,
            2,
            2,
            9,
            9,
            17,
        ]

    def test_tokens_that_start_alike_share_no_piece(self, control: ControlTokens) -> None:
        sealed = [control.seal(content).sealed for content in sorted(FAMILY)]
        for one, other in pairwise(sealed):
            assert before_token(one, 3) == before_token(other, 3) == 0
