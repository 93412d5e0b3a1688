"""Continuing an answer with the bundled model: in two parts it is the answer in one go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import assets
from engine import Engine, EngineConfig, Message, PromptOptions, Sampling, events
from engine.api import RequestEvents
from engine.config import Mode
from engine.errors import PromptError
from engine.run.verify import compare

DEMO = Path(assets.__file__).parent / "demo_model"
ASK = (
    Message("system", "You are kind."),
    Message("user", "Tell me what a checkpoint in Biplane is."),
)
NAME = (
    Message("user", "Hi! My name is 東京."),
    Message("assistant", "Hello, 東京."),
    Message("user", "What is my name?"),
)
# Of float32 logits; the bundled model's own bfloat16 rounds more than that.
BOUND = 1e-4
THINKING = pytest.mark.parametrize("thinking", [True, False], ids=["thinking", "no-think"])


@pytest.fixture(scope="module", params=["fast", "exact"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    mode: Mode = request.param
    with Engine.open(DEMO, EngineConfig(mode=mode, interval=64, dtype="float32")) as opened:
        yield opened
        opened.check_invariants()


@pytest.fixture(scope="module")
def fast() -> Iterator[Engine]:
    with Engine.open(DEMO, EngineConfig(interval=64)) as opened:
        yield opened
        opened.check_invariants()


def ask(
    engine: Engine,
    messages: Sequence[Message],
    sampling: Sampling,
    options: PromptOptions,
    *,
    reuse: bool = True,
) -> tuple[events.RequestFinished, dict[str, str]]:
    """The end of a request, and the text it showed by channel."""
    *said, last = engine.generate(messages, sampling, options, reuse=reuse)
    assert isinstance(last, events.RequestFinished), last
    shown = {"thinking": "", "answer": ""}
    for event in said:
        if isinstance(event, events.TextDelta):
            shown[event.channel] += event.text
    return last, shown


def as_message(said: events.RequestFinished) -> Message:
    return Message("assistant", said.text, said.thinking, token_ids=said.token_ids)


def going_on(options: PromptOptions) -> PromptOptions:
    return replace(options, continues=True)


def head_of(engine: Engine, messages: Sequence[Message], options: PromptOptions) -> int:
    """Tokens of the prompt that the answer was given to."""
    return engine.on_core(lambda core: len(core.prompt_ids(tuple(messages), options)))


def next_turn(engine: Engine, messages: Sequence[Message], options: PromptOptions) -> int:
    """Where the prompt of the next turn will diverge: just before the answer."""
    anchors = engine.on_core(lambda core: core.text.render(messages, options).anchors)
    return next(anchor.position for anchor in anchors if anchor.kind == "next turn")


@THINKING
@pytest.mark.parametrize("tokens", [1, 7, 13, 20, 33])
def test_two_halves_are_the_answer_in_one_go(engine: Engine, tokens: int, thinking: bool) -> None:
    options = PromptOptions(thinking)
    whole, _ = ask(engine, ASK, Sampling.greedy(2 * tokens), options, reuse=False)
    engine.drop_cache()
    half, first = ask(engine, ASK, Sampling.greedy(tokens), options)
    begun = (*ASK, as_message(half))
    for reuse in (True, False):
        more, added = ask(engine, begun, Sampling.greedy(tokens), going_on(options), reuse=reuse)
        assert more.token_ids == whole.token_ids
        assert (more.thinking, more.text) == (whole.thinking, whole.text)
        assert first["thinking"] + added["thinking"] == whole.thinking
        assert first["answer"] + added["answer"] == whole.text
        assert more.report.generated == len(whole.token_ids) - len(half.token_ids)
        assert more.stop == whole.stop
    cached = engine.logits(begun, options=going_on(options))
    cold = engine.logits(begun, reuse=False, options=going_on(options))
    assert cached.reused > 0
    if engine.on_core(lambda core: core.tuning.config.mode) == "exact":
        assert torch.equal(cached.logits, cold.logits)
    assert compare(cached.logits, cold.logits).relative <= BOUND


@THINKING
def test_a_wrong_state_would_be_noticed(engine: Engine, thinking: bool) -> None:
    options = PromptOptions(thinking)
    whole, _ = ask(engine, ASK, Sampling.greedy(26), options, reuse=False)
    engine.drop_cache()
    half, _ = ask(engine, ASK, Sampling.greedy(13), options)
    assert engine.on_core(lambda core: core.store.spoil_states()) > 0
    begun = (*ASK, as_message(half))
    cached = engine.logits(begun, options=going_on(options))
    cold = engine.logits(begun, reuse=False, options=going_on(options))
    assert cached.reused > 0
    assert compare(cached.logits, cold.logits).relative > 10 * BOUND
    more, _ = ask(engine, begun, Sampling.greedy(13), going_on(options))
    assert more.report.plan.reused > 0
    if cached.replayed == 0:
        # After the replay of all that was decoded, the choice of tokens may have recovered.
        assert more.token_ids != whole.token_ids
    engine.drop_cache()


class TestWhatIsProcessed:
    """Only the tokens for which the tree has no state."""

    @THINKING
    def test_of_an_answer_cut_by_its_length_the_last_token(
        self, fast: Engine, thinking: bool
    ) -> None:
        fast.drop_cache()
        options = PromptOptions(thinking)
        half, _ = ask(fast, ASK, Sampling.greedy(13), options)
        assert half.stop == "length"
        begun = (*ASK, as_message(half))
        head = head_of(fast, ASK, options)
        asked = fast.probe(begun, going_on(options))
        # The last sampled token was shown, but never applied.
        assert (asked.reused, asked.replayed, asked.computed) == (head + 12, 0, 1)
        more, _ = ask(fast, begun, Sampling.greedy(13), going_on(options))
        plan = more.report.plan
        assert (plan.total, plan.reused, plan.replayed, plan.computed) == (
            head + 13,
            head + 12,
            0,
            1,
        )
        again, _ = ask(fast, (*ASK, as_message(more)), Sampling.greedy(5), going_on(options))
        assert again.report.plan.reused == head + 25
        assert again.report.plan.computed == 1

    def test_of_one_that_ended_nothing(self, fast: Engine) -> None:
        fast.drop_cache()
        said, _ = ask(fast, ASK, Sampling.greedy(200), PromptOptions())
        assert said.stop == "end"
        options = going_on(PromptOptions())
        more, shown = ask(fast, (*ASK, as_message(said)), Sampling.greedy(20), options)
        plan = more.report.plan
        assert (plan.replayed, plan.computed) == (0, 0)
        assert plan.reused == head_of(fast, ASK, PromptOptions()) + len(said.token_ids)
        # The model goes on only if it wants to.
        assert (more.stop, more.report.generated) == ("end", 0)
        assert (more.text, more.token_ids, shown["answer"]) == (said.text, said.token_ids, "")
        fast.drop_cache()
        on = replace(Sampling.greedy(20), ignore_end=True)
        more, shown = ask(fast, (*ASK, as_message(said)), on, options)
        assert more.report.generated == 20
        assert more.text == said.text + shown["answer"]

    def test_in_exact_mode_what_was_decoded(self) -> None:
        with Engine.open(DEMO, EngineConfig(mode="exact", interval=64)) as exact:
            half, _ = ask(exact, ASK, Sampling.greedy(13), PromptOptions())
            head = head_of(exact, ASK, PromptOptions())
            begun = (*ASK, as_message(half))
            turn = next_turn(exact, ASK, PromptOptions())
            plan = exact.probe(begun, going_on(PromptOptions()))
            # The KV of the first twelve is known, but decode wrote it.
            assert (plan.reused, plan.replayed, plan.computed) == (turn, head - turn + 12, 1)

    @THINKING
    def test_another_answer_after_a_cold_one_that_went_on(
        self, fast: Engine, thinking: bool
    ) -> None:
        """As after a restart: all but the thinking block that the prompt opens is reused."""
        options = PromptOptions(thinking)
        half, _ = ask(fast, ASK, Sampling.greedy(13), options)
        fast.drop_cache()
        ask(fast, (*ASK, as_message(half)), Sampling.greedy(5), going_on(options))
        plan = fast.probe(ASK, options)
        turn = next_turn(fast, ASK, options)
        assert (plan.reused, plan.replayed) == (turn, plan.total - turn)
        assert plan.replayed <= 4

    def test_the_next_turn_goes_on_from_the_whole_answer(self, fast: Engine) -> None:
        fast.drop_cache()
        half, _ = ask(fast, NAME, Sampling.greedy(9), PromptOptions())
        begun = (*NAME, as_message(half))
        more, _ = ask(fast, begun, Sampling.greedy(30), going_on(PromptOptions()))
        following = (*NAME, as_message(more), Message("user", "Thanks!"))
        prompt = fast.on_core(lambda core: core.text.render(following))
        assert prompt.edited == prompt.retokenised == ()
        text = ",".join(map(str, prompt.ids))
        assert ",".join(map(str, more.token_ids)) in text


def test_after_a_restart_it_goes_on_from_disk(tmp_path: Path) -> None:
    """As when a window quits in the middle of an answer."""
    config = EngineConfig(cache_dir=tmp_path, disk_bytes=64 << 20)
    with Engine.open(DEMO, config) as first:
        whole, _ = ask(first, ASK, Sampling.greedy(26), PromptOptions(), reuse=False)
        half, _ = ask(first, ASK, Sampling.greedy(13), PromptOptions())
        head = head_of(first, ASK, PromptOptions())
    with Engine.open(DEMO, config) as second:
        more, _ = ask(second, (*ASK, as_message(half)), Sampling.greedy(13), _ON)
        plan = more.report.plan
        assert (plan.reused, plan.replayed, plan.computed) == (head + 12, 0, 1)
        assert plan.state is not None
        assert plan.state.tier == "disk"
        assert more.token_ids == whole.token_ids


class TestWhereItWasCut:
    @THINKING
    def test_at_every_token_of_a_text_of_many_bytes(self, fast: Engine, thinking: bool) -> None:
        options = PromptOptions(thinking)
        whole, _ = ask(fast, NAME, Sampling.greedy(60), options)
        assert whole.stop == "end"
        assert "東京" in whole.thinking + whole.text
        decode = fast.on_core(lambda core: core.text.decode)
        halves = 0
        for tokens in range(1, len(whole.token_ids)):
            half, first = ask(fast, NAME, Sampling.greedy(tokens), options)
            assert half.token_ids == whole.token_ids[:tokens]
            assert "\ufffd" not in half.text + half.thinking
            halves += decode(half.token_ids).endswith("\ufffd")
            begun = (*NAME, as_message(half))
            more, added = ask(fast, begun, Sampling.greedy(60), going_on(options))
            assert more.token_ids == whole.token_ids
            assert first["thinking"] + added["thinking"] == more.thinking == whole.thinking
            assert first["answer"] + added["answer"] == more.text == whole.text
        assert halves >= 4, "no cut was inside a character"

    def test_by_the_user(self, fast: Engine) -> None:
        whole, _ = ask(fast, ASK, Sampling.greedy(40), PromptOptions())
        stream = fast.generate(ASK, Sampling.greedy(40))
        seen = 0
        while seen < 5:
            seen += isinstance(next(stream), events.TextDelta)
        half = _cancelled(stream)
        assert 5 <= len(half.token_ids) < 40
        more, _ = ask(fast, (*ASK, as_message(half)), Sampling.greedy(40), _ON)
        assert more.token_ids[: len(whole.token_ids)] == whole.token_ids

    def test_by_a_stop_string(self, fast: Engine) -> None:
        whole, _ = ask(fast, ASK, Sampling.greedy(200), PromptOptions())
        stop = " " + whole.text.split()[5]
        sampling = replace(Sampling.greedy(200), stop=(stop,))
        half, _ = ask(fast, ASK, sampling, PromptOptions())
        assert half.stop == "stop string"
        begun = (*ASK, as_message(half))
        again, shown = ask(fast, begun, sampling, _ON)
        assert (again.stop, again.text, shown["answer"]) == ("stop string", half.text, "")
        more, _ = ask(fast, begun, Sampling.greedy(200), _ON)
        assert more.text == whole.text

    def test_inside_a_stop_string(self, fast: Engine) -> None:
        whole, _ = ask(fast, ASK, Sampling.greedy(200), PromptOptions())
        decode = fast.on_core(lambda core: core.text.decode)
        stop = decode(whole.token_ids[8:11])
        assert whole.text.count(stop) == 1
        sampling = replace(Sampling.greedy(200), stop=(stop,))
        one_go, _ = ask(fast, ASK, sampling, PromptOptions())
        half, _ = ask(fast, ASK, replace(sampling, max_tokens=10), PromptOptions())
        assert (half.stop, half.text) == ("length", decode(whole.token_ids[:10]))
        more, shown = ask(fast, (*ASK, as_message(half)), sampling, _ON)
        assert more.stop == one_go.stop == "stop string"
        assert (more.text, more.token_ids) == (one_go.text, one_go.token_ids)
        assert shown["answer"] == ""


@pytest.mark.parametrize(
    "penalised",
    [Sampling(presence_penalty=20.0), Sampling(repetition_penalty=2.0)],
    ids=["presence", "repetition"],
)
def test_penalties_count_what_was_said_before(engine: Engine, penalised: Sampling) -> None:
    one_go = replace(penalised, temperature=0.0, max_tokens=40, ignore_end=True)
    whole, _ = ask(engine, ASK, one_go, PromptOptions(), reuse=False)
    half, _ = ask(engine, ASK, replace(one_go, max_tokens=20), PromptOptions())
    begun = (*ASK, as_message(half))
    more, _ = ask(engine, begun, replace(one_go, max_tokens=20), _ON)
    assert more.token_ids == whole.token_ids
    plain = replace(Sampling.greedy(20), ignore_end=True)
    without, _ = ask(engine, begun, plain, _ON)
    assert without.token_ids != whole.token_ids


class TestText:
    def test_without_ids_it_goes_on_from_the_text(self, fast: Engine) -> None:
        whole, _ = ask(fast, ASK, Sampling.greedy(200), PromptOptions(thinking=True))
        text = " ".join(whole.text.split(" ")[:8])
        begun = (*ASK, Message("assistant", text, whole.thinking))
        more, shown = ask(fast, begun, Sampling.greedy(200), PromptOptions(True, continues=True))
        assert (more.thinking, shown["thinking"]) == (whole.thinking, "")
        assert more.text == text + shown["answer"] == whole.text
        spelt = fast.on_core(lambda core: core.text.decode(more.token_ids))
        assert spelt.endswith(more.text)

    def test_a_thought_goes_on(self, fast: Engine) -> None:
        whole, _ = ask(fast, ASK, Sampling.greedy(200), PromptOptions(thinking=True))
        thought = " ".join(whole.thinking.split(" ")[:4])
        begun = (*ASK, Message("assistant", "", thought))
        more, shown = ask(fast, begun, Sampling.greedy(200), PromptOptions(True, continues=True))
        assert more.thinking == thought + shown["thinking"] == whole.thinking
        assert more.text == shown["answer"] == whole.text


class TestRefusal:
    @pytest.mark.parametrize(
        ("prompt", "words"),
        [
            (ASK, "the last message is not the assistant's"),
            ((*ASK, Message("assistant", "")), "nothing to continue"),
            ((5, 6, 7), "token ids"),
            ((), "empty"),
        ],
        ids=["question", "no text", "ids", "nothing"],
    )
    def test_in_a_sentence(
        self, fast: Engine, prompt: tuple[Message, ...] | tuple[int, ...], words: str
    ) -> None:
        *_, last = fast.generate(prompt, Sampling.greedy(4), _ON)
        assert isinstance(last, events.RequestFailed)
        assert words in last.sentence
        with pytest.raises(PromptError, match=words):
            fast.probe(prompt, _ON)

    def test_one_that_is_longer_than_the_context(self) -> None:
        with Engine.open(DEMO, EngineConfig(context=64)) as small:
            half, _ = ask(small, ASK, Sampling.greedy(200), PromptOptions(thinking=True))
            assert half.stop == "context"
            begun = (*ASK, as_message(half))
            *_, last = small.generate(
                begun, Sampling.greedy(4), PromptOptions(True, continues=True)
            )
            assert isinstance(last, events.RequestFailed)
            assert "the context holds only 64" in last.sentence


_ON = PromptOptions(continues=True)


def _cancelled(stream: RequestEvents) -> events.RequestFinished:
    """The end of a request that is cancelled now."""
    stream._cancel()
    last = list(stream)[-1]
    assert isinstance(last, events.RequestFinished)
    return last
