"""Reads translations from a `.ts` file, the XML of Qt Linguist. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

from app.words.tr import text_key

State = Literal["finished", "unfinished", "vanished"]
# A language has some 300 KB; nothing of the program's own is longer.
MOST_BYTES = 4 << 20


class TranslationError(ValueError):
    """A file of translations cannot be read; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class Message:
    """One text and its translation.

    Attributes:
        source: the English text; of one with a plural, the form for many.
        note: tells apart equal English texts.
        plural: it has a form for one and a form for many in English.
        file: where in the program it is said first.
    """

    source: str
    translation: str = ""
    note: str = ""
    plural: bool = False
    state: State = "unfinished"
    file: str = ""

    @property
    def key(self) -> str:
        return text_key(self.source, self.note)


def read_messages(path: Path) -> list[Message]:
    """All messages of a file, in its order. Raises TranslationError."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise TranslationError(f"{path.name} is too long for a file of translations.")
        text = path.read_text(encoding="utf-8")
        # Entities could grow without bound, and a file of translations has none of its own.
        if "<!ENTITY" in text:
            raise TranslationError(
                f"{path.name} declares entities; it is not a file of translations."
            )
        root = ElementTree.fromstring(text)
    except (OSError, UnicodeDecodeError, ElementTree.ParseError) as error:
        raise TranslationError(f"{path.name} cannot be read: {error}.") from error
    return [_message(element) for element in root.iter("message")]


def finished_texts(messages: list[Message]) -> dict[str, str]:
    """Finished translations, by what they are looked up by."""
    return {m.key: m.translation for m in messages if m.state == "finished" and m.translation}


def _message(element: ElementTree.Element) -> Message:
    said = element.find("translation")
    form = said if said is None else said.find("numerusform")
    plural = element.get("numerus") == "yes"
    translation = _text(form if plural else said)
    kind = "" if said is None else said.get("type", "")
    state: State = "finished" if translation else "unfinished"
    if kind == "unfinished":
        state = "unfinished"
    elif kind in ("vanished", "obsolete"):
        state = "vanished"
    place = element.find("location")
    return Message(
        _text(element.find("source")),
        translation,
        _text(element.find("comment")),
        plural,
        state,
        "" if place is None else place.get("filename", ""),
    )


def _text(element: ElementTree.Element | None) -> str:
    return "" if element is None else element.text or ""
