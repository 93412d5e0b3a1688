"""Rewrites what Qt's Markdown does not know, or must not do. Without Qt."""

from __future__ import annotations

import re

from app.chat.logic.mathematics import CODE, Formula, set_apart
from app.core.words.tr import tr

# Runs that link there are marks of footnotes.
NOTE = "#note"
_LABEL = r"[\w-]{1,32}"
_ADDRESS = r"\((?:[^()\n]|\([^()\n]*\))*\)"
_MARKS = re.compile(
    rf"{CODE}"
    r"|(?P<break>[ \t]*<br\s*/?>[ \t]*)"
    rf"|(?P<linked>\[)?!\[(?P<alt>[^\]\n]*)\](?P<address>{_ADDRESS}|\[[^\]\n]*\])(?(linked)\])"
    rf"|^(?P<space>[ \t]*)\[\^(?P<defined>{_LABEL})\]:[ \t]*"
    rf"|\[\^(?P<note>{_LABEL})\]",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_DEFINED = re.compile(rf"^[ \t]*\[\^({_LABEL})\]:", re.MULTILINE)


def prepared(text: str) -> tuple[str, list[Formula]]:
    """Markdown for Qt, with placeholders for formulas; and the formulas."""
    made, formulas = set_apart(text)
    return _rewritten(made), formulas


def _rewritten(text: str) -> str:
    if "[" not in text and "<" not in text:
        return text
    defined = set(_DEFINED.findall(text))

    def replaced(found: re.Match[str]) -> str:
        if found["break"]:
            return "\u2028"
        if found["address"]:
            # A picture is never loaded: its text links to it, or to what the picture links to.
            alt = found["alt"].strip() or tr("image")
            return f"[{alt}]" if found["linked"] else f"[{alt}]{found['address']}"
        if found["defined"]:
            return f"\n{found['space']}{_mark(found['defined'])} "
        # Others may be sets of characters, such as [^abc].
        if found["note"] and (found["note"].isdecimal() or found["note"] in defined):
            return _mark(found["note"])
        return found[0]

    return _MARKS.sub(replaced, text)


def _mark(label: str) -> str:
    shown = label.replace("_", r"\_")
    return rf"[\[{shown}\]]({NOTE})"
