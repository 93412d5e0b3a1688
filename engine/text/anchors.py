"""Finds where future prompts will diverge from this one, by probing the template.

The conversation is rendered with two different dummy continuations; what the prompt and both
renderings share, counted in tokens, is an anchor. No template is special-cased. Probes that depend
only on earlier messages are cached, so a new turn only costs its own messages.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.errors import PromptError
from engine.message import Message, PromptOptions
from engine.text.control_tokens import before_token
from engine.text.layout import Render
from engine.text.pieces import PieceEncoder
from engine.text.prompt import Anchor, AnchorKind
from engine.text.prompt_tokens import PrefixDigests, PromptTokens

CACHED_PROBES = 1024
# The dummies differ in their first character and its kind, so that no token spans it. One is a
# common word: where a header's last space merges with the following word, it does so here too.
_USERS = (Message("user", "The same?"), Message("user", "7, then"))
_ANSWERS = (Message("assistant", "The same."), Message("assistant", "40 of them"))
_THOUGHTS = ("The same", "3 ways")
_CALLS = ({"name": "zebra", "arguments": {"k": "v"}}, {"name": "7th", "arguments": {"q": 1}})


@dataclass(frozen=True, slots=True)
class _Probe:
    """The common prefix of several renderings.

    Attributes:
        chars: length of their common text.
        digest: of that text.
        cut: end of its last control token.
        tails: each rendering from `cut` to its next control token.
    """

    chars: int
    digest: bytes
    cut: int
    tails: tuple[str, ...]


class AnchorFinder:
    """Probes one template; results are memoised by conversation prefix and options."""

    def __init__(self, encoder: PieceEncoder) -> None:
        self._encoder = encoder
        self._probes: OrderedDict[int, _Probe | None] = OrderedDict()

    def find(
        self,
        render: Render,
        messages: Sequence[Message],
        options: PromptOptions,
        prompt: PromptTokens,
    ) -> tuple[Anchor, ...]:
        """The anchors of `prompt`, the rendering of `messages`."""
        found: dict[int, AnchorKind] = {}
        keys = prefix_keys(messages, options)
        users = [k for k, message in enumerate(messages) if message.role == "user"]
        for k in users:
            first_after_system = k == users[0] and any(m.role == "system" for m in messages[:k])
            kind: AnchorKind = "system" if first_after_system else "user"
            self._note(found, prompt, self._user_start(render, messages[:k], keys[k]), kind)
        for k in users:
            if k + 1 < len(messages):
                probe = self._next_turn(render, messages[: k + 1], options, keys[k + 1])
                self._note(found, prompt, probe, "answer")
        probe = self._next_turn(render, messages, options, keys[-1])
        self._note(found, prompt, probe, "next turn")
        self._note(found, prompt, self._tool_call(render, messages, keys[-1]), "tool call")
        return tuple(Anchor(position, found[position]) for position in sorted(found))

    def _note(
        self,
        found: dict[int, AnchorKind],
        prompt: PromptTokens,
        probe: _Probe | None,
        kind: AnchorKind,
    ) -> None:
        """Keep the probe's position if the prompt starts with the renderings' common prefix."""
        if probe is None or prompt.prefix_digest(probe.chars) != probe.digest:
            return
        others = [(probe.cut, tail) for tail in probe.tails]
        position = prompt.common_tokens(probe.chars, others)
        if 0 < position < len(prompt.ids) and (kind == "next turn" or position not in found):
            found[position] = kind

    def _user_start(self, render: Render, earlier: Sequence[Message], key: int) -> _Probe | None:
        """Where the text of a user message after `earlier` starts."""
        return self._remembered(
            hash(("user", key)), lambda: [render([*earlier, user], True) for user in _USERS]
        )

    def _next_turn(
        self, render: Render, messages: Sequence[Message], options: PromptOptions, key: int
    ) -> _Probe | None:
        """Where the prompt of the user's next turn diverges from the prompt of `messages`."""

        def texts() -> list[str]:
            turns = zip(_ANSWERS, _THOUGHTS, _USERS, strict=True)
            return [render(messages, True)] + [
                render([*messages, replace(a, thinking=t if options.thinking else ""), user], True)
                for a, t, user in turns
            ]

        return self._remembered(hash(("turn", key)), texts)

    def _tool_call(self, render: Render, messages: Sequence[Message], key: int) -> _Probe | None:
        """Where the content of the conversation's last tool calls starts."""
        calling = [k for k, m in enumerate(messages) if m.role == "assistant" and m.tool_calls]
        if not calling:
            return None
        at = calling[-1]

        def texts() -> list[str]:
            calls = (replace(messages[at], tool_calls=(call,)) for call in _CALLS)
            return [render([*messages[:at], c, *messages[at + 1 :]], True) for c in calls]

        return self._remembered(hash(("call", key)), texts)

    def _remembered(self, key: int, texts: Callable[[], list[str]]) -> _Probe | None:
        if key in self._probes:
            self._probes.move_to_end(key)
            return self._probes[key]
        try:
            probe = self._probe(texts())
        except PromptError:
            # A template may refuse the dummy conversation; then there is no anchor.
            probe = None
        self._probes[key] = probe
        if len(self._probes) > CACHED_PROBES:
            self._probes.popitem(last=False)
        return probe

    def _probe(self, texts: Sequence[str]) -> _Probe:
        chars = min(common_chars(texts[0], other) for other in texts[1:])
        # Two control tokens may share a beginning and still be different tokens.
        chars = min(before_token(text, chars) for text in texts)
        shared = texts[0][:chars]
        cut = self._encoder.last_cut(shared)
        tails = tuple(self._tail(text, cut) for text in texts)
        return _Probe(chars, PrefixDigests(shared).of(chars), cut, tails)

    def _tail(self, text: str, cut: int) -> str:
        rest = text[cut:]
        cuts = self._encoder.cuts(rest)
        return rest[: cuts[0][0]] if cuts else rest


def common_chars(one: str, other: str) -> int:
    """Length of the longest common prefix, by bisection with memory comparisons."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while low + 1 < high:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


def prefix_keys(messages: Sequence[Message], options: PromptOptions) -> list[int]:
    """One key per prefix messages[:k], k = 0 to n; the ids of answers are ignored."""
    keys = [hash((options.thinking, options.keeps_thinking, _json(options.tools)))]
    for m in messages:
        calls = _json(m.tool_calls) if m.tool_calls else ""
        keys.append(hash((keys[-1], m.role, m.content, m.thinking, calls)))
    return keys


def _json(value: object) -> str:
    return json.dumps(value, default=str)
