"""The text of an answer that was cut and goes on is the text of the answer in one go."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tokenizers import Tokenizer

from engine.run.decode import AnswerStream
from engine.text.detokenizer import Detokenizer, TokenBytes
from engine.text.prompt import BegunAnswer
from tests.engine.text.conftest import Spell, bytes_of_ids, tokenizer

__all__ = ["bytes_of_ids", "tokenizer"]


class Cut:
    """One answer read in two parts.

    Attributes:
        first: what was shown of it before the cut.
        added: what was shown after it.
        whole: thinking and text at the end.
    """

    def __init__(
        self, own: Tokenizer, ids: Sequence[int], at: int, stops: Sequence[str], thinks: bool
    ) -> None:
        one, two = (AnswerStream(Detokenizer(TokenBytes(own)), thinks, stops) for _ in range(2))
        for token in ids[:at]:
            one.feed(token)
        one.finish(cut=True)
        self.first = {"thinking": one.thinking, "answer": one.text}
        two.resume(BegunAnswer(0, tuple(ids[:at]), one.text, one.thinking))
        self.added = {"thinking": "", "answer": ""}
        pieces = [piece for token in ids[at:] for piece in two.feed(token)]
        for channel, text in pieces + two.finish():
            self.added[channel] += text
        self.whole = (two.thinking, two.text)


ANSWERS = [
    ("why 東京\n\nnot?\n</think>\n\nÉtés, 🌊 and so on.\n", True),
    ("never ends\n", True),
    ("Yes <think>, 東</think>", False),
    ("<think>\nwhy</think>Yes, 🌊", False),
    ("</think>\n\nYes", True),
]


@pytest.mark.parametrize(("text", "thinks"), ANSWERS)
def test_every_cut_gives_the_same_and_shows_each_letter_once(
    tokenizer: Tokenizer, bytes_of_ids: Spell, text: str, thinks: bool
) -> None:
    ids = bytes_of_ids(text)
    wanted = Cut(tokenizer, ids, 0, ("STOP",), thinks).whole
    for at in range(len(ids) + 1):
        cut = Cut(tokenizer, ids, at, ("STOP",), thinks)
        assert cut.whole == wanted, at
        assert "\ufffd" not in cut.first["answer"] + cut.first["thinking"]
        # Spelt-out tags may be shown in part before a cut inside them; the end puts that right.
        if not _inside_a_tag(text, at):
            shown = tuple(cut.first[c] + cut.added[c] for c in ("thinking", "answer"))
            assert shown == wanted, at


def test_a_stop_string_across_the_cut_ends_the_answer(
    tokenizer: Tokenizer, bytes_of_ids: Spell
) -> None:
    text = "one STOP two"
    ids = bytes_of_ids(text)
    for at in range(len("one "), len("one STOP")):
        cut = Cut(tokenizer, ids, at, ("STOP",), False)
        assert cut.first["answer"] == text[:at]
        assert (cut.whole, cut.added["answer"]) == (("", "one "), "")


def test_one_that_was_there_before_does_not(tokenizer: Tokenizer, bytes_of_ids: Spell) -> None:
    ids = bytes_of_ids("one STOP two ST three STOP four")
    cut = Cut(tokenizer, ids[:8], 8, (), False)
    assert cut.whole == ("", "one STOP")
    going_on = AnswerStream(Detokenizer(TokenBytes(tokenizer)), False, ("STOP",))
    going_on.resume(BegunAnswer(0, ids[:8], "one STOP", ""))
    shown = "".join(text for token in ids[8:] for _, text in going_on.feed(token))
    assert shown == " two ST three "
    assert going_on.stopped
    assert going_on.text == "one STOP two ST three "


def test_nothing_new_is_the_same_answer(tokenizer: Tokenizer, bytes_of_ids: Spell) -> None:
    ids = bytes_of_ids("so ST\xe9")[:-1]
    cut = Cut(tokenizer, ids, len(ids), ("STOP",), False)
    assert cut.first["answer"] == "so ST"
    going_on = AnswerStream(Detokenizer(TokenBytes(tokenizer)), False, ("STOP",))
    going_on.resume(BegunAnswer(0, ids, "so ST", ""))
    assert going_on.finish(cut=True) == []
    assert going_on.text == "so ST"


def test_text_that_was_written_otherwise_stays(tokenizer: Tokenizer, bytes_of_ids: Spell) -> None:
    """A tokenizer may normalise it, and thinking may not be part of the prompt."""
    stream = AnswerStream(Detokenizer(TokenBytes(tokenizer)), False, ())
    stream.resume(BegunAnswer(0, bytes_of_ids("\xe9t\xe9"), "e\u0301te\u0301", "once"))
    assert stream.feed(bytes_of_ids("s")[0]) == [("answer", "s")]
    assert (stream.thinking, stream.text) == ("once", "e\u0301te\u0301s")


def _inside_a_tag(text: str, at: int) -> bool:
    data = text.encode()
    for tag in (b"<think>", b"</think>"):
        start = data.find(tag)
        while start >= 0:
            if start < at < start + len(tag):
                return True
            start = data.find(tag, start + 1)
    return False
