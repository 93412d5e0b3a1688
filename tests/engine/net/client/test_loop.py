"""Chat with a server on a real socket: the events are those that our own engine would send."""

from __future__ import annotations

import time

import pytest

from engine import events
from engine.commands import Cancel, Forget, Tune
from engine.message import PromptOptions
from engine.net.client.exchange import Patience
from engine.net.client.loop import MOST_AT_ONCE
from engine.reuse import Reason
from tests.engine.net.client.client import Connect
from tests.engine.net.client.server import (
    MODEL,
    Reply,
    Server,
    as_json,
    echo,
    end_events,
    event,
    free_port,
    models,
    raw_server,
    serving,
    stream,
    text_event,
    usage,
)

_OWN = {
    "replayed": 30,
    "reason": Reason.NO_CHECKPOINT.value,
    "detail": "It was never taken.",
    "divergence": None,
}


class TestChat:
    def test_an_answer_streams(self, connect: Connect) -> None:
        with serving() as server:
            client = connect(server.url)
            model = client.ready()
            client.say("hello", "there", "you")
            done = client.end()
        assert model.name == MODEL
        assert model.folder == f"{server.url}/v1#{MODEL}"
        assert [d.text for d in client.deltas] == ["You", " said", " you."]
        assert [d.tokens for d in client.deltas] == [1, 2, 3]
        assert (done.text, done.stop) == ("You said you.", "end")
        plan = done.report.plan
        assert (plan.total, plan.reused, plan.computed, plan.unknown) == (3, 2, 1, 0)
        assert plan.reason is Reason.NOT_REPORTED
        assert done.report.generated == 3
        assert done.report.first_token_s is not None
        sequence = [e.seq for e in client.told]
        assert sequence == list(range(1, len(sequence) + 1))

    def test_what_is_asked(self, connect: Connect) -> None:
        with serving() as server:
            client = connect(server.url, token="secret-token").asked(
                "hello", temperature=0.5, top_p=0.9, max_tokens=7, seed=3, stop=("x",)
            )
            client.end()
        asked = server.asked[0]
        assert asked == {
            "model": MODEL,
            "messages": [{"role": "user", "content": "hello"}],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0.5,
            "top_p": 0.9,
            "max_tokens": 7,
            "seed": 3,
            "stop": ["x"],
        }
        assert all(head["Authorization"] == "Bearer secret-token" for head in server.heads)

    def test_without_a_token_none_is_sent(self, connect: Connect) -> None:
        with serving() as server:
            connect(server.url).ready()
        assert "Authorization" not in server.heads[0]

    @pytest.mark.parametrize(
        ("owner", "program", "penalty", "all_k"),
        [
            ("llamacpp", "llama-server", "repeat_penalty", 0),
            ("vllm", "vLLM", "repetition_penalty", -1),
            ("sglang", "SGLang", "repetition_penalty", -1),
            ("biplane", "Biplane", "repetition_penalty", 0),
        ],
    )
    def test_engines_get_what_they_know(
        self, connect: Connect, owner: str, program: str, penalty: str, all_k: int
    ) -> None:
        with serving(listed=models(MODEL, owner=owner, max_model_len=4096)) as server:
            client = connect(server.url)
            model = client.ready()
            client.say("hello", options=PromptOptions(thinking=True), top_k=0)
            client.end()
        assert (model.remote, model.context) == (program, 4096)
        assert model.supports_thinking
        asked = server.asked[0]
        assert asked["chat_template_kwargs"] == {"enable_thinking": True}
        assert (asked[penalty], asked["top_k"]) == (1.0, all_k)

    def test_thinking_is_told_apart(self, connect: Connect) -> None:
        reply = stream(
            text_event("Hm", thinking=True),
            event({"choices": [{"delta": {"reasoning": "m."}}]}),
            text_event("Yes."),
            end_events(usage=usage(4, 3, 0)),
        )
        with serving(answer=lambda _: reply) as server:
            client = connect(server.url).asked("hello")
            done = client.end()
        assert (done.thinking, done.text) == ("Hmm.", "Yes.")
        assert [d.channel for d in client.deltas] == ["thinking", "thinking", "answer"]

    def test_thinking_that_the_server_does_not_tell_apart(self, connect: Connect) -> None:
        reply = stream(text_event("Hm.\n</think>"), text_event("\n\nYes."), end_events())
        with serving(answer=lambda _: reply) as server:
            client = connect(server.url).asked("hello")
            done = client.end()
        assert (done.thinking, done.text) == ("Hm.", "Yes.")

    def test_an_answer_is_continued(self, connect: Connect) -> None:
        reply = stream(text_event(" more"), end_events())
        with serving(answer=lambda _: reply, listed=models(MODEL, owner="vllm")) as server:
            client = connect(server.url).asked(
                "hello", "Once", options=PromptOptions(continues=True)
            )
            done = client.end()
        assert done.text == "Once more"
        assert server.asked[0]["continue_final_message"] is True
        assert server.asked[0]["messages"][-1] == {"role": "assistant", "content": "Once"}

    def test_where_that_cannot_be_asked(self, connect: Connect) -> None:
        with serving() as server:
            client = connect(server.url).asked(
                "hello", "Once", options=PromptOptions(continues=True)
            )
            assert "cannot be continued" in client.fails()
        assert not server.asked

    def test_the_limit_that_was_asked_for(self, connect: Connect) -> None:
        with serving(answer=lambda _: stream(text_event("a"), end_events("length"))) as server:
            client = connect(server.url).asked("hello")
            assert client.end().stop == "length"

    def test_a_server_that_does_not_stream(self, connect: Connect) -> None:
        whole = {
            "choices": [{"message": {"content": "All of it."}, "finish_reason": "stop"}],
            "usage": usage(5, 3, 5),
        }
        with serving(answer=lambda _: as_json(whole)) as server:
            client = connect(server.url).asked("hello")
            done = client.end()
        assert done.text == "All of it."
        assert done.report.plan.reused == 5

    def test_many_at_once(self, connect: Connect) -> None:
        with serving() as server:
            client = connect(server.url)
            client.ready()
            for number in range(3 * MOST_AT_ONCE):
                client.say(f"question {number}", number=number)
            for number in range(3 * MOST_AT_ONCE):
                assert client.end(number).text == f"You said question {number}."


class TestReuse:
    """What is known of the cache, and what is not."""

    @pytest.mark.parametrize("told", [usage(40, 2, None), {**usage(40, 2, None), "x": 1}])
    def test_not_reported(self, connect: Connect, told: object) -> None:
        with serving(
            answer=lambda _: stream(text_event("a"), end_events(usage=told)),
            listed=models(MODEL, owner="vllm"),
        ) as server:
            client = connect(server.url).asked("hello")
            plan = client.end().report.plan
        assert (plan.total, plan.unknown, plan.reused, plan.computed) == (40, 40, 0, 0)
        assert "--enable-prompt-tokens-details" in plan.detail
        assert plan.reported_by == "vLLM"

    def test_null_is_not_zero(self, connect: Connect) -> None:
        told = {**usage(40, 2, None), "prompt_tokens_details": {"cached_tokens": None}}
        with serving(answer=lambda _: stream(text_event("a"), end_events(usage=told))) as server:
            client = connect(server.url).asked("hello")
            assert client.end().report.plan.unknown == 40

    def test_no_usage_at_all(self, connect: Connect) -> None:
        with serving(answer=lambda _: stream(text_event("a"), end_events())) as server:
            client = connect(server.url).asked("hello")
            done = client.end()
        assert done.report.plan.total == 0
        assert "reports neither" in done.report.plan.detail
        assert done.report.generated == 1

    def test_more_cached_than_there_was(self, connect: Connect) -> None:
        told = usage(4, 1, 99)
        with serving(answer=lambda _: stream(text_event("a"), end_events(usage=told))) as server:
            client = connect(server.url).asked("hello")
            plan = client.end().report.plan
        assert (plan.total, plan.reused, plan.computed) == (4, 4, 0)

    def test_llama_server_tells_while_it_reads(self, connect: Connect) -> None:
        def progress(done: int) -> bytes:
            told = {"total": 100, "cache": 60, "processed": done, "time_ms": 3}
            return event({"choices": [{"delta": {}}], "prompt_progress": told})

        timings = {"cache_n": 60, "prompt_n": 40, "predicted_n": 1, "predicted_per_second": 12.5}
        reply = stream(
            progress(60), progress(80), text_event("a"), end_events(usage={}, timings=timings)
        )
        with serving(answer=lambda _: reply, listed=models(MODEL, owner="llamacpp")) as server:
            client = connect(server.url).asked("hello")
            done = client.end()
        assert server.asked[0]["return_progress"] is True
        (started,) = [e for e in client.told if isinstance(e, events.RequestStarted)]
        assert (started.plan.total, started.plan.reused) == (100, 60)
        read = [(e.done, e.total) for e in client.told if isinstance(e, events.PrefillProgress)]
        assert read == [(0, 40), (20, 40)]
        plan = done.report.plan
        assert (plan.total, plan.reused, plan.computed) == (100, 60, 40)
        assert done.report.decode_tok_s == 12.5

    def test_biplane_tells_its_planes_apart(self, connect: Connect) -> None:
        told = {**usage(100, 1, 60), "biplane": _OWN}
        with serving(
            answer=lambda _: stream(text_event("a"), end_events(usage=told)),
            listed=models(MODEL, owner="biplane"),
        ) as server:
            client = connect(server.url).asked("hello")
            plan = client.end().report.plan
        assert (plan.reused, plan.replayed, plan.computed) == (60, 30, 10)
        assert plan.reason is Reason.NO_CHECKPOINT
        assert plan.detail == "It was never taken."


class TestStop:
    def test_stopping_closes_the_connection(self, connect: Connect) -> None:
        reply = stream(text_event("One"), text_event(" two"), 120.0)
        with serving(answer=lambda _: reply) as server:
            client = connect(server.url).asked("hello")
            client.until(lambda e: isinstance(e, events.TextDelta) and e.text == " two")
            began = time.monotonic()
            client.loop.post(Cancel(1))
            done = client.end()
            assert time.monotonic() - began < 60
            assert server.broken.wait(60)
        assert (done.stop, done.text) == ("cancelled", "One two")

    def test_stopping_while_the_server_is_silent(self, connect: Connect) -> None:
        with serving(answer=lambda _: stream(30.0)) as server:
            client = connect(server.url).asked("hello")
            client.until(lambda e: isinstance(e, events.RequestQueued))
            time.sleep(0.05)
            client.loop.post(Cancel(1))
            assert client.end().stop == "cancelled"

    def test_closing_ends_everything(self, connect: Connect) -> None:
        with serving(answer=lambda _: stream(text_event("One"), 30.0)) as server:
            client = connect(server.url).asked("hello")
            client.until(lambda e: isinstance(e, events.TextDelta))
            assert client.loop.close(60)
            assert client.end().stop == "cancelled"
            client.until(lambda e: isinstance(e, events.EngineClosed))
            client.say("again", number=2)
            assert "closed" in client.fails(2)

    def test_a_request_in_line_never_starts(self, connect: Connect) -> None:
        with serving(answer=lambda _: stream(30.0)) as server:
            client = connect(server.url)
            client.ready()
            for number in range(MOST_AT_ONCE + 1):
                client.say("hello", number=number)
            client.until(
                lambda e: isinstance(e, events.RequestQueued) and e.request == MOST_AT_ONCE
            )
            client.loop.post(Cancel(MOST_AT_ONCE))
            assert client.end(MOST_AT_ONCE).stop == "cancelled"
            assert client.loop.close(60)


class TestTrouble:
    """Each cause has its own sentence."""

    def test_nobody_listens(self, connect: Connect) -> None:
        assert "Nothing answers at" in connect(f"http://127.0.0.1:{free_port()}").failure()

    def test_a_name_that_is_none(self, connect: Connect) -> None:
        assert "cannot be found" in connect("http://no-such-host.invalid:1").failure()

    def test_a_wrong_token(self, connect: Connect) -> None:
        said = as_json({"error": {"message": "Incorrect key tok-123"}}, 401)
        with serving(listed=said) as server:
            sentence = connect(server.url, token="tok-123").failure()
        assert "refuses the token" in sentence
        assert "tok-123" not in sentence

    def test_no_token(self, connect: Connect) -> None:
        with serving(listed=as_json({}, 401)) as server:
            assert "asks for a token" in connect(server.url).failure()

    def test_a_wrong_path(self, connect: Connect) -> None:
        with serving() as server:
            sentence = connect(f"{server.url}/elsewhere").failure()
        assert "is not there (404)" in sentence

    @pytest.mark.parametrize(
        "reply",
        [
            Reply(200, "text/html", (b"<html>hello</html>",), whole=True),
            as_json({"hello": 1}),
            as_json([1]),
            as_json({"data": []}),
            as_json({"data": [{"id": 5}, 7]}),
        ],
    )
    def test_another_kind_of_server(self, connect: Connect, reply: Reply) -> None:
        with serving(listed=reply) as server:
            assert "not as an OpenAI-compatible server" in connect(server.url).failure()

    def test_something_that_speaks_no_http(self, connect: Connect) -> None:
        with raw_server(b"SSH-2.0-OpenSSH_9.6\r\n") as url:
            assert "does not speak HTTP" in connect(url).failure()

    def test_tls_where_there_is_none(self, connect: Connect) -> None:
        with raw_server(b"HTTP/1.1 400 Bad Request\r\n\r\n") as url:
            sentence = connect(url.replace("http://", "https://")).failure()
        assert "does not speak TLS" in sentence

    def test_sent_elsewhere(self, connect: Connect) -> None:
        moved = Reply(302, headers=(("Location", "https://other/v1"),), whole=True)
        with serving(listed=moved) as server:
            sentence = connect(server.url, token="t").failure()
        assert "a redirect to https://other/v1, which was not followed" in sentence
        assert server.paths == ["/v1/models"]

    def test_a_model_that_is_not_there(self, connect: Connect) -> None:
        with serving() as server:
            assert "does not serve big" in connect(server.url, model="big").failure()

    def test_a_server_that_is_still_loading(self, connect: Connect) -> None:
        reply = as_json({"error": {"message": "Loading model", "code": 503}}, 503)
        with serving(listed=reply) as server:
            assert "is not ready yet (Loading model)" in connect(server.url).failure()

    def test_a_server_that_says_nothing(self, connect: Connect) -> None:
        with serving(answer=lambda _: stream(text_event("One"), 3.0)) as server:
            client = connect(server.url, patience=Patience(connect_s=1, read_s=0.2)).asked("hello")
            assert "sent nothing for 0.2 s" in client.fails()
        assert [d.text for d in client.deltas] == ["One"]

    def test_it_dies_in_the_middle(self, connect: Connect) -> None:
        with serving(answer=lambda _: stream(text_event("One"), None)) as server:
            client = connect(server.url).asked("hello")
            assert "ended in the middle of the answer" in client.fails()
        assert [d.text for d in client.deltas] == ["One"]

    def test_a_stream_that_ends_without_its_end(self, connect: Connect) -> None:
        with serving(answer=lambda _: stream(text_event("One"))) as server:
            client = connect(server.url).asked("hello")
            assert "ended in the middle of the answer" in client.fails()

    def test_it_dies_before_the_answer(self, connect: Connect) -> None:
        with serving(answer=lambda _: stream(None)) as server:
            client = connect(server.url).asked("hello")
            assert "before the answer began" in client.fails()

    def test_a_request_that_is_refused(self, connect: Connect) -> None:
        reply = as_json({"error": {"message": "the context holds 4096 tokens."}}, 400)
        with serving(answer=lambda _: reply) as server:
            client = connect(server.url).asked("hello")
            sentence = client.fails()
            client.say("again", number=2)
            assert "error 400 (the context holds 4096 tokens)" in client.fails(2) == sentence

    def test_an_error_inside_the_stream(self, connect: Connect) -> None:
        reply = stream(text_event("One"), event({"error": {"message": "out of memory"}}))
        with serving(answer=lambda _: reply) as server:
            client = connect(server.url).asked("hello")
            assert "reports an error: out of memory." in client.fails()

    @pytest.mark.parametrize(
        "piece",
        [b"data: {\n\n", b"data: []\n\n", b"data: \xff\n\n", b'data: {"a": 1}\n\n', b"x" * 2000000],
    )
    def test_events_that_are_none(self, connect: Connect, piece: bytes) -> None:
        with serving(answer=lambda _: stream(text_event("One"), piece)) as server:
            client = connect(server.url).asked("hello")
            assert client.fails()

    def test_it_can_be_used_again(self, connect: Connect) -> None:
        """A failure is one request's: the next one finds the server as it is then."""
        server = Server(answer=lambda _: stream(None))
        with serving(server):
            client = connect(server.url).asked("hello")
            client.fails()
            server.answer = echo
            client.say("hello", number=2)
            assert client.end(2).text == "You said hello."


class TestElsewhere:
    """What only our own engine can do is answered, so that nobody waits."""

    def test_commands_of_our_own_engine(self, connect: Connect) -> None:
        with serving() as server:
            client = connect(server.url)
            client.ready()
            client.loop.post(Forget(3, ()))
            client.loop.post(Tune(4, interval=64))
            forgotten = client.until(lambda e: isinstance(e, events.Forgotten))
            tuned = client.until(lambda e: isinstance(e, events.Tuned))
        assert isinstance(forgotten, events.Forgotten)
        assert forgotten.sentence
        assert isinstance(tuned, events.Tuned)
        assert tuned.sentence
