"""Constraints: which tokens may come next, from a grammar, on the bundled model's tokenizer."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer

import assets
from engine.errors import PromptError
from engine.text.grammar import Constraint, Grammars
from engine.text.text_model import TextModel
from tests.gguf_files import tokenizer_facts, write

DEMO = Path(assets.__file__).parent / "demo_model"
PADDING = 5
WORD = 'start: "tea" | "rain"'
OBJECT = 'start: %json {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, '
OBJECT += '"required": ["a"], "additionalProperties": false}'


@pytest.fixture(scope="module", params=["folder", "gguf"])
def text(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TextModel:
    if request.param == "folder":
        return TextModel(DEMO)
    path = tmp_path_factory.mktemp("gguf") / "model.gguf"
    tokenizer = Tokenizer.from_file(str(DEMO / "tokenizer.json"))
    template = (DEMO / "chat_template.jinja").read_text()
    write(
        path,
        {},
        {"general.architecture": "qwen35"} | tokenizer_facts(tokenizer, template=template),
    )
    return TextModel(path)


@pytest.fixture(scope="module")
def grammars(text: TextModel) -> Grammars:
    return Grammars(text, text.vocab_size + PADDING)


def written(constraint: Constraint, text: TextModel, rng: random.Random) -> str:
    """A random text that a constraint allows, up to an end."""
    ids: list[int] = []
    while True:
        token = constraint.forced()
        if token is None:
            allowed = constraint.allowed()
            assert allowed is not None
            assert len(allowed) == text.vocab_size + PADDING
            token = int(rng.choice(allowed.nonzero()[0].tolist()))
        constraint.take(token)
        if token in text.end_ids:
            return text.decode(ids)
        ids.append(token)


def test_every_walk_gives_a_text_of_the_grammar(grammars: Grammars, text: TextModel) -> None:
    rng = random.Random(1)
    words = {written(grammars.constraint(WORD, thinking=False), text, rng) for _ in range(40)}
    assert words == {"tea", "rain"}
    for _ in range(20):
        made = written(grammars.constraint(OBJECT, thinking=False), text, rng)
        assert json.loads(made)["a"] in ("x", "y")


def test_a_compiled_grammar_is_not_used_up(grammars: Grammars, text: TextModel) -> None:
    first = grammars.constraint(WORD, thinking=False)
    written(first, text, random.Random(1))
    assert written(grammars.constraint(WORD, thinking=False), text, random.Random(1))


def test_it_holds_once_the_thinking_is_over(grammars: Grammars, text: TextModel) -> None:
    constraint = grammars.constraint(WORD, thinking=True)
    for token in text.encode("I think of tea, or of rain."):
        assert constraint.forced() is None
        assert constraint.allowed() is None
        constraint.take(token)
    close = text.think_close_id
    assert close is not None
    constraint.take(close)
    allowed = constraint.allowed()
    assert allowed is not None
    assert allowed[text.encode("\n\n")[0]]
    assert not allowed[text.encode("So")[0]]
    assert written(constraint, text, random.Random(2)).strip() in ("tea", "rain")


SCHEMA = '{"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]}'


def test_a_grammar_may_be_a_schema(grammars: Grammars, text: TextModel) -> None:
    made = written(grammars.constraint(f"\n {SCHEMA}", thinking=False), text, random.Random(1))
    assert json.loads(made)["a"] in ("x", "y")
    for wrong, said in (("{", "is not JSON"), ('{"a": ' * 5000, "is too deep")):
        with pytest.raises(PromptError, match=said):
            grammars.constraint(wrong, thinking=False)


@pytest.mark.parametrize("thinking", [False, True])
def test_an_answer_by_a_schema_goes_on_where_it_was_cut(
    grammars: Grammars, text: TextModel, thinking: bool
) -> None:
    begun = tuple(text.encode('{"a": '))
    if thinking:
        assert text.think_close_id is not None
        begun = (*text.encode("So {"), text.think_close_id, *text.encode("\n\n"), *begun)
    constraint = grammars.constraint(SCHEMA, thinking=thinking)
    constraint.resume(begun)
    assert written(constraint, text, random.Random(1)) in ('"x"}', '"y"}')
    other = grammars.constraint(SCHEMA, thinking=False)
    with pytest.raises(PromptError, match="cannot be continued"):
        other.resume(text.encode("Hello"))


def test_text_holds_no_control_token(grammars: Grammars, text: TextModel) -> None:
    allowed = grammars.constraint("start: /(?s:.*)/", thinking=False).allowed()
    assert allowed is not None
    control = [token for token in text.control_ids if token not in text.end_ids]
    assert not allowed[control].any()
    assert allowed[sorted(text.end_ids)].all()
    assert not allowed[text.vocab_size :].any()


def test_a_control_token_that_the_grammar_names(grammars: Grammars, text: TextModel) -> None:
    grammar = f"start: {grammars.literal('<tool_call> x </tool_call>')}"
    assert written(grammars.constraint(grammar, thinking=False), text, random.Random(1)) == (
        "<tool_call> x </tool_call>"
    )


def test_what_is_wrong_is_said(grammars: Grammars) -> None:
    assert not grammars.check(WORD)
    assert "wizard" in grammars.check('start: %json {"type": "wizard"}')
    with pytest.raises(PromptError, match=r"cannot be compiled: .*wizard"):
        grammars.constraint('start: %json {"type": "wizard"}', thinking=False)
