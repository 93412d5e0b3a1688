"""The template sandbox gives what templates expect and stops what runs away."""

from __future__ import annotations

import gc
import threading
import time
import tracemalloc
from datetime import datetime
from typing import Any

import pytest

from engine.errors import ModelError, PromptError
from engine.message import Message, PromptOptions
from engine.text.sandbox import meter
from engine.text.template import ChatTemplate, as_template_message

OPTIONS = PromptOptions()
HELLO = [{"role": "user", "content": "Hi <&> 'é'"}]


def render(
    source: str,
    messages: list[dict[str, Any]] = HELLO,
    options: PromptOptions = OPTIONS,
    special: dict[str, str] | None = None,
    prompt: bool = False,
) -> str:
    return ChatTemplate(source, "chat_template.jinja", special or {}).render(
        messages, options, prompt
    )


class TestLanguage:
    def test_blocks_are_trimmed(self) -> None:
        assert render("{% if true %}\n  a\n  {% endif %}\nb") == "  a\nb"

    def test_loop_controls(self) -> None:
        source = "{% for i in range(9) %}{% if i == 1 %}{% continue %}{% endif %}"
        source += "{% if i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}"
        assert render(source) == "023"

    @pytest.mark.parametrize(
        ("source", "text"),
        [
            ("{% for i in [1, 2, 3] %}{{ loop.length }}{{ loop.last }} {% endfor %}", None),
            ("{% for i in [1, 2] %}{{ loop.previtem }}|{{ loop.nextitem }};{% endfor %}", None),
            ("{% for i in none_here %}x{% else %}empty{% endfor %}", "empty"),
            ("{% for k, v in {'b': 1, 'a': 2}.items() %}{{ k ~ v ~ '!' }}{% endfor %}", "b1!a2!"),
            ("{{ 'a' ~ 1 ~ none ~ ('b' ~ 'c') }}", "a1Nonebc"),
            ("{{ messages[0]['content'] | trim | length }}", "10"),
            ("{{ ['b', 'a'] | sort | join(', ') }}", "a, b"),
            ("{{ 'a-b'.split('-') | last }}{{ '%s!' % 'x' }}{{ '{}?'.format(1) }}", "bx!1?"),
            ("{{ 'abc'.replace('b', 'xx') }}{{ 'l\\nm' | indent(2) }}", "axxcl\n  m"),
            ("{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}{{ twice('ab') }}", "abab"),
            ("{% set ns = namespace(n=1) %}{% set ns.n = ns.n + 2 %}{{ ns.n }}", "3"),
            ("{{ messages | selectattr('role', 'equalto', 'user') | list | length }}", "1"),
            ("{{ bos_token }}{{ tools }}{{ enable_thinking }}", "<s>NoneFalse"),
            ("a{% generation %}b{% set x = 1 %}{% endgeneration %}c{{ x is defined }}", "abcFalse"),
        ],
    )
    def test_expressions(self, source: str, text: str | None) -> None:
        given = render(source, special={"bos_token": "<s>"})
        if text is None:
            from jinja2 import Environment

            text = Environment().from_string(source).render()
        assert given == text

    def test_tojson_is_plain(self) -> None:
        source = "{{ {'b': 'é<&>', 'a': [1]} | tojson }}{{ [1] | tojson(indent=1) }}"
        assert render(source) == '{"b": "é<&>", "a": [1]}[\n 1\n]'

    def test_the_date_is_there(self) -> None:
        assert render("{{ strftime_now('%Y') }}") == str(datetime.now().year)

    def test_messages_in_template_form(self) -> None:
        call = {"name": "look", "arguments": {"a": 1}}
        said = Message("assistant", "", thinking="hm", tool_calls=(call,), token_ids=(1,))
        assert as_template_message(said) == {
            "role": "assistant",
            "content": "",
            "reasoning_content": "hm",
            "tool_calls": [{"type": "function", "function": call}],
        }

    def test_tools_are_passed(self) -> None:
        options = PromptOptions(thinking=True, tools=({"type": "function", "z": 1, "a": 2},))
        source = "{{ tools[0] | tojson }}{{ enable_thinking }}"
        assert render(source, options=options) == '{"type": "function", "z": 1, "a": 2}True'

    def test_the_same_text_as_transformers_gives(
        self, templates: dict[str, str], chat: list[Message]
    ) -> None:
        utils = pytest.importorskip("transformers.utils.chat_template_utils")
        call = {"name": "look", "arguments": {"at": "é<"}}
        loop = [
            *chat,
            Message("assistant", "", thinking="so", tool_calls=(call, call)),
            Message("tool", "stone"),
            Message("tool", "tree"),
        ]
        tools = ({"name": "look", "parameters": {"type": "object"}},)
        for style in ("stripping", "chatml", "keeping", "alpaca"):
            for thinking in (False, True):
                fields = [as_template_message(message) for message in loop]
                theirs, _ = utils.render_jinja_template(
                    [fields],
                    tools=list(tools),
                    chat_template=templates[style],
                    add_generation_prompt=True,
                    enable_thinking=thinking,
                )
                options = PromptOptions(thinking=thinking, tools=tools)
                assert render(templates[style], fields, options, prompt=True) == theirs[0]


class TestErrors:
    def test_a_template_may_refuse_with_its_own_sentence(self) -> None:
        with pytest.raises(PromptError, match=r"refused: Roles must alternate\."):
            render("{{ raise_exception('Roles must alternate') }}")

    def test_a_failure_is_a_sentence(self) -> None:
        with pytest.raises(PromptError, match="chat template failed"):
            render("{{ 1 + 'a' }}")

    def test_bad_syntax_names_file_and_line(self) -> None:
        with pytest.raises(ModelError, match=r"chat_template.jinja is not valid: .*line 2"):
            render("a\n{% if %}")

    def test_a_template_of_megabytes_is_no_template(self) -> None:
        with pytest.raises(ModelError, match="longer than"):
            render("a" * 250_001)


HOSTILE = {
    "endless loop": "{% for a in range(99999) %}{% for b in range(99999) %}"
    "{% endfor %}{% endfor %}",
    "huge range": "{% for i in range(10 ** 9) %}{% endfor %}",
    "loop in macro": "{% macro f() %}{% for a in range(99999) %}{% for b in range(99999) %}"
    "{% endfor %}{% endfor %}{% endmacro %}{{ f() }}",
    "recursive macro": "{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}",
    "recursive loop": "{% for a in [1] recursive %}{{ loop([1, 2]) }}{% endfor %}",
    "repeated text": "{{ 'x' * 999999999 }}",
    "constant folding": "{% set x = 'x' * 999999999 %}",
    "doubling by plus": "{% set n = namespace(s='x') %}{% for i in range(64) %}"
    "{% set n.s = n.s + n.s %}{% endfor %}",
    "doubling by tilde": "{% set n = namespace(s='x') %}{% for i in range(64) %}"
    "{% set n.s = n.s ~ n.s %}{% endfor %}",
    "doubling by list": "{% set n = namespace(s=['x']) %}{% for i in range(64) %}"
    "{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s }}",
    "shared list as json": "{% set n = namespace(s=['x']) %}{% for i in range(64) %}"
    "{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s | tojson }}",
    "replace": "{% set a = 'x' * 9999 %}{% set b = a.replace('x', a) %}{{ b.replace('x', a) }}",
    "replace filter": "{% set a = 'x' * 9999 %}{{ a | replace('x', a) | replace('x', a) }}",
    "join": "{% set a = 'x' * 99999 %}{{ a.join(a) }}",
    "join filter": "{% set a = 'x' * 99999 %}{{ a | join(a) }}",
    "join of a lazy map": "{% set a = 'x' * 99999 %}{{ a.join(range(99999) | map('string')) }}",
    "center": "{{ 'x' | center(999999999) }}",
    "ljust": "{{ 'x'.ljust(999999999) }}",
    "zfill": "{{ 'x'.zfill(999999999) }}",
    "expandtabs": "{{ ('\\t' * 99999).expandtabs(99999) }}",
    "indent": "{{ ('\\n' * 99999) | indent(99999) }}",
    "format width": "{{ '{:999999999}'.format(1) }}",
    "format nested width": "{{ '{:{}}'.format(1, 999999999) }}",
    "percent width": "{{ '%999999999d' % 1 }}",
    "percent star": "{{ '%*d' % (999999999, 1) }}",
    "format filter": "{{ '%999999999d' | format(1) }}",
    "power": "{{ 9 ** 99999999 }}",
    "factorial": "{% set n = namespace(i=2 ** 4000) %}{% for i in range(99999) %}"
    "{% set n.i = n.i * n.i %}{% endfor %}",
    "endless output": "{% for a in range(99999) %}{% for b in range(99999) %}"
    "some text of the template itself{% endfor %}{% endfor %}",
    "batch": "{{ [1] | batch(999999999, 0) | list }}",
    "floor division": "{% set n = namespace(i=3) %}{% for i in range(40) %}"
    "{% set n.i = n.i * n.i %}{% endfor %}{{ n.i // 7 }}",
    "bytes": "{{ 'a'.encode().center(999999999) }}",
    "bytes of a number": "{{ (1).to_bytes(999999999, 'big') }}",
    "translate": "{{ 'a'.translate({97: 'b' * 99999}) }}",
    "odd format": "{{ '%999999999d' is odd }}",
    "divisible format": "{{ '%999999999d' is divisibleby 1 }}",
    "round": "{{ 5 | round(-999999999) }}",
    "round by a tuple": "{% set n = namespace(s=(1,)) %}{% for i in range(64) %}"
    "{% set n.s = (n.s, n.s) %}{% endfor %}{{ 5 | round(1, n.s) }}",
    "shared tuple as key": "{% set n = namespace(s=(1,)) %}{% for i in range(64) %}"
    "{% set n.s = (n.s, n.s) %}{% endfor %}{{ {n.s: 1} }}",
    "shared tuple looked up": "{% set n = namespace(s=(1,)) %}{% for i in range(64) %}"
    "{% set n.s = (n.s, n.s) %}{% endfor %}{{ n.s in {} }}",
    "shared lists compared": "{% set n = namespace(a=[1], b=[1]) %}{% for i in range(64) %}"
    "{% set n.a = [n.a, n.a] %}{% set n.b = [n.b, n.b] %}{% endfor %}{{ n.a == n.b }}{{ n.a }}",
    "namespace written": "{% set n = namespace(s=['x']) %}{% for i in range(64) %}"
    "{% set n.s = [n.s, n.s] %}{% endfor %}{{ n }}",
    "namespace called": "{% set n = namespace(s=['x']) %}{% for i in range(64) %}"
    "{% set n.s = [n.s, n.s] %}{% endfor %}{{ n.s() }}",
    "shared list as refusal": "{% set n = namespace(s=['x']) %}{% for i in range(64) %}"
    "{% set n.s = [n.s, n.s] %}{% endfor %}{{ raise_exception(n.s) }}",
    "sort": "{% set a = range(99999) | list %}{{ (a + a[::-1]) | sort }}",
    "unique": "{% for i in range(99999) %}{{ range(99999) | unique | list | length }}{% endfor %}",
    "title": "{{ ('a ' * 400000) | title }}",
    "wordwrap": "{{ ('a ' * 400000) | wordwrap(1) }}",
    "filter block": "{% for i in range(99999) %}{% filter replace('a', 'b' * 99999) %}a"
    "{% endfilter %}{% endfor %}",
    "search from the end": "{{ ('a' * 400000).rfind('ab' + 'a' * 200000) }}",
    "strip of many": "{{ ('a' * 400000).strip('b' * 400000 + 'a') }}",
    "arguments of a text": "{{ namespace(*('a' * 400000)) }}",
    "many large values": "{% set n = namespace(l=[]) %}{% for i in range(99999) %}"
    "{% set n.l = n.l + ['x' * 400000 ~ i] %}{% endfor %}",
    "nested lists": "{% set n = namespace(s=[]) %}{% for i in range(99999) %}"
    "{% set n.s = [n.s] %}{% endfor %}{{ n.s }}",
    "nested lists compared": "{% set n = namespace(a=(), b=()) %}{% for i in range(99999) %}"
    "{% set n.a = (n.a,) %}{% set n.b = (n.b,) %}{% endfor %}{{ n.a == n.b }}",
    "nested filters": "{% set n = namespace(s=[1]) %}{% for i in range(99999) %}"
    "{% set n.s = n.s | map('string') %}{% endfor %}{{ raise_exception('end') | int }}"
    "{{ 9 ** 99 }}",
    "call block": "{% macro m() %}{{ 'x' * 400000 }}{% endmacro %}"
    "{% for i in range(99) %}{% call m() %}{% endcall %}{% endfor %}",
    "many macros": "{% for i in range(99999) %}{% macro m() %}{% endmacro %}{% endfor %}",
    "json margin": "{{ 1 | tojson(indent=999999999) }}",
    "date": "{{ strftime_now('%Y' * 99999) }}",
}


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter.Meter.__init__, "__defaults__", (0.2, 1_000_000))


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_templates_end_soon_in_a_sentence(name: str) -> None:
    start = time.perf_counter()
    tracemalloc.start()
    try:
        with pytest.raises(PromptError, match=r"^The model's chat template (was stopped|failed)"):
            render(HOSTILE[name])
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    # Without limits each would run for hours, or until memory ends.
    assert time.perf_counter() - start < 30


HELD = {
    "one long loop": "{% for i in range(99999) %}{% for j in range(99999) %}"
    "{% endfor %}{% endfor %}",
    "long searches": "{% set a = 'a' * 7999999 %}{% for i in range(99999) %}"
    "{{ ('a' * 50 ~ 'b' ~ 'a' * 50) in a }}{% endfor %}",
    "long lists": "{% set a = range(99999) | list %}{% for i in range(99999) %}"
    "{{ a | reverse | map('string') | list | length }}{% endfor %}",
    "long JSON": "{% set a = 'a' * 3999900 %}{% for i in range(99999) %}"
    "{{ a | tojson | length }}{% endfor %}",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HELD)
def test_other_threads_run_while_a_template_does(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meter.Meter.__init__, "__defaults__", (0.5, 16_000_000))
    assert hold_s(HELD[name], PromptError) < 0.25


class Gaps:
    """A thread that does nothing but look at the clock, while Python's collector rests.

    A collection of all that the tests before have left is not the template's doing.

    Attributes:
        longest_s: the longest time it could not, in processor time of this program: what other
            programs take is not its own.
    """

    def __enter__(self) -> Gaps:
        gc.disable()
        self.longest_s = 0.0
        self._started, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        self._thread.join()
        gc.enable()

    def _look(self) -> None:
        last = time.process_time()
        self._started.set()
        while not self._stopped.wait(0.001):
            now = time.process_time()
            self.longest_s = max(self.longest_s, now - last)
            last = now


def hold_s(
    source: str, error: type[Exception] | tuple[type[Exception], ...], match: str | None = None
) -> float:
    """How long a template that fails holds up other threads; the least of three attempts.

    The machine may have paused the thread that looks, too, but hardly three times.
    """
    longest = []
    for _ in range(3):
        with Gaps() as gaps, pytest.raises(error, match=match):
            render(source)
        longest.append(gaps.longest_s)
    return min(longest)


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "{{ 10 ** 10 ** 8 }}",
        "{{ 1e999 }}",
        "{{ 0x" + "f" * 200_000 + " }}",
        "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
        "{{ " + "1 + " * 20_000 + "1 }}",
        "{% for a in [1] %}" * 30 + "{% endfor %}" * 30,
        "{% if a %}" * 200 + "{% endif %}" * 200,
        "{% if a %}" + "{% elif a %}" * 20_000 + "{% endif %}",
        "{{a}}" * 49_000,
        "{% macro f(x, x) %}{% endmacro %}",
        "".join(f"{{%macro m{i}()%}}{{%endmacro%}}" for i in range(7000)),
    ],
    ids=range(11),
)
def test_hostile_source_ends_soon_in_a_sentence(source: str) -> None:
    assert hold_s(source, (ModelError, PromptError), r"^The (model's )?chat templ") < 0.5


def test_an_ended_render_holds_no_values() -> None:
    """Not even until Python's collector comes, which runs in the window's thread alone."""
    source = "{% set big = 'x' * 7000000 %}{% macro f(n) %}{% macro g(n) %}{{ g is defined }}"
    source += "{{ big | length }}{% endmacro %}{{ g(1) }}{{ f is defined }}{% endmacro %}{{ f(1) }}"
    chat = ChatTemplate(source + "{{ none.x.y }}", "chat_template.jinja", {})
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        with pytest.raises(PromptError) as caught:
            chat.render(HELLO, OPTIONS)
        assert caught.value.__context__ is None
        assert tracemalloc.get_traced_memory()[1] > 7_000_000
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()
        gc.enable()


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("{{ 'a'.encode() }}", "'encode' of a str"),
        ("{{ (5).bit_length() }}", "'bit_length' of a int"),
        ("{{ messages.append(1) }}", "'append' of a list"),
        ("{{ 'a' | wordwrap }}", "filter 'wordwrap'"),
        ("{{ 'a' is happy }}", "test 'happy'"),
        ("{% include 'a' %}", "statement 'include'"),
        ("{% set a | urlize %}b{% endset %}", "filter 'urlize'"),
    ],
)
def test_what_is_not_offered_is_named(source: str, named: str) -> None:
    with pytest.raises(PromptError, match=f"it uses the {named}|it uses {named}"):
        render(source)
    # A branch that is not taken does not matter.
    assert render("{% if false %}" + source + "{% endif %}ok") == "ok"


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("text", ["x" * 9999, "{{ 'x' * 9999 }}", "{{ ['x' * 9999] }}"])
def test_output_is_limited_as_a_whole(text: str) -> None:
    assert len(render("{% for i in range(90) %}" + text + "{% endfor %}")) > 800_000
    with pytest.raises(PromptError, match="its output is too long"):
        render("{% for i in range(110) %}" + text + "{% endfor %}")


@pytest.mark.parametrize(
    "source",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ messages.__class__.__base__.__subclasses__() }}",
        "{{ raise_exception.__globals__['x'] }}",
        "{{ messages.append(1) }}",
        "{{ '{0.__class__.__mro__}'.format('') }}",
        "{% set f = '{0.__class__.__mro__}'.format %}{{ f('') }}",
        "{% set namespace.x = 1 %}",
        "{% include 'other' %}",
        "{{ lipsum(n=99999) }}",
    ],
)
def test_the_sandbox_hides_what_is_inside(source: str) -> None:
    with pytest.raises(PromptError, match=r"^The model's chat template (refused|failed|was stop)"):
        render(source)


def test_a_long_conversation_is_well_inside_the_limits(templates: dict[str, str]) -> None:
    messages = [{"role": "user", "content": "word " * 200_000}] * 3
    assert len(render(templates["chatml"], messages)) > 3_000_000


@pytest.mark.parametrize(
    "source",
    ["{{ '%c' % 55357 }}", "{{ '%(a)-3c' % {'a': 55357} }}", "{{ '{:c}'.format(55357) }}"],
)
def test_no_template_writes_half_a_surrogate_pair_by_its_number(source: str) -> None:
    """What its control tokens are spelt in is out of reach of numbers that come from texts."""
    with pytest.raises(PromptError, match="characters by their numbers"):
        render(source)
