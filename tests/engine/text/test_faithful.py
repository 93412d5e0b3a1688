"""Generated ids come back verbatim where the template repeats the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.message import Message, PromptOptions
from engine.text.prompt import RenderedPrompt
from engine.text.text_model import contains
from tests.engine.text.conftest import OpenModel, Spell

THINK = PromptOptions(thinking=True)
ASK = Message("user", "The window is open?")
MORE = Message("user", "Why not?")


def holds(prompt: RenderedPrompt, ids: Sequence[int]) -> bool:
    return contains(prompt.ids, ids)


class TestPutBack:
    def test_the_fixture_spells_other_ids_than_the_tokenizer(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("chatml")
        assert model.decode(bytes_of_ids("A river, étés 東京")) == "A river, étés 東京"
        assert list(bytes_of_ids("A river")) != model.encode("A river")

    @pytest.mark.parametrize("style", ["chatml", "alpaca", "keeping", "nosystem"])
    @pytest.mark.parametrize("answer", ["A river, étés 東京🌊", "a", "  two\n\nlines."])
    def test_the_next_prompt_goes_on_from_prompt_and_answer(
        self, open_model: OpenModel, bytes_of_ids: Spell, style: str, answer: str
    ) -> None:
        if style == "nosystem":
            answer = answer.strip()
        model = open_model(style)
        prompt = model.render([ASK])
        ids = bytes_of_ids(answer)
        follow = model.render([ASK, Message("assistant", answer, token_ids=ids), MORE])
        assert follow.ids[: len(prompt.ids) + len(ids)] == prompt.ids + ids
        assert (follow.retokenised, follow.edited) == ((), ())
        assert answer in model.decode(follow.ids)

    def test_thinking_is_put_back_where_it_is_kept(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("keeping")
        close = tuple(model.encode("</think>"))
        ids = (*bytes_of_ids("why not\n"), *close, *bytes_of_ids("\n\nA stone."))
        prompt = model.render([ASK], THINK)
        said = Message("assistant", "A stone.", thinking="why not", token_ids=ids)
        follow = model.render([ASK, said, MORE], THINK)
        assert follow.ids[: len(prompt.ids) + len(ids)] == prompt.ids + ids
        assert follow.retokenised == ()

    def test_only_the_answer_is_put_back_where_thinking_is_stripped(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("stripping")
        close = tuple(model.encode("</think>"))
        answer = bytes_of_ids("A stone.")
        ids = (*bytes_of_ids("why not\n"), *close, *bytes_of_ids("\n\n"), *answer)
        said = Message("assistant", "A stone.", thinking="why not", token_ids=ids)
        follow = model.render([ASK, said, MORE], THINK)
        assert holds(follow, answer)
        assert not holds(follow, ids)
        assert follow.retokenised == ()
        assert "why not" not in model.decode(follow.ids)

    def test_a_tool_call_is_put_back_inside_its_loop(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("stripping")
        close = tuple(model.encode("</think>"))
        spelt = '<tool_call>\n{"name": "look", "arguments": {"at": "river"}}\n</tool_call>'
        ids = (*bytes_of_ids("hm\n"), *close, *bytes_of_ids("\n\n" + spelt))
        call = {"name": "look", "arguments": {"at": "river"}}
        said = Message("assistant", "", thinking="hm", tool_calls=(call,), token_ids=ids)
        prompt = model.render([ASK], THINK)
        follow = model.render([ASK, said, Message("tool", "stone")], THINK)
        assert follow.ids[: len(prompt.ids) + len(ids)] == prompt.ids + ids
        assert follow.edited == ()

    @pytest.mark.parametrize("style", ["chatml", "alpaca", "stripping", "keeping"])
    def test_an_answer_about_the_tag(
        self, open_model: OpenModel, bytes_of_ids: Spell, style: str
    ) -> None:
        model = open_model(style)
        answer = "Then </think> ends it, and </think>."
        ids = bytes_of_ids(answer)
        follow = model.render([ASK, Message("assistant", answer, token_ids=ids), MORE])
        assert holds(follow, ids)
        assert follow.edited == ()

    @pytest.mark.parametrize("style", ["chatml", "stripping", "keeping"])
    def test_a_thought_about_the_tag(
        self, open_model: OpenModel, bytes_of_ids: Spell, style: str
    ) -> None:
        model = open_model(style)
        answer = bytes_of_ids("It is </think>.")
        close = tuple(model.encode("</think>"))
        ids = (*bytes_of_ids("why </think>?\n"), *close, *bytes_of_ids("\n\n"), *answer)
        said = Message("assistant", "It is </think>.", thinking="why </think>?", token_ids=ids)
        follow = model.render([ASK, said, MORE], THINK)
        assert holds(follow, ids if style == "keeping" else answer)
        assert (follow.retokenised, follow.edited) == ((), ())

    def test_ids_that_would_cut_a_marker_of_the_template_in_two(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("keeping")
        close = tuple(model.encode("</think>"))
        ids = (*bytes_of_ids("think>\nhm\n"), *close, *bytes_of_ids("\n\nA stone."))
        said = Message("assistant", "A stone.", thinking="hm", token_ids=ids)
        follow = model.render([ASK, said, MORE], THINK)
        assert model.think_open_id in follow.ids
        assert follow.ids == model.render([ASK, replace(said, token_ids=()), MORE], THINK).ids
        assert follow.retokenised == (1,)

    def test_an_answer_cut_off_while_thinking(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        ids = bytes_of_ids("why not 7")
        said = Message("assistant", "", thinking="why not 7", token_ids=ids)
        stripped = open_model("stripping").render([ASK, said, MORE], THINK)
        assert (stripped.retokenised, stripped.edited) == ((), ())
        kept = open_model("keeping").render([ASK, said, MORE], THINK)
        assert holds(kept, ids)

    def test_trailing_blanks_that_the_template_trims_are_left_out(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        ids = bytes_of_ids("A stone.\n\n")
        said = Message("assistant", "A stone.\n\n", token_ids=ids)
        follow = open_model("stripping").render([ASK, said, MORE])
        assert holds(follow, ids[:-2])
        assert not holds(follow, ids)


class TestRefusal:
    def test_an_edited_answer_is_tokenised_afresh(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("chatml")
        ids = bytes_of_ids("A stone.")
        said = Message("assistant", "A stone.", token_ids=ids)
        changed = replace(said, content="A tree.")
        follow = model.render([ASK, changed, MORE])
        assert follow.ids == model.render([ASK, replace(changed, token_ids=()), MORE]).ids
        assert (follow.retokenised, follow.edited) == ((), (1,))

    def test_an_answer_the_template_alters_counts_as_retokenised(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        loud = "{% for m in messages %}<|im_start|>{{ m.content | upper }}<|im_end|>{% endfor %}"
        said = Message("assistant", "A stone.", token_ids=bytes_of_ids("A stone."))
        follow = open_model(loud).render([ASK, said, MORE])
        assert follow.retokenised == (1,)

    def test_a_token_across_the_trimmed_border_counts_only_if_the_ids_differ(
        self, open_model: OpenModel
    ) -> None:
        model = open_model("stripping")
        (spaced,) = model.encode(" the")
        said = Message("assistant", " the river", token_ids=(spaced, *model.encode(" river")))
        assert model.render([ASK, said, MORE]).retokenised == (1,)

    def test_canonical_ids_never_count(self, open_model: OpenModel) -> None:
        loud = "{% for m in messages %}<|im_start|>{{ '>' + m.content }}<|im_end|>{% endfor %}"
        for style in ("stripping", "chatml", "alpaca", loud):
            model = open_model(style)
            said = Message("assistant", "A stone.", token_ids=tuple(model.encode("A stone.")))
            assert model.render([ASK, said, MORE]).retokenised == ()

    def test_ids_of_half_a_character(self, open_model: OpenModel, bytes_of_ids: Spell) -> None:
        ids = bytes_of_ids("A stone 東")[:-1]
        said = Message("assistant", "A stone �", token_ids=ids)
        follow = open_model("chatml").render([ASK, said, MORE])
        assert follow.retokenised == (1,)
        assert follow.edited == ()


def test_contains_looks_at_whole_ids() -> None:
    assert contains([1, 2, 3], [2, 3])
    assert not contains([1 << 8, 0], [1])
    assert contains([5], [])
