"""Detokenizer, ThinkSplitter and StopStrings give the same however the text is cut."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
from tokenizers import Tokenizer

from engine.message import Message, PromptOptions
from engine.run.decode import AnswerStream
from engine.text.detokenizer import Detokenizer, TokenBytes
from engine.text.think_splitter import StopStrings, ThinkSplitter
from tests.engine.text.conftest import OpenModel, Spell, with_added
from tests.present import present


def cuts(text: str) -> Iterator[list[str]]:
    """The text whole, by characters, and in every pair of parts."""
    yield [text]
    yield list(text)
    for at in range(1, len(text)):
        yield [text[:at], text[at:]]


class TestDetokenizer:
    @pytest.mark.parametrize("text", ["A river.", " two  spaces ", "étés 東京🌊🌊!", "\n\n<think>"])
    def test_whole_text_and_never_half_a_character(
        self, tokenizer: Tokenizer, bytes_of_ids: Spell, text: str
    ) -> None:
        for ids in (tokenizer.encode(text).ids, bytes_of_ids(text)):
            stream = Detokenizer(TokenBytes(tokenizer))
            parts = [stream.feed(token) for token in ids]
            assert "�" not in "".join(parts)
            assert "".join(parts) + stream.finish() == text

    def test_a_character_comes_with_its_last_byte(
        self, tokenizer: Tokenizer, bytes_of_ids: Spell
    ) -> None:
        stream = Detokenizer(TokenBytes(tokenizer))
        assert [stream.feed(token) for token in bytes_of_ids("🌊a")] == ["", "", "", "🌊", "a"]

    def test_an_unfinished_character_is_replaced_at_the_end_only(
        self, tokenizer: Tokenizer, bytes_of_ids: Spell
    ) -> None:
        stream = Detokenizer(TokenBytes(tokenizer))
        assert [stream.feed(token) for token in bytes_of_ids("a🌊")[:-1]] == ["a", "", "", ""]
        assert stream.finish() == "�"
        assert stream.finish() == ""

    def test_a_broken_character_is_replaced_once_it_is_certain(
        self, tokenizer: Tokenizer, bytes_of_ids: Spell
    ) -> None:
        stream = Detokenizer(TokenBytes(tokenizer))
        lead, letter = bytes_of_ids("é")[0], bytes_of_ids("a")[0]
        assert [stream.feed(lead), stream.feed(letter)] == ["", "�a"]

    def test_special_tokens_are_hidden_unless_asked_for(self, tokenizer: Tokenizer) -> None:
        ids = tokenizer.encode("a<|im_end|><think>").ids
        table = TokenBytes(tokenizer)
        hidden, shown = Detokenizer(table), Detokenizer(table, show_special=True)
        assert "".join(map(hidden.feed, ids)) == "a<think>"
        assert "".join(map(shown.feed, ids)) == "a<|im_end|><think>"

    def test_an_end_that_is_spelt_out_is_shown_and_ends_nothing(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("chatml")
        ids = bytes_of_ids("It is <|im_end|>.")
        stream = model.detokenizer()
        assert "".join(map(stream.feed, ids)) + stream.finish() == "It is <|im_end|>."
        assert not model.end_ids & set(ids)

    def test_ids_beyond_the_vocabulary_show_nothing(self, tokenizer: Tokenizer) -> None:
        assert Detokenizer(TokenBytes(tokenizer)).feed(10**6) == ""


def split(parts: list[str], starts_thinking: bool) -> tuple[str, str]:
    splitter = ThinkSplitter(starts_thinking)
    pieces = [piece for part in parts for piece in splitter.feed(part)] + splitter.finish()
    assert all(text for _, text in pieces)
    joined = {"thinking": "", "answer": ""}
    for channel, text in pieces:
        joined[channel] += text
    assert (splitter.thinking, splitter.answer) == (joined["thinking"], joined["answer"])
    return joined["thinking"], joined["answer"]


class TestThinkSplitter:
    @pytest.mark.parametrize(
        ("starts_thinking", "text", "thinking", "answer"),
        [
            (True, "why\n\nnot\n</think>\n\nYes.\n", "why\n\nnot", "Yes.\n"),
            (True, "\nwhy</think>Yes", "why", "Yes"),
            (True, "never ends\n", "never ends", ""),
            (True, "a < b </thin", "a < b </thin", ""),
            (True, "</think>\n\nYes", "", "Yes"),
            (False, "Yes.", "", "Yes."),
            (False, "  Yes <think>", "", "  Yes <think>"),
            (False, "<think>\nwhy\n</think>\n\nYes", "why", "Yes"),
            (False, "\n<think>why</think>\nYes </think>", "why", "Yes </think>"),
            (False, "<thin", "", "<thin"),
            (False, "", "", ""),
        ],
    )
    def test_every_cut_gives_the_same(
        self, starts_thinking: bool, text: str, thinking: str, answer: str
    ) -> None:
        for parts in cuts(text):
            assert split(parts, starts_thinking) == (thinking, answer), parts

    @pytest.mark.parametrize("style", ["stripping", "keeping"])
    def test_a_tag_that_is_spelt_out_is_none(
        self, open_model: OpenModel, bytes_of_ids: Spell, style: str
    ) -> None:
        model = open_model(style)
        prompt = model.render([Message("user", "Why?")], PromptOptions(thinking=True))
        thought, answer = "why <think></think>?", "So </think> <think>."
        opens, closes = present(model.think_open_id), present(model.think_close_id)
        ids = (*bytes_of_ids(f"{thought}\n"), closes, *bytes_of_ids(f"\n\n{answer}"))
        ids += (closes, opens)
        stream = AnswerStream(model.detokenizer(), model.starts_thinking(prompt.ids), ())
        shown = [piece for token in ids for piece in stream.feed(token)] + stream.finish()
        assert (stream.thinking, stream.text) == (thought, f"{answer}</think><think>")
        assert "".join(text for _, text in shown) == stream.thinking + stream.text

    def test_tags_that_are_no_control_tokens_are_read_in_the_text(
        self, open_model: OpenModel, tokenizer: Tokenizer
    ) -> None:
        model = open_model("stripping", own=with_added(tokenizer, ["<|im_start|>", "<|im_end|>"]))
        prompt = model.render([Message("user", "Why?")], PromptOptions(thinking=True))
        splitter, detokenizer = model.think_splitter(prompt.ids), model.detokenizer()
        for token in model.encode("why\n</think>\n\nSo."):
            splitter.feed(detokenizer.feed(token))
        splitter.finish()
        assert (splitter.thinking, splitter.answer) == ("why", "So.")

    def test_text_is_shown_as_soon_as_it_is_certain(self) -> None:
        splitter = ThinkSplitter(True)
        assert splitter.feed("why ") == [("thinking", "why ")]
        assert splitter.feed("not\n<") == [("thinking", "not")]
        assert splitter.feed("x") == [("thinking", "\n<x")]


def stop(parts: list[str], stops: Sequence[str]) -> tuple[str, str]:
    watch = StopStrings(stops)
    shown = "".join(map(watch.feed, parts))
    return shown + watch.finish(), watch.hit


class TestStopStrings:
    @pytest.mark.parametrize(
        ("text", "stops", "shown", "hit"),
        [
            ("one END two", ("END",), "one ", "END"),
            ("one EN", ("END",), "one EN", ""),
            ("ababac", ("abac",), "ab", "abac"),
            ("xEND", ("ND", "END"), "x", "END"),
            ("xEND", ("EN", "E"), "x", "E"),
            ("abcd", ("abcd", "c"), "ab", "c"),
            ("END", ("END",), "", "END"),
            ("plain", (), "plain", ""),
            ("plain", ("",), "plain", ""),
        ],
    )
    def test_every_cut_gives_the_same(
        self, text: str, stops: Sequence[str], shown: str, hit: str
    ) -> None:
        for parts in cuts(text):
            assert stop(parts, stops) == (shown, hit), parts

    def test_only_a_possible_start_is_held_back(self) -> None:
        watch = StopStrings(["<stop>"])
        assert [watch.feed(t) for t in ("a <", "s", "ad", " <stop", "> b", "c")] == [
            "a ",
            "",
            "<sad",
            " ",
            "",
            "",
        ]
        assert watch.hit == "<stop>"


def test_all_streams_together(tokenizer: Tokenizer, bytes_of_ids: Spell) -> None:
    text = "why 東京\n</think>\n\nÉtés STOP more"
    detokenizer, splitter = Detokenizer(TokenBytes(tokenizer)), ThinkSplitter(True)
    watch = StopStrings(["STOP"])
    answer = ""
    for token in itertools.chain(bytes_of_ids(text)):
        for channel, part in splitter.feed(detokenizer.feed(token)):
            answer += watch.feed(part) if channel == "answer" else ""
    assert answer == "Étés "
    assert splitter.thinking == "why 東京"
