"""The language of the program, set before any module with texts is imported. Without Qt."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

from app.core.words.tr import set_texts, text_key

log = logging.getLogger(__name__)

OPTION = "--language"
PICTURE = "--screenshot"
VARIABLE = "BIPLANE_LANGUAGE"
SYSTEM = "system"
ENGLISH = "en"
# Each language by its own name, as users may not read any other.
LANGUAGES = {ENGLISH: "English", "zh_CN": "简体中文"}
CHOICES = (SYSTEM, *LANGUAGES)

_current = ENGLISH
State = Literal["finished", "unfinished", "vanished"]
# A language has about 300 KB; no valid file is larger than this.
MOST_BYTES = 4 << 20


class TranslationError(ValueError):
    """A translation file cannot be read; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class Message:
    """One text and its translation.

    Attributes:
        source: the English text; the plural form if there are two.
        note: distinguishes equal English texts.
        plural: whether English has a singular and a plural form.
        file: where in the program it occurs first.
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
    """Read all messages of a file, in order. Raises TranslationError."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise TranslationError(f"{path.name} is too long for a file of translations.")
        text = path.read_text(encoding="utf-8")
        # Entities could expand without bound, and our files have none.
        if "<!ENTITY" in text:
            raise TranslationError(
                f"{path.name} declares entities; it is not a file of translations."
            )
        root = ElementTree.fromstring(text)
    except (OSError, UnicodeDecodeError, ElementTree.ParseError) as error:
        raise TranslationError(f"{path.name} cannot be read: {error}.") from error
    return [_message(element) for element in root.iter("message")]


def finished_texts(messages: list[Message]) -> dict[str, str]:
    """Finished translations, by lookup key."""
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


def current() -> str:
    """The current language: a key of LANGUAGES."""
    return _current


def wanted(arguments: Sequence[str], environment: Mapping[str, str], setting: str = SYSTEM) -> str:
    """The language to use: from the option, the environment, the setting, or the system.

    A screenshot depends on the option alone, so that it is reproducible.
    """
    if any(argument.split("=")[0] == PICTURE for argument in arguments):
        named = _option(arguments)
        return named if named in LANGUAGES else ENGLISH
    for name in (_option(arguments), environment.get(VARIABLE, ""), setting):
        if name in LANGUAGES:
            return name
        if name == SYSTEM:
            break
    return of_system(environment)


def of_system(environment: Mapping[str, str]) -> str:
    """The first supported one of the system's languages; English if there is none."""
    listed = environment.get("LANGUAGE", "").split(":")
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    # LANGUAGE is ignored if the locale itself has no language.
    names = [locale] if locale.split(".")[0] in ("", "C", "POSIX") else [*listed, locale]
    for name in names:
        spoken = _spoken(name)
        if spoken:
            return spoken
    return ENGLISH


def speak(language: str) -> None:
    """Set the language; if its file cannot be read, the program stays in English."""
    global _current
    _current = ENGLISH
    set_texts({})
    if language == ENGLISH:
        return
    try:
        with as_file(files("assets") / "translations" / f"biplane_{language}.ts") as path:
            messages = read_messages(path)
    except (TranslationError, OSError) as error:
        log.warning("No translation: %s", error)
        return
    set_texts(finished_texts(messages))
    _current = language


def _option(arguments: Sequence[str]) -> str:
    """The option's value; an invalid one is reported by the argument parser."""
    for at, argument in enumerate(arguments):
        if argument == OPTION:
            return arguments[at + 1] if at + 1 < len(arguments) else ""
        if argument.startswith(f"{OPTION}="):
            return argument.partition("=")[2]
    return ""


def _spoken(name: str) -> str:
    """ "zh_CN.UTF-8" -> "zh_CN", "en_GB" -> "en"; "" for an unsupported language."""
    code = name.split(".")[0].split("@")[0]
    language, _, region = code.partition("_")
    if language == "zh":
        # Hong Kong and Taiwan use traditional characters.
        return "zh_CN" if region in ("", "CN", "SG", "Hans") else ""
    return ENGLISH if language == "en" else ""
