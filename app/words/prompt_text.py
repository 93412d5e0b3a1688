"""Messages written as one text, for a prompt that no conversation has. Without Qt."""

from __future__ import annotations

import re

from app.words.tr import tr
from engine.message import Message

HINT = tr(
    "A line “system:”, “user:” or “assistant:” begins a message, which follows "
    "on that line or below it. Text before the first of these lines is a user "
    "message."
)
_HEAD = re.compile(r"(system|user|assistant):(.*)", re.IGNORECASE)


class PromptTextError(ValueError):
    """A text is no prompt; its words say why, in one sentence."""


def messages_of(text: str) -> tuple[Message, ...]:
    """The messages of a text. Raises PromptTextError."""
    parts = _parts(text)
    if not parts:
        raise PromptTextError(tr("There is nothing to warm: write at least one message."))
    for at, (line, role, said) in enumerate(parts):
        if not said:
            raise PromptTextError(
                tr(
                    "The {role} message in line {line:,} is empty: write its text, "
                    "or remove the line."
                ).format(role=role, line=line)
            )
        if role == "system" and at:
            raise PromptTextError(
                tr(
                    "The system message in line {line:,} must be the first message: move it up."
                ).format(line=line)
            )
    if all(role == "system" for _, role, _ in parts):
        raise PromptTextError(
            tr(
                "A system message alone is not a prompt: add a user message, of one word if "
                "need be."
            )
        )
    return tuple(Message(role, said) for _, role, said in parts)


def text_of(system: str) -> str:
    """What the text begins with: a system message if there is one, and room for the user's."""
    return f"system:\n{system.strip()}\n\nuser:\n" if system.strip() else ""


def _parts(text: str) -> list[tuple[int, str, str]]:
    """Line, role and text of each message."""
    parts: list[tuple[int, str, list[str]]] = [(1, "user", [])]
    for number, line in enumerate(text.splitlines(), 1):
        head = _HEAD.fullmatch(line.strip())
        if head is not None:
            parts.append((number, head[1].lower(), [head[2]]))
        else:
            parts[-1][2].append(line)
    made = [(line, role, "\n".join(said).strip()) for line, role, said in parts]
    return made if made[0][2] else made[1:]
