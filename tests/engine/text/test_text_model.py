"""Opening a folder's text files, and the small questions a text model answers."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any, NoReturn

import pytest
from tokenizers import Tokenizer

from engine.config import Sampling
from engine.errors import ModelError, PromptError
from engine.message import Message, PromptOptions
from engine.text.text_model import TextModel
from tests.engine.text.conftest import OpenModel, WriteFolder

ASK = [Message("user", "Why?")]


class TestOpening:
    def test_no_tokenizer(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match=r"has no tokenizer\.json"):
            TextModel(tmp_path)

    @pytest.mark.parametrize("text", ["", "{}", "no json", '{"model": {"type": "BPE"}}'])
    def test_bad_tokenizer(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "tokenizer.json").write_text(text)
        with pytest.raises(ModelError, match=r"tokenizer\.json is not a"):
            TextModel(tmp_path)

    @pytest.mark.parametrize(
        "bad",
        [
            {"pre_tokenizer": {"type": "FixedLength", "length": 0}},
            {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "/////wAAAA=="}},
            {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AgAAAA=="}},
        ],
        ids=["panics when used", "panics when read", "panics when it normalizes"],
    )
    def test_a_tokenizer_that_panics_in_rust(
        self, write_folder: WriteFolder, bad: dict[str, Any]
    ) -> None:
        path = write_folder("x") / "tokenizer.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | bad))
        with pytest.raises(ModelError, match=r"tokenizer\.json is not a tokenizer"):
            TextModel(path.parent)

    @pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
    def test_an_interrupt_is_no_fault_of_the_tokenizer(
        self, write_folder: WriteFolder, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
    ) -> None:
        class Interrupted:
            @staticmethod
            def from_file(path: str) -> NoReturn:
                raise stop

        monkeypatch.setattr("engine.text.model_files.Tokenizer", Interrupted)
        with pytest.raises(stop):
            TextModel(write_folder("x"))

    @pytest.mark.parametrize("name", ["tokenizer_config", "generation_config", "config"])
    def test_bad_json_names_the_file(self, write_folder: WriteFolder, name: str) -> None:
        folder = write_folder("x")
        for text, sentence in (("{", "not valid JSON"), ("[]", "a JSON object")):
            (folder / f"{name}.json").write_text(text)
            with pytest.raises(ModelError, match=rf"{name}\.json .*{sentence}"):
                TextModel(folder)

    def test_a_missing_template_matters_only_for_messages(self, write_folder: WriteFolder) -> None:
        model = TextModel(write_folder(None))
        assert model.decode(model.encode("A stone.")) == "A stone."
        assert not model.supports_thinking
        with pytest.raises(ModelError, match="no chat template"):
            model.render(ASK)

    def test_a_bad_template_matters_only_for_messages(self, write_folder: WriteFolder) -> None:
        model = TextModel(write_folder("{% if %}"))
        assert model.encode("A")
        with pytest.raises(ModelError, match=r"tokenizer_config\.json is not valid"):
            model.render(ASK)

    def test_the_file_wins_over_the_config(self, write_folder: WriteFolder) -> None:
        folder = write_folder("old")
        (folder / "chat_template.jinja").write_text("new")
        model = TextModel(folder)
        assert model.decode(model.render(ASK).ids) == "new"

    def test_named_templates(self, write_folder: WriteFolder) -> None:
        named = [{"name": "default", "template": "d"}, {"name": "tool_use", "template": "t"}]
        model = TextModel(write_folder(named))
        assert model.decode(model.render(ASK).ids) == "d"
        tools = PromptOptions(tools=({"name": "look"},))
        assert model.decode(model.render(ASK, tools).ids) == "t"
        with pytest.raises(ModelError, match="list with a default"):
            TextModel(write_folder([{"name": "rag", "template": "t"}]))

    def test_special_tokens_reach_the_template(self, write_folder: WriteFolder) -> None:
        settings = {
            "bos_token": {"content": "<|endoftext|>"},
            "eos_token": "<|im_end|>",
            "chat_template": "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}",
        }
        model = TextModel(write_folder(None, tokenizer_config=settings))
        assert model.decode(model.render(ASK).ids) == "<|endoftext|>Why?<|im_end|>"


class TestEndsAndDefaults:
    @pytest.mark.parametrize(
        ("files", "ends"),
        [
            ({"generation_config": {"eos_token_id": 5}}, {5}),
            (
                {"generation_config": {"eos_token_id": [5, 7]}, "config": {"eos_token_id": 1}},
                {5, 7},
            ),
            ({"config": {"eos_token_id": 3}}, {3}),
            ({"config": {"text_config": {"eos_token_id": [3, 4]}}}, {3, 4}),
            ({"generation_config": {}}, set()),
        ],
    )
    def test_end_ids(
        self, open_model: OpenModel, tokenizer: Tokenizer, files: dict[str, Any], ends: set[int]
    ) -> None:
        own = {tokenizer.token_to_id("<|im_end|>")}
        assert open_model("chatml", **files).end_ids == ends | own

    def test_bad_end_ids(self, open_model: OpenModel) -> None:
        with pytest.raises(ModelError, match=r"generation_config\.json is not a token id"):
            open_model("chatml", generation_config={"eos_token_id": "<end>"})

    def test_defaults_are_plain_numbers(self, open_model: OpenModel) -> None:
        given = {"temperature": 0.6, "top_k": 20, "top_p": "high", "min_p": True, "max_length": 9}
        model = open_model("chatml", generation_config=given)
        assert model.generation_defaults == {"temperature": 0.6, "top_k": 20}
        assert [note.split()[1] for note in model.notes] == ["top_p", "min_p"]

    def test_every_default_goes_by_the_name_that_such_files_use(
        self, open_model: OpenModel
    ) -> None:
        given = {"min_p": 0.1, "presence_penalty": 1.5, "max_new_tokens": 300.0}
        model = open_model("chatml", generation_config=given)
        assert model.generation_defaults == {
            "min_p": 0.1,
            "presence_penalty": 1.5,
            "max_tokens": 300,
        }

    def test_a_bad_length_is_told_by_the_name_in_the_file(self, open_model: OpenModel) -> None:
        model = open_model("chatml", generation_config={"max_new_tokens": 0})
        assert model.generation_defaults == {}
        assert model.notes[0].startswith("generation_config.json: max_new_tokens is 0; ")

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("temperature", -1),
            ("temperature", float("nan")),
            ("temperature", "0.7"),
            ("top_k", -1),
            ("top_k", 20.5),
            ("top_k", float("inf")),
            ("top_k", [20]),
            ("top_p", 1.01),
            ("min_p", -0.1),
            ("repetition_penalty", 0),
            ("repetition_penalty", {}),
        ],
    )
    def test_a_default_out_of_its_range_is_left_out_and_told(
        self, open_model: OpenModel, name: str, value: object
    ) -> None:
        given = {name: value, "eos_token_id": 5}
        model = open_model("chatml", generation_config=given)
        assert model.generation_defaults == {}
        assert 5 in model.end_ids
        (note,) = model.notes
        assert note.startswith(f"generation_config.json: {name} is ")
        assert note.endswith(f", so {getattr(Sampling(), name)} is used instead.")

    def test_an_integer_written_as_a_float(self, open_model: OpenModel) -> None:
        model = open_model("chatml", generation_config={"top_k": 50.0, "temperature": 1})
        assert model.generation_defaults == {"top_k": 50, "temperature": 1}
        assert type(model.generation_defaults["top_k"]) is int
        assert model.notes == ()

    @pytest.mark.parametrize(
        "name", ["tokenizer_config.json", "generation_config.json", "chat_template.jinja"]
    )
    def test_a_file_that_may_not_be_read(
        self, write_folder: WriteFolder, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = write_folder(None)
        (folder / name).write_text("{}")
        opens = Path.open

        def refuse(self: Path, *args: Any, **how: Any) -> object:
            if self.name == name:
                raise PermissionError(13, "Permission denied", str(self))
            return opens(self, *args, **how)

        monkeypatch.setattr(Path, "open", refuse)
        with pytest.raises(ModelError, match=rf"{name} cannot be read: Permission denied\.$"):
            TextModel(folder)

    def test_no_sampling_means_greedy(self, open_model: OpenModel) -> None:
        model = open_model("chatml", generation_config={"do_sample": False, "temperature": 0.6})
        assert model.generation_defaults["temperature"] == 0


class TestThinking:
    def test_support_is_asked_of_the_template(self, open_model: OpenModel) -> None:
        assert open_model("stripping").supports_thinking
        assert open_model("keeping").supports_thinking
        assert not open_model("chatml").supports_thinking

    @pytest.mark.parametrize(("thinking", "open"), [(True, True), (False, False)])
    def test_starting_inside_thinking(
        self, open_model: OpenModel, chat: list[Message], thinking: bool, open: bool
    ) -> None:
        model = open_model("stripping")
        prompt = model.render(chat, PromptOptions(thinking=thinking))
        assert model.starts_thinking(prompt.ids) is open
        assert model.think_splitter(prompt.ids).feed("so")[0][0] == (
            "thinking" if open else "answer"
        )

    def test_a_tag_in_what_the_user_wrote_opens_nothing(self, open_model: OpenModel) -> None:
        model = open_model("chatml")
        prompt = model.render([Message("user", "Say <think>")])
        assert not model.starts_thinking(prompt.ids)

    def test_tags_are_single_tokens_here(self, open_model: OpenModel, tokenizer: Tokenizer) -> None:
        model = open_model("stripping")
        assert model.think_open_id == tokenizer.token_to_id("<think>")
        assert model.think_close_id == tokenizer.token_to_id("</think>")


class TestRender:
    def test_nothing_to_render(self, open_model: OpenModel) -> None:
        with pytest.raises(PromptError, match="conversation is empty"):
            open_model("chatml").render([])

    def test_a_refusal_is_the_templates_sentence(
        self, open_model: OpenModel, chat: list[Message]
    ) -> None:
        with pytest.raises(PromptError, match="System role not supported"):
            open_model("nosystem").render(chat)

    @pytest.mark.parametrize("style", ["stripping", "chatml", "keeping", "alpaca"])
    def test_ids_are_those_of_the_whole_text(
        self, open_model: OpenModel, tokenizer: Tokenizer, chat: list[Message], style: str
    ) -> None:
        model = open_model(style)
        ids = list(model.render(chat).ids)
        assert ids == tokenizer.encode(model.decode(ids)).ids

    @pytest.mark.parametrize("style", ["stripping", "chatml", "keeping", "alpaca"])
    def test_spans_hold_each_message_and_nothing_of_the_others(
        self, open_model: OpenModel, chat: list[Message], style: str
    ) -> None:
        model = open_model(style)
        prompt = model.render(chat)
        spans = prompt.spans
        assert [span.index for span in spans] == [0, 1, 2, 3]
        assert spans[0].start == 0
        for span, message in zip(spans, chat, strict=True):
            text = model.decode(prompt.ids[span.start : span.end])
            assert message.content in text
            assert not any(other.content in text for other in chat if other is not message)
        for one, other in itertools.pairwise(spans):
            assert one.end == other.start
        if style != "alpaca":
            first = model.decode(prompt.ids[spans[1].start : spans[1].end])
            assert first == "<|im_start|>user\nThe window is open?<|im_end|>\n"

    def test_spans_of_short_and_repeated_texts(self, open_model: OpenModel) -> None:
        model = open_model("stripping")
        messages = [Message("user", "a"), Message("assistant", "a"), Message("user", "user")]
        prompt = model.render(messages)
        texts = [model.decode(prompt.ids[s.start : s.end]) for s in prompt.spans]
        assert texts == [
            "<|im_start|>user\na<|im_end|>\n",
            "<|im_start|>assistant\na<|im_end|>\n",
            "<|im_start|>user\nuser<|im_end|>\n",
        ]

    def test_spans_of_trimmed_texts(self, open_model: OpenModel) -> None:
        model = open_model("stripping")
        messages = [Message("user", " \n Why? \n\n"), Message("assistant", "\n\nSo. ")]
        prompt = model.render([*messages, *ASK])
        texts = [model.decode(prompt.ids[s.start : s.end]) for s in prompt.spans]
        assert texts[0] == "<|im_start|>user\nWhy?<|im_end|>\n"
        assert texts[1] == "<|im_start|>assistant\nSo.<|im_end|>\n"

    def test_a_template_that_alters_texts_has_empty_spans(
        self, open_model: OpenModel, chat: list[Message]
    ) -> None:
        loud = "{% for m in messages %}{{ m.content | upper }}{% endfor %}"
        spans = open_model(loud).render(chat).spans
        assert [(span.start, span.end) for span in spans] == [(0, 0)] * 4

    def test_marks_in_a_message_do_no_harm(self, open_model: OpenModel) -> None:
        nasty = "\ue0f0c99\ue0f1 and \ue0f0n0\ue0f1"
        call = {"name": "look", "arguments": {"q": nasty}}
        messages = [*ASK, Message("assistant", nasty, tool_calls=(call,)), Message("user", nasty)]
        model = open_model("stripping")
        assert nasty in model.decode(model.render(messages).ids)

    def test_nothing_is_remembered_wrongly(
        self, open_model: OpenModel, chat: list[Message]
    ) -> None:
        model, other = open_model("stripping"), open_model("stripping")
        for options in (PromptOptions(), PromptOptions(thinking=True), PromptOptions()):
            for messages in (chat, chat[1:], chat):
                fresh = open_model("stripping").render(messages, options)
                assert model.render(messages, options) == fresh
        assert other.render(chat) == model.render(chat)


def test_the_demo_model_folder() -> None:
    folder = Path(__file__).parents[3] / "assets/demo_model"
    if not (folder / "tokenizer.json").is_file():
        pytest.skip("the demo model is not built")
    model = TextModel(folder)
    assert model.supports_thinking
    prompt = model.render([Message("system", "Be brief."), *ASK], PromptOptions(thinking=True))
    assert [anchor.kind for anchor in prompt.anchors] == ["system", "next turn"]
    assert model.starts_thinking(prompt.ids)
    assert model.end_ids


class TestDropsThinking:
    @pytest.mark.parametrize(
        ("style", "drops"),
        [("stripping", True), ("tagged", True), ("keeping", False), ("chatml", True)],
    )
    def test_by_what_the_template_writes(
        self, open_model: OpenModel, style: str, drops: bool
    ) -> None:
        assert open_model(style).drops_thinking is drops

    def test_a_template_that_refuses_drops_nothing(self, open_model: OpenModel) -> None:
        assert not open_model("{{ raise_exception('no') }}").drops_thinking
