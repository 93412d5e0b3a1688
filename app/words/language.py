"""Which language the program speaks, set before anything else is imported. Without Qt."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files

from app.words.engine_words import set_engine_texts
from app.words.tr import set_texts
from app.words.ts_file import TranslationError, finished_texts, read_messages

log = logging.getLogger(__name__)

OPTION = "--language"
PICTURE = "--screenshot"
VARIABLE = "BIPLANE_LANGUAGE"
SYSTEM = "system"
ENGLISH = "en"
# Each language in its own name: whoever looks for theirs may read no other.
LANGUAGES = {ENGLISH: "English", "zh_CN": "简体中文"}
CHOICES = (SYSTEM, *LANGUAGES)

_current = ENGLISH


def current() -> str:
    """The language that is set: a key of LANGUAGES."""
    return _current


def wanted(arguments: Sequence[str], environment: Mapping[str, str], setting: str = SYSTEM) -> str:
    """The language to speak: of the option, the environment, the setting, or the system.

    A screenshot depends on the option alone, so that it looks the same for everybody.
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
    """The first language of the system's that the program speaks; English if there is none."""
    listed = environment.get("LANGUAGE", "").split(":")
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    # The list means nothing where the system's own language is none.
    names = [locale] if locale.split(".")[0] in ("", "C", "POSIX") else [*listed, locale]
    for name in names:
        spoken = _spoken(name)
        if spoken:
            return spoken
    return ENGLISH


def speak(language: str) -> None:
    """Set a language; what cannot be read leaves the program in English."""
    global _current
    _current = ENGLISH
    set_texts({})
    set_engine_texts({})
    if language == ENGLISH:
        return
    try:
        with as_file(files("assets") / "translations" / f"biplane_{language}.ts") as path:
            messages = read_messages(path)
    except (TranslationError, OSError) as error:
        log.warning("No translation: %s", error)
        return
    set_texts(finished_texts(messages))
    set_engine_texts(finished_texts([one for one in messages if one.file.startswith("engine")]))
    _current = language


def _option(arguments: Sequence[str]) -> str:
    """The value of the option; an argument parser reports one that is invalid."""
    for at, argument in enumerate(arguments):
        if argument == OPTION:
            return arguments[at + 1] if at + 1 < len(arguments) else ""
        if argument.startswith(f"{OPTION}="):
            return argument.partition("=")[2]
    return ""


def _spoken(name: str) -> str:
    """ "zh_CN.UTF-8" -> "zh_CN", "en_GB" -> "en"; "" for a language that is not spoken."""
    code = name.split(".")[0].split("@")[0]
    language, _, region = code.partition("_")
    if language == "zh":
        # Hong Kong and Taiwan write other characters.
        return "zh_CN" if region in ("", "CN", "SG", "Hans") else ""
    return ENGLISH if language == "en" else ""
