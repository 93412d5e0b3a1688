"""The tokens of a scripted engine: pieces of words, numbered as they appear, and a template."""

from __future__ import annotations

import re

from engine import commands
from engine.message import Message

Asked = commands.Submit | commands.Probe


def messages_of(asked: Asked) -> tuple[Message, ...]:
    """Its prompt, which the app always gives as messages."""
    messages = tuple(part for part in asked.prompt if isinstance(part, Message))
    assert len(messages) == len(asked.prompt)
    return messages


def words(text: str) -> list[str]:
    """The pieces of a text, each of them a token."""
    return re.findall(r"\s*\S{1,7}|\s+", text)


class ToyText:
    """Numbers pieces of text and renders conversations.

    Attributes:
        texts: each token's text.
    """

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self._ids: dict[str, int] = {}

    def prompt(self, asked: Asked) -> tuple[list[int], list[int]]:
        """Tokens and anchors of what is asked; an answer that is continued keeps its ids."""
        messages, options = messages_of(asked), asked.options
        earlier = messages[:-1] if options.continues else messages
        tokens, anchors = self._render(earlier, options.thinking)
        return [*tokens, *self.begun(asked)], anchors

    def begun(self, asked: Asked) -> list[int]:
        """Tokens of the answer that is continued, if one is."""
        if not asked.options.continues:
            return []
        last = messages_of(asked)[-1]
        for number in last.token_ids:
            # Those of an earlier start are numbers without a text here.
            self.texts.setdefault(number, "?")
        return list(last.token_ids) or self.tokens(last.thinking + last.content)

    def tokens(self, text: str) -> list[int]:
        return [self.token(piece) for piece in words(text)]

    def token(self, piece: str) -> int:
        number = self._ids.setdefault(piece, len(self._ids))
        self.texts[number] = piece
        return number

    def _render(self, messages: tuple[Message, ...], thinking: bool) -> tuple[list[int], list[int]]:
        """Thinking of earlier turns is dropped."""
        tokens: list[int] = []
        anchors: list[int] = []
        for message in messages:
            tokens += self.tokens(f"<|im_start|>{message.role}\n")
            if message.role in ("user", "assistant"):
                anchors.append(len(tokens))
            tokens += self.tokens(message.content + "<|im_end|>\n")
        tokens += self.tokens("<|im_start|>assistant\n")
        anchors.append(len(tokens))
        tokens += self.tokens("<think>\n" if thinking else "<think>\n\n</think>\n\n")
        return tokens, anchors
