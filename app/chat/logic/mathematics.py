"""Finds the formulas of a Markdown text. Without Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass

CODE = r"(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
# Code and addresses are skipped; the rest are the four ways to write mathematics.
_PARTS = re.compile(
    rf"{CODE}|(?P<address>\]\([^()\s]*\)|https?://[^\s)]+)"
    r"|\\\[(?P<square>.+?)\\\]|\$\$(?P<dollars>.+?)\$\$"
    r"|\\\((?P<round>.+?)\\\)"
    r"|(?<![\\$\w])\$(?P<dollar>[^\s$](?:[^$\n]*?[^\s$\\])?)\$(?![\w$])",
    re.DOTALL,
)
# Text between two prices is no formula: that has a command, index, operator or single letter.
_FORMULA = re.compile(r"\\|[\^_=<>+*/{}|]|^-?[A-Za-z]'*(\([A-Za-z,\s]*\))?$|^[\d.,\s]+$")
# A formula on lines of its own, of which only the beginning has arrived.
_BEGUN = re.compile(r"^[ \t]*(?:\$\$|\\\[)(?:(?!\n[ \t]*\n).)*\Z", re.DOTALL | re.MULTILINE)
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# Placeholders are private characters that no font and no keyboard has.
FIRST_PLACE = 0x100000
PLACES = re.compile("[\U00100000-\U0010fffd]")


@dataclass(frozen=True, slots=True)
class Formula:
    """LaTeX in a message.

    Attributes:
        latex: without its delimiters.
        source: as written, on one line.
        display: on a line of its own.
    """

    latex: str
    source: str
    display: bool = False


def set_apart(text: str) -> tuple[str, list[Formula]]:
    """Markdown with a placeholder for each formula, and the formulas."""
    if "$" not in text and "\\(" not in text and "\\[" not in text:
        return text, []
    formulas: list[Formula] = []

    def replaced(found: re.Match[str]) -> str:
        latex = found["square"] or found["dollars"] or found["round"] or found["dollar"]
        if not latex or (found["dollar"] and not _FORMULA.search(latex)):
            return found[0]
        begins = found.string.rfind("\n", 0, found.start()) + 1
        before = found.string[begins : found.start()]
        alone = bool(found["square"] or found["dollars"])
        if before.lstrip().startswith(">"):
            # Its other lines repeat the mark of the quotation.
            latex = re.sub(r"\n[ \t]*>", "\n", latex)
        source = " ".join(found[0].split())
        formulas.append(Formula(" ".join(latex.split()), source, alone))
        place = chr(FIRST_PLACE + len(formulas) - 1)
        # A formula on its own line is a paragraph, in a list too, but not in a quote or table.
        return f"\n\n{before}{place}\n\n{before}" if alone and not before.strip() else place

    made = _PARTS.sub(replaced, PLACES.sub("", text))
    return _BEGUN.sub(lambda found: _literal(found[0]), made), formulas


def restored(text: str, formulas: list[Formula]) -> str:
    """A text with its placeholders replaced by the sources of the formulas."""
    if not formulas:
        return text
    return PLACES.sub(lambda found: formulas[ord(found[0]) - FIRST_PLACE].source, text)


def _literal(text: str) -> str:
    """Markdown that shows a text as it is, line by line."""
    lines = (_PUNCTUATION.sub(r"\\\1", line.strip()) for line in text.split("\n"))
    return "  \n".join(line for line in lines if line)
