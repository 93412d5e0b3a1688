"""The parser of the command line, and the types of option values."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Reports an invalid option in one sentence, without listing all options."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message.rstrip('.')}; see {self.prog} --help.\n")


def positive(text: str) -> int:
    """An integer of at least 1: of tokens, layers, runs."""
    return _at_least(1, text)


def mebibytes(text: str) -> int:
    """An integer of at least 0, in MiB."""
    return _at_least(0, text)


def tokens(text: str) -> int:
    """An integer of at least 0, of tokens."""
    return _at_least(0, text)


def amount(text: str) -> float:
    """A number of at least 0: of seconds, or MiB with a fraction."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f'"{text}" is not a number of at least 0')
    return value


def some_text(text: str) -> str:
    """A non-empty text."""
    if not text:
        raise argparse.ArgumentTypeError("the text is empty; leave the option out instead")
    return text


def some_file_text(path: str) -> str:
    """The text of a file, which must not be empty."""
    try:
        return some_text(Path(path).read_text("utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise argparse.ArgumentTypeError(f"{path} cannot be read: {error}") from None


def _at_least(least: int, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number of at least {least}')
    return value
