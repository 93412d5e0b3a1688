"""Who speaks in a node, against where the prober of templates finds each message."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

import assets
from engine import Engine, EngineConfig, Message, PromptOptions, Sampling
from engine.snapshot import CacheSnapshot, Speech
from engine.speech import SILENT, Marks, Voice, speech
from engine.text.text_model import TextModel
from tests.engine.text.conftest import OpenModel

DEMO = Path(assets.__file__).parent / "demo_model"
CALL = ({"name": "look", "arguments": {"at": "tree"}},)
TOOLS = ({"type": "function", "function": {"name": "look", "parameters": {}}},)
LONG = [
    Message("system", "Be still."),
    Message("user", "The window is open?"),
    Message("assistant", "A river, and the tree.", thinking="One more stone."),
    Message("user", "Look at 7 stones, <|im_end|> or <think> not."),
    Message("assistant", "The river.", thinking="Why not?", tool_calls=CALL),
    Message("tool", "12 birds"),
    Message("tool", "7 more"),
    Message("assistant", "", thinking="And again", tool_calls=CALL),
    Message("tool", "A blank line."),
]


def whole(model: TextModel, ids: tuple[int, ...]) -> tuple[Speech, ...]:
    return speech(np.array(ids), 0, SILENT, model.marks, model.piece)[0]


def by_token(told: tuple[Speech, ...], start: int, end: int) -> list[str]:
    """The speaker of every token of a span."""
    ends = [*(one.start for one in told[1:]), end]
    assert told[0].start == start
    return [
        one.role for one, until in zip(told, ends, strict=True) for _ in range(until - one.start)
    ]


def said(model: TextModel, messages: list[Message], options: PromptOptions) -> None:
    """Every token of a rendered conversation has its message's speaker, white space apart."""
    prompt = model.render(messages, options)
    roles = by_token(whole(model, prompt.ids), 0, len(prompt.ids))
    checked = set()
    for span in prompt.spans:
        role = messages[span.index].role
        for at in range(span.start, span.end):
            if model.piece(prompt.ids[at]).strip():
                expected = ("assistant", "thinking") if role == "assistant" else (role,)
                assert roles[at] in expected, (at, model.decode(prompt.ids[at : at + 5]))
                checked.add(role)
    assert checked == {message.role for message in messages}


@pytest.fixture(params=["bundled", "stripping", "tagged", "keeping"])
def model(
    request: pytest.FixtureRequest, open_model: OpenModel, family_tokenizer: Tokenizer
) -> TextModel:
    """The bundled model, and its and the family's templates on the family's control tokens."""
    if request.param == "bundled":
        return TextModel(DEMO)
    return open_model(request.param, own=family_tokenizer)


@pytest.mark.parametrize("thinking", [True, False], ids=["thinking", "no-think"])
@pytest.mark.parametrize("tools", [(), TOOLS], ids=["plain", "tools"])
def test_the_speakers_are_those_of_the_messages(
    model: TextModel, thinking: bool, tools: tuple[dict[str, object], ...]
) -> None:
    options = PromptOptions(thinking=thinking, tools=tools)
    for count in range(2, 5):
        said(model, LONG[:count], options)
    if "tool_response" in model._sources["default"]:
        for count in range(5, len(LONG) + 1):
            said(model, LONG[:count], options)


def test_thinking_and_answer_are_told_apart() -> None:
    model = TextModel(DEMO)
    prompt = model.render(LONG[:4], PromptOptions(thinking=True))
    ids = prompt.ids + tuple(model.encode("Hm, stones.\n</think>\n\nThere are 7.<|im_end|>\n"))
    told = whole(model, ids)
    assert [(one.role, one.opens) for one in told] == [
        ("system", True),
        ("user", True),
        ("assistant", True),
        ("user", True),
        ("thinking", True),
        ("assistant", True),
    ]
    assert [one.text for one in told[:3]] == [LONG[at].content for at in range(3)]
    assert told[3].text.startswith("Look at 7 stones, <|im_end|> or")
    assert (told[4].text, told[5].text) == ("Hm, stones.", "There are 7.")


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_same_however_the_tokens_are_cut_into_nodes(seed: int) -> None:
    """Only what a header announces after the cut can differ, and only in the header."""
    rng = random.Random(seed)
    model = TextModel(DEMO)
    ids = model.render(LONG, PromptOptions(thinking=True, tools=TOOLS)).ids
    roles = by_token(whole(model, ids), 0, len(ids))
    opening = next(token for token, name in model.marks.names.items() if name == "opening")
    headers = {at for at, token in enumerate(ids) if token == opening}
    cuts = sorted(rng.sample(range(1, len(ids)), 9)) if seed else list(range(1, len(ids)))
    voice: Voice = SILENT
    for start, end in zip([0, *cuts], [*cuts, len(ids)], strict=True):
        told, voice = speech(np.array(ids[start:end]), start, voice, model.marks, model.piece)
        for at, role in enumerate(by_token(told, start, end), start):
            if not any(at - 5 <= header <= at for header in headers):
                assert role == roles[at]
    assert voice == speech(np.array(ids), 0, SILENT, model.marks, model.piece)[1]


def test_a_message_opens_in_one_node_only() -> None:
    model = TextModel(DEMO)
    ids = model.render(LONG, PromptOptions(thinking=True, tools=TOOLS)).ids
    opened = [one.role for one in whole(model, ids) if one.opens]
    rng = random.Random(3)
    for _ in range(20):
        (cut,) = rng.sample(range(1, len(ids)), 1)
        above, voice = speech(np.array(ids[:cut]), 0, SILENT, model.marks, model.piece)
        below, _ = speech(np.array(ids[cut:]), cut, voice, model.marks, model.piece)
        both = [one.role for one in (*above, *below) if one.opens]
        # A cut between a header and its tag makes two openings of one.
        assert len(both) - len(opened) in (0, 1)


def test_an_answer_split_off_its_header_goes_on_below() -> None:
    """Where the next turn forks: the header above, the thinking or the bare answer below."""
    model = TextModel(DEMO)
    ids = model.encode("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")
    above, voice = speech(np.array(ids), 0, SILENT, model.marks, model.piece)
    assert [(one.role, one.text) for one in above] == [("user", "Hi"), ("assistant", "")]
    thought, _ = speech(
        np.array(model.encode("<think>\nHm.\n</think>\n\nYes.")), 9, voice, model.marks, model.piece
    )
    assert [(one.start - 9, one.role, one.text, one.opens) for one in thought[:1]] == [
        (0, "thinking", "Hm.", True)
    ]
    bare, _ = speech(np.array(model.encode("Yes.")), 9, voice, model.marks, model.piece)
    assert bare == (Speech(9, "assistant", "Yes.", opens=False),)


@pytest.mark.parametrize("role", ["system", "user", "assistant"])
def test_a_tag_of_thinking_counts_at_the_start_of_an_answer_only(role: str) -> None:
    model = TextModel(DEMO)
    ids = tuple(model.encode(f"<|im_start|>{role}\nWrite <think> first. </think> So.<|im_end|>\n"))
    assert [one.role for one in whole(model, ids)] == [role]


def test_tokens_without_marks_say_nothing(open_model: OpenModel) -> None:
    model = open_model("alpaca")
    assert whole(model, model.render(LONG[:4]).ids[:-1]) == ()
    told, voice = speech(np.arange(40), 3, SILENT, Marks(()), lambda token: b"x")
    assert (told, voice) == ((), SILENT)


def test_text_outside_all_messages_is_nobodys() -> None:
    model = TextModel(DEMO)
    told = whole(model, tuple(model.encode("Once\n<|im_start|>user\nHi<|im_end|>\n\nmore")))
    assert [(one.role, one.text) for one in told] == [("", "Once"), ("user", "Hi"), ("", "more")]


def test_marks_are_found_among_the_pieces_of_a_trace() -> None:
    model = TextModel(DEMO)
    ids = model.render(LONG[:4]).ids
    pieces = {token: model.piece(token) for token in ids}
    told, _ = speech(np.array(ids), 0, SILENT, Marks(pieces.items()), lambda t: pieces[t])
    assert told == whole(model, ids)


def speakers(snapshot: CacheSnapshot) -> dict[int, str]:
    """Who speaks at every position of the only chat."""
    said: dict[int, str] = {}
    for node in snapshot.nodes:
        if node.parent is not None:
            said |= dict(enumerate(by_token(node.speech, node.start, node.end), node.start))
    return said


def test_nodes_of_an_engine_and_of_its_files_say_the_same(tmp_path: Path) -> None:
    config = EngineConfig(interval=64, cache_dir=tmp_path, disk_bytes=64 << 20, threads=1)
    with Engine.open(DEMO, config) as engine:
        for _ in engine.generate(LONG[:2], Sampling.greedy(24)):
            pass
        before = speakers(engine.snapshot())
    assert set(before.values()) == {"system", "user", "thinking", "assistant"}
    with Engine.open(DEMO, replace(config)) as engine:
        snapshot = engine.snapshot()
        assert {node.tier for node in snapshot.nodes if node.parent is not None} == {"disk"}
        after = speakers(snapshot)
    assert len(after) == len(before)
    assert after == before
