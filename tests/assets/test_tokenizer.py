"""The demo model's tokenizer."""

from __future__ import annotations

import json

import pytest

from assets.demo.bundle import MODEL_FOLDER
from assets.demo.corpus import sample
from assets.demo.shape import MARKER_TOKENS, SPECIAL_TOKENS, Shape, config_json
from assets.demo.template import render
from assets.demo.tokenizer import open_tokenizer

TOKENIZER = open_tokenizer(MODEL_FOLDER)


@pytest.mark.parametrize(
    "text",
    ["Hello, Nora!", "  two spaces", "línea é 日本語 🛩", "a\n\n\nb", "\ttab\r\n", "It's 4827."],
)
def test_any_text_survives(text: str) -> None:
    assert TOKENIZER.decode(TOKENIZER.encode(text).ids) == text


def test_digits_stand_alone() -> None:
    assert TOKENIZER.encode("48275").tokens == ["4", "8", "2", "7", "5"]


@pytest.mark.parametrize("text", [*SPECIAL_TOKENS, *MARKER_TOKENS])
def test_markers_are_single_tokens(text: str) -> None:
    assert TOKENIZER.encode(text).ids == [TOKENIZER.token_to_id(text)]


def test_the_vocabulary_has_the_configured_size() -> None:
    config = json.loads((MODEL_FOLDER / "config.json").read_text())
    assert config == config_json(Shape())
    assert TOKENIZER.get_vocab_size() == config["vocab_size"]
    assert config["eos_token_id"] == TOKENIZER.token_to_id("<|im_end|>")
    assert config["pad_token_id"] == TOKENIZER.token_to_id("<|endoftext|>")


@pytest.mark.parametrize("thinking", [True, False], ids=["thinking", "plain"])
def test_a_prompt_tokenises_as_the_start_of_its_answer(thinking: bool) -> None:
    user = {"role": "user", "content": "Who are you?"}
    answer = {"role": "assistant", "content": "A demo."}
    if thinking:
        answer["reasoning_content"] = "Say so."
    prompt = render([user], add_generation_prompt=True, enable_thinking=thinking)
    whole, start = (TOKENIZER.encode(t).ids for t in (render([user, answer]), prompt))
    assert whole[: len(start)] == start


def test_the_corpus_fits_the_context() -> None:
    lengths = [len(TOKENIZER.encode(sample(1, i).text).ids) for i in range(100)]
    assert max(lengths) < 1024
