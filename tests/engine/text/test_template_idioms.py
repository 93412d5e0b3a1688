"""What published chat templates do gives the same text as in jinja2 itself."""

# ruff: noqa: E501 (templates are not to be wrapped)

from __future__ import annotations

import json
from typing import Any

import pytest
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.message import PromptOptions
from engine.text.template import ChatTemplate

SCHEMA = {
    "type": "object",
    "properties": {
        "place": {"type": "string", "description": "Where, <b>é</b>"},
        "days": {"type": ["integer", "null"], "enum": [1, 2.5, None, True]},
        "deep": {"type": "array", "items": {"type": "object", "properties": {"x": {}}}},
    },
    "required": ["place"],
}
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}]
CALL = {"type": "function", "function": {"name": "look", "arguments": {"place": "a<b", "n": [1]}}}
MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "  Be kind.\n"},
    {"role": "user", "content": "Look at 'it' & \"that\"\n\n\n"},
    {"role": "assistant", "content": "<think>\nhm\n</think>\n\nYes.", "tool_calls": [CALL]},
    {"role": "tool", "content": "stone"},
    {"role": "tool", "content": "tree"},
    {"role": "user", "content": [{"type": "text", "text": "and"}, {"type": "image"}]},
    {"role": "assistant", "content": "Done", "reasoning_content": "so"},
]

TEMPLATES = {
    "roles": """{%- for m in messages -%}{{ m.role | upper }} {{ m['role'] | capitalize }}
{{ m.role | title }}{{ m.role.title() ~ m.role.capitalize() }} {{ loop.index0 }}{{ loop.index }}
{{- loop.first }}{{ loop.last }}{{ loop.revindex }}{{ loop.length }}{{ loop.previtem is defined }}
{{- loop.nextitem.role if not loop.last else '-' }}{{ loop.cycle('a', 'b') }}
{{- loop.changed(m.role) }}{%- endfor -%}""",
    "thinking": """{%- for m in messages if m.role == 'assistant' -%}
{%- set c = m.content -%}{%- if '</think>' in c -%}
{%- set r = c.split('</think>')[0].rstrip('\n').split('<think>')[-1].lstrip('\n') -%}
{%- set c = c.split('</think>')[-1].lstrip('\n') -%}[{{ r }}]{%- endif -%}{{ c }}
{%- if m.reasoning_content is defined and m.reasoning_content is not none -%}
{{ m.reasoning_content.strip() }}{%- endif -%}{{ c.rsplit('.', 1) }}{{ c.partition('.')[0] }}
{%- endfor -%}""",
    "last question": """{%- set ns = namespace(multi=true, at=messages | length - 1) -%}
{%- for m in messages[::-1] -%}{%- set i = (messages | length - 1) - loop.index0 -%}
{%- if ns.multi and m.role == 'user' and m.content is string
 and not (m.content.startswith('<tool') and m.content.endswith('>')) -%}
{%- set ns.multi = false -%}{%- set ns.at = i -%}{%- endif -%}{%- endfor -%}{{ ns.at }}""",
    "parts": """{%- macro show(content, images) -%}{%- if content is string -%}{{- content -}}
{%- elif content is iterable and content is not mapping -%}{%- for part in content -%}
{%- if 'image' in part or part.type == 'image' -%}<image {{ images + 1 }}>
{%- elif 'text' in part -%}{{ part.text }}{%- endif -%}{%- endfor -%}
{%- elif content is none or content is undefined -%}{{- '' -}}
{%- else -%}{{ raise_exception('Unexpected content') }}{%- endif -%}{%- endmacro -%}
{%- for m in messages -%}{{ show(m.content, loop.index0) | trim }};{%- endfor -%}""",
    "tools": """{%- for t in tools -%}{{ t | tojson }}{{ t | tojson(indent=4) }}
{{- t.function | tojson(ensure_ascii=False) }}{{ t | tojson | safe }}{{ t | string | length }}
{%- for k, v in t.function.parameters.properties.items() -%}{{ k }}: {{ v.type | string }}
{{- v.description | default('none') }}{{ v.get('enum', []) | join('|') }}
{{- ' (required)' if k in t.function.parameters.required else '' }}{%- endfor -%}
{%- for k, v in t.function | dictsort -%}{{ k }}{%- endfor -%}
{%- for k, v in t.function.parameters | items -%}{{ k }}{%- endfor -%}{%- endfor -%}""",
    "schema": """{%- macro kind(s, depth=0) -%}
{%- if s.type is string and s.type == 'object' -%}{ {%- for k in s.properties | list -%}
{{- '\n' + '  ' * (depth + 1) + k + ': ' -}}{{ kind(s.properties[k], depth + 1) }},{%- endfor -%} }
{%- elif s.type == 'array' -%}{{ kind(s['items'], depth) }}[]
{%- elif s.type is sequence and s.type is not string -%}{{ s.type | join(' | ') }}
{%- if s.enum %} of {{ s.enum | map('tojson') | join(', ') }}{% endif -%}
{%- else -%}{{ s.type | default('any', true) }}{%- endif -%}{%- endmacro -%}
{{ kind(tools[0].function.parameters) }}""",
    "calls": """{%- for m in messages if m.tool_calls -%}{%- for c in m.tool_calls -%}
{%- if c.function is defined -%}{%- set c = c.function -%}{%- endif -%}
{{- '\n' if not loop.first }}<call>{"name": "{{ c.name }}", "arguments": {{ c.arguments | tojson }}}
{%- for k, v in c.arguments | items -%}
{%- set v = v | tojson | safe if v is mapping or (v is sequence and v is not string)
 else v | string -%}<{{ k ~ '=' ~ v }}>{%- endfor -%}{%- endfor -%}{%- endfor -%}""",
    "selections": """{{ messages | selectattr('role', 'equalto', 'user') | list | length }}
{{ messages | rejectattr('role', 'in', ['user', 'tool']) | map(attribute='role') | join(', ') }}
{{ (messages | map(attribute='role') | unique | list) }}{{ messages | map(attribute='x.y',
default='-') | first }}{{ ['b', 'A', 'c'] | sort }}{{ ['b', 'A'] | sort(reverse=true) | last }}
{{ [3, 1, 2] | max }}{{ [3, 1, 2] | min }}{{ [1, 2] | sum }}{{ messages | sum(attribute='n', start=5)
if false else '' }}{{ [1, 2, 3] | select('odd') | list }}{{ [0, 1] | reject | list }}
{{ [1, 2] | reverse | list }}{{ 'abc' | reverse }}{{ messages | sort(attribute='role') | map(
attribute='role') | list }}{{ ([1] + [2, 3])[1:] }}{{ range(1, 10, 3) | list }}{{ 'b' in 'abc' }}""",
    "texts": """{{ ' a\tb '.strip() }}{{ 'x-y'.replace('-', '+') }}{{ 'a,b,c'.split(',', 1) }}
{{ 'a b  c'.split() | join('_') }}{{ 'Abc'.lower() }}{{ 'abc'.find('c') }}{{ 'é' | upper }}
{{ 'l\nm\n\nn' | indent(2) }}{{ 'l\nm' | indent(2, true) }}{{ 'a\n\nb\n' | indent('> ', blank=true) }}
{{ '%s is %d, %.2f' % ('a', 3, 1.234) }}{{ '{} {x:>4}'.format('a', x=1) }}{{ '%05d' | format(42) }}
{{ 'a' * 3 }}{{ 'abc'[-1] }}{{ 'abc'[::-1] }}{{ 'abc'[1:] }}{{ 'x'.center(5) }}{{ '7'.zfill(3) }}
{{ 'a\nb'.splitlines() }}{{ 'aXbX'.count('X') }}{{ 'ab'.removeprefix('a') }}{{ 'a b' | title }}
{{ '<a>' | e }}{{ '<a>' | safe + '<b>' }}{{ 'aa' | replace('a', 'b', 1) }}{{ 'abc' | first }}
{{ '42' | int + 1 }}{{ 'x' | int(7) }}{{ '1.5' | float }}{{ 2.567 | round(1) }}{{ 2.5 | round(0,
'ceil') }}{{ -3 | abs }}{{ 7 // 2 }}{{ 7 / 2 }}{{ 7 % 4 }}{{ 2 ** 10 }}{{ 1 < 2 < 3 }}{{ 1 < 3 < 2 }}
{{ none }}{{ true }}{{ [1, 'a', none, 1.5] }}{{ {'a': [1]} }}{{ missing }}{{ missing | default(3) }}
{{ ('a', 'b') }}{{ {'a' ~ 1: 2} }}{{ dict(a=1) }}{{ dict({'b': 2}, c=3) | tojson }}{{ -2 ** 2 }}""",
    "tests": """{% for x in ['a', 1, 1.5, none, true, [1], {'a': 1}, missing, range(2)] %}
{{ x is string }}{{ x is number }}{{ x is integer }}{{ x is float }}{{ x is none }}{{ x is boolean }}
{{ x is mapping }}{{ x is iterable }}{{ x is sequence }}{{ x is defined }}{{ x is true }}
{{ x is sameas true }}{{ x is eq 1 }}{{ x is in [1, 'a'] }}{{ not x }}{{ x is callable }}
{% endfor %}{{ 4 is even }}{{ 4 is divisibleby 2 }}{{ 'a' is lower }}{{ 'length' is filter }}""",
    "blocks": """{% set a %} x{{ 1 }}{% endset %}{% set b | trim %} y {% endset %}[{{ a }}{{ b }}]
{% with c = 3 %}{{ c }}{% endwith %}{% macro m(x, y='d') %}{{ x }}{{ y }}{{ kwargs }}{{ varargs }}
{{ caller(5) if caller else '' }}{% endmacro %}{{ m(1) }}{{ m(1, 2, 3, z=4) }}{{ m(*[1, 2], **{'q': 3}) }}
{% call(v) m(9) %}<{{ v }}>{% endcall %}{% for x in [[1, [2]], [3]] recursive %}
{{- loop.depth }}{{ loop(x) if x is iterable else x }}{% endfor %}{% for x in [] %}{% else %}e{% endfor %}
{% for x in range(9) %}{% if x == 2 %}{% continue %}{% elif x > 4 %}{% break %}{% endif %}{{ x }}
{%- endfor %}{% raw %}{{ raw }}{% endraw %}{# comment #}{{ 'a' if 1 > 2 else 'b' if 2 > 1 }}
{%- set x, y = 1, 2 %}{{ x + y }}{% for k, v in {'a': 1}.items() %}{{ k }}{{ v }}{% endfor %}""",
}


def tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_same_text_as_jinja2(name: str) -> None:
    plain = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
    )
    plain.filters["tojson"] = tojson
    wanted = plain.from_string(TEMPLATES[name]).render(messages=MESSAGES, tools=TOOLS)
    chat = ChatTemplate(TEMPLATES[name], "chat_template.jinja", {})
    assert chat.render(MESSAGES, PromptOptions(tools=tuple(TOOLS)), False) == wanted


def test_megabytes_of_pasted_text_render() -> None:
    source = """{%- for m in messages -%}{%- set c = m.content | trim -%}
{%- set c = c.split('</think>')[-1].lstrip('\n').replace('\r\n', '\n') -%}
{%- if c.startswith('<') or c.rfind('<|a|>') > 0 or '<x>' in c -%}!{%- endif -%}
{{- '<' + m.role + '>\n' + c + '\n' -}}{%- for line in c.split('\n') if line == 'q' -%}{%- endfor -%}
{%- endfor -%}"""
    pasted = "One line of pasted text, with é and 東京.\n" * 130_000
    assert len(pasted) > 5_000_000
    text = ChatTemplate(source, "chat_template.jinja", {}).render(
        [{"role": "user", "content": pasted}], PromptOptions(), False
    )
    assert text == f"<user>\n{pasted.strip()}\n"
