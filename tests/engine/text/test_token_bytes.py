"""How many tokens a text has at least, found by its size alone."""

from __future__ import annotations

import random
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, normalizers

import assets
from engine.errors import PromptTooLong
from engine.message import Message, PromptOptions
from engine.text.detokenizer import TokenBytes
from engine.text.pieces import PieceEncoder
from engine.text.text_model import TextModel

DEMO = Path(assets.__file__).parent / "demo_model"
# What composes, from two characters to one of four.
PARTS = (
    "a",
    "e\u0301",
    "\u1100\u1161\u11a8",
    "\u03b1\u0313\u0301\u0345",
    " ",
    "数",
    "😀",
    "conversation",
)
CONTEXT = 200


def tokenizer(normalizer: normalizers.Normalizer | None = None) -> Tokenizer:
    made = Tokenizer.from_file(str(DEMO / "tokenizer.json"))
    if normalizer is not None:
        made.normalizer = normalizer
    return made


def count(made: Tokenizer, text: str) -> int:
    return len(made.encode_batch([text], add_special_tokens=False)[0].ids)


@pytest.mark.parametrize("normalizer", [None, normalizers.NFC()])
def test_no_text_has_fewer_tokens_than_its_size_says(
    normalizer: normalizers.Normalizer | None,
) -> None:
    rng, made = random.Random(3), tokenizer(normalizer)
    known = TokenBytes(made)
    for _ in range(300):
        kinds = rng.sample(PARTS, rng.randint(1, 3))
        text = "".join(rng.choice(kinds) for _ in range(rng.randint(0, 400)))
        assert known.least_tokens(text) <= count(made, text)
    # Of long words it says nearly all.
    text = " conversation" * 50
    assert count(made, text) == 50
    assert known.least_tokens(text) == 40


def test_marks_far_apart_are_found() -> None:
    made = tokenizer(normalizers.NFC())
    text = " " * ((1 << 16) - 1) + "e\u0301"
    assert not unicodedata.is_normalized("NFC", text)
    known = TokenBytes(made)
    assert known.least_tokens(text) == len(text.encode()) // 3 // known.longest


@pytest.mark.parametrize(
    "normalizer", [normalizers.Lowercase(), normalizers.Strip(), normalizers.Replace("a", "")]
)
def test_a_tokenizer_that_changes_texts_otherwise_promises_nothing(
    normalizer: normalizers.Normalizer,
) -> None:
    assert TokenBytes(tokenizer(normalizer)).least_tokens("a" * 10_000) == 0


def test_a_token_that_takes_in_blanks_promises_nothing() -> None:
    made = tokenizer()
    made.add_special_tokens([AddedToken("<|greedy|>", rstrip=True)])
    assert TokenBytes(made).least_tokens("a" * 10_000) == 0


WORDS = "word " * 2_000
TOOL = {"type": "function", "function": {"name": "look", "description": WORDS, "parameters": {}}}


@pytest.mark.parametrize(
    ("messages", "tools"),
    [
        ((Message("user", WORDS),), ()),
        ((Message("user", "Hi"), Message("assistant", WORDS), Message("user", "So?")), ()),
        ((Message("user", "Hi"),), (TOOL,)),
        ((Message("user", "Hi"), Message("assistant", "Hi")) * CONTEXT, ()),
    ],
    ids=["a text", "an answer", "a tool", "many messages"],
)
def test_what_cannot_fit_is_refused_before_it_is_tokenised(
    monkeypatch: pytest.MonkeyPatch,
    messages: tuple[Message, ...],
    tools: tuple[dict[str, Any], ...],
) -> None:
    text = TextModel(DEMO)
    whole = len(text.render(messages, PromptOptions(tools=tools)).ids)

    def never(encoder: PieceEncoder, texts: list[str]) -> None:
        raise AssertionError("it was tokenised")

    monkeypatch.setattr(PieceEncoder, "encode", never)
    with pytest.raises(PromptTooLong, match=r"at least [\d,]+ tokens, .* holds only 200:") as told:
        text.render(messages, PromptOptions(tools=tools), CONTEXT)
    assert told.value.tokens is None
    least = int(str(told.value).split("at least ")[1].split(" ")[0].replace(",", ""))
    assert CONTEXT <= least <= whole


def test_what_may_fit_is_rendered_as_ever() -> None:
    text = TextModel(DEMO)
    chat = (Message("user", "Hello! " * 20),)
    assert text.render(chat, None, CONTEXT) == text.render(chat)
    # Too long, but that is found by counting.
    long = (Message("user", "a b " * CONTEXT),)
    assert len(text.render(long, None, CONTEXT).ids) > CONTEXT
