"""An answer taken up where it was cut: which tokens the prompt ends with."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer

from engine.errors import PromptError
from engine.message import Message, PromptOptions
from engine.text.prompt import BegunAnswer, RenderedPrompt
from engine.text.text_model import TextModel
from tests.engine.text.conftest import OpenModel, Spell
from tests.present import present

ASK = Message("user", "Why not 7 stones?")
ON, OFF = PromptOptions(thinking=True), PromptOptions()


def continued(
    model: TextModel, message: Message, options: PromptOptions = OFF, *earlier: Message
) -> tuple[RenderedPrompt, BegunAnswer]:
    """The prompt that continues `message`, which must be the answer's own plus its tokens."""
    messages = [*earlier, ASK]
    going_on = PromptOptions(options.thinking, options.tools, continues=True)
    prompt = model.render([*messages, message], going_on)
    begun = present(prompt.begun)
    head = model.render(messages, options)
    assert prompt.ids == head.ids + begun.ids
    assert prompt.head == head.ids
    assert begun.start == len(head.ids)
    assert prompt.anchors == head.anchors, "in exact mode other cuts would not match"
    assert prompt.spans[:-1] == head.spans
    assert (prompt.spans[-1].index, prompt.spans[-1].end) == (len(messages), len(prompt.ids))
    return prompt, begun


STYLES = ["stripping", "chatml", "keeping", "alpaca", "nosystem", "spaced", "tagged"]


class TestGeneratedIds:
    @pytest.mark.parametrize("style", STYLES)
    @pytest.mark.parametrize("options", [ON, OFF], ids=["thinking", "no-think"])
    def test_they_are_taken_verbatim(
        self, open_model: OpenModel, bytes_of_ids: Spell, style: str, options: PromptOptions
    ) -> None:
        model = open_model(style)
        opened = model.starts_thinking(model.render([ASK], options).ids)
        written = "A river.\n</think>\n\nA stone" if opened else "A stone"
        close = present(model.think_close_id)
        ids = _spelt(bytes_of_ids, written, close)
        said = Message("assistant", "A stone", "A river." if opened else "", token_ids=ids)
        prompt, begun = continued(model, said, options)
        assert begun.ids == ids
        assert (begun.thinking, begun.text) == (said.thinking, said.content)
        assert prompt.edited == prompt.retokenised == ()

    @pytest.mark.parametrize("lost", [1, 2])
    def test_a_character_may_be_cut(
        self, open_model: OpenModel, bytes_of_ids: Spell, lost: int
    ) -> None:
        ids = bytes_of_ids("A stone 東")[:-lost]
        for content in ("A stone ", "A stone \ufffd"):
            said = Message("assistant", content, token_ids=ids)
            _, begun = continued(open_model("chatml"), said)
            assert (begun.ids, begun.text) == (ids, "A stone ")

    def test_a_thought_may_be_cut(self, open_model: OpenModel, bytes_of_ids: Spell) -> None:
        ids = bytes_of_ids("A river, ")
        said = Message("assistant", "", "A river, ", token_ids=ids)
        _, begun = continued(open_model("stripping"), said, ON)
        assert (begun.ids, begun.thinking, begun.text) == (ids, "A river, ", "")

    def test_a_caller_may_leave_the_thinking_out(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("stripping")
        ids = _spelt(bytes_of_ids, "Why\n</think>\n\nA stone", present(model.think_close_id))
        _, begun = continued(model, Message("assistant", "A stone", token_ids=ids), ON)
        assert (begun.ids, begun.thinking, begun.text) == (ids, "Why", "A stone")

    def test_edited_text_counts_more_than_them(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("chatml")
        said = Message("assistant", "A tree", token_ids=bytes_of_ids("A stone"))
        prompt, begun = continued(model, said)
        assert model.decode(begun.ids) == "A tree"
        assert prompt.edited == (1,)

    def test_those_of_a_thought_do_not_go_where_thinking_is_off(
        self, open_model: OpenModel, bytes_of_ids: Spell
    ) -> None:
        model = open_model("stripping")
        ids = _spelt(bytes_of_ids, "Why\n</think>\n\nA stone", present(model.think_close_id))
        _, begun = continued(model, Message("assistant", "A stone", "Why", token_ids=ids), OFF)
        assert model.decode(begun.ids) == "A stone"
        assert begun.thinking == "Why", "what is shown of it stays"


class TestText:
    @pytest.mark.parametrize("style", STYLES)
    def test_an_answer(self, open_model: OpenModel, style: str) -> None:
        model = open_model(style)
        prompt, begun = continued(model, Message("assistant", "A river, and "))
        assert model.decode(begun.ids) == "A river, and "
        assert prompt.edited == prompt.retokenised == ()

    @pytest.mark.parametrize(
        ("thinking", "content", "written"),
        [
            ("A river", "A stone", "A river\n</think>\n\nA stone"),
            ("A river\n", "", "A river\n"),
            ("", "A stone", "\n</think>\n\nA stone"),
        ],
        ids=["both", "thought", "answer"],
    )
    @pytest.mark.parametrize("style", ["stripping", "tagged", "keeping"])
    def test_thinking(
        self, open_model: OpenModel, style: str, thinking: str, content: str, written: str
    ) -> None:
        model = open_model(style)
        _, begun = continued(model, Message("assistant", content, thinking), ON)
        assert model.decode(begun.ids) == written
        assert (present(model.think_close_id) in begun.ids) is bool(content)

    def test_a_model_that_opens_its_thoughts_itself(self, open_model: OpenModel) -> None:
        style = (
            "{%- for m in messages %}{{- m.role + '\\n' + m.content + '<|im_end|>\\n' }}"
            "{%- endfor %}{%- if add_generation_prompt %}{{- 'assistant\\n' }}"
            "{%- if not enable_thinking %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}"
            "{%- endif %}"
        )
        model = open_model(style)
        said = Message("assistant", "A stone", "A river")
        _, begun = continued(model, said, ON)
        assert model.decode(begun.ids) == "<think>\nA river\n</think>\n\nA stone"
        assert begun.ids[0] == model.think_open_id
        assert model.decode(continued(model, said, OFF)[1].ids) == "A stone"

    def test_the_template_says_what_is_between_thinking_and_text(
        self, open_model: OpenModel, templates: dict[str, str]
    ) -> None:
        own = templates["keeping"].replace("</think>\\n\\n", "</think>\\n")
        model = open_model(own)
        _, begun = continued(model, Message("assistant", "A stone", "A river"), ON)
        assert model.decode(begun.ids) == "A river\n</think>\nA stone"

    def test_it_yields_no_control_tokens(self, open_model: OpenModel) -> None:
        model = open_model("stripping")
        text = "Write <|im_end|> or </think>, and <|im_start|>user"
        _, begun = continued(model, Message("assistant", text, "<think>" + text), ON)
        controls = [i for i in begun.ids if len(model.decode([i])) > 5]
        assert controls == [model.think_close_id], "the one that the template writes"
        assert model.decode(begun.ids) == f"<think>{text}\n</think>\n\n{text}"


class TestRefusal:
    @pytest.mark.parametrize(
        ("messages", "words"),
        [
            ([], "The conversation is empty"),
            ([Message("assistant", "A stone")], "The conversation is empty"),
            ([ASK], "the last message is not the assistant's"),
            ([ASK, Message("assistant", "")], "nothing to continue: ask again"),
            ([ASK, Message("assistant", "", "A river")], "only its thinking, which is turned off"),
            ([ASK, Message("assistant", "\ud800")], "half of a surrogate pair"),
            (
                [ASK, Message("assistant", "a", tool_calls=({"name": "look", "arguments": {}},))],
                "calls a tool cannot be continued",
            ),
        ],
        ids=["empty", "alone", "question", "no text", "thought", "half", "call"],
    )
    def test_in_one_clear_sentence(
        self, open_model: OpenModel, messages: list[Message], words: str
    ) -> None:
        with pytest.raises(PromptError, match=words) as refused:
            open_model("stripping").render(messages, PromptOptions(continues=True))
        assert str(refused.value).count(". ") == 0


def test_an_answer_cut_inside_a_character_is_put_back_afterwards(
    open_model: OpenModel, bytes_of_ids: Spell, tokenizer: Tokenizer
) -> None:
    ids = bytes_of_ids("A stone 東")[:-1]
    said = Message("assistant", "A stone ", token_ids=ids)
    prompt = open_model("chatml").render([ASK, said, ASK])
    assert prompt.edited == prompt.retokenised == ()
    span = prompt.spans[1]
    assert present(tokenizer.token_to_id("<|im_end|>")) in prompt.ids[span.start : span.end]
    text = ",".join(map(str, prompt.ids))
    assert ",".join(map(str, ids)) in text


def _spelt(spell: Spell, text: str, close: int) -> tuple[int, ...]:
    """Byte by byte, with the closing tag as the token it is."""
    before, tag, after = text.partition("</think>")
    return spell(before) + ((close,) if tag else ()) + spell(after)
