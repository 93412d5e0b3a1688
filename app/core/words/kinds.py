"""What a setting may be; most kinds check a value, whether a user or a file gave it. Without Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from app.core.words.tr import tr

# Limits for a file: shortcuts of one command, commands, and characters of a shortcut.
_MOST_KEYS, _MOST_COMMANDS, _LONGEST_KEY = 4, 1000, 60


class Kind(Protocol):
    """A type of setting."""

    def check(self, raw: Any) -> Any:
        """The valid value. Raises ValueError with the end of a sentence: "must be ..."."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several names."""

    values: tuple[str, ...]

    def check(self, raw: Any) -> str:
        if not isinstance(raw, str) or raw not in self.values:
            raise ValueError(tr("must be one of {values}").format(values=", ".join(self.values)))
        return raw


@dataclass(frozen=True, slots=True)
class Flag:
    """On or off."""

    def check(self, raw: Any) -> bool:
        if not isinstance(raw, bool):
            raise ValueError(tr("must be true or false"))
        return raw


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer.

    Attributes:
        step: it must be a multiple of this.
        by: the increment of an arrow press.
        unit: values per unit that a field shows.
    """

    least: int
    most: int
    step: int = 1
    by: int = 1
    unit: int = 1

    def check(self, raw: Any) -> int:
        whole = isinstance(raw, int) and not isinstance(raw, bool)
        if not whole or not self.least <= raw <= self.most or raw % self.step:
            multiple = (
                tr("a multiple of {step}").format(step=self.step)
                if self.step > 1
                else tr("a whole number")
            )
            raise ValueError(
                tr("must be {multiple} from {least} to {most}").format(
                    multiple=multiple, least=self.least, most=self.most
                )
            )
        assert isinstance(raw, int)
        return raw


@dataclass(frozen=True, slots=True)
class Share:
    """A fraction in [0, 1)."""

    def check(self, raw: Any) -> float:
        number = isinstance(raw, int | float) and not isinstance(raw, bool)
        if not number or not 0 <= raw < 1:
            raise ValueError(tr("must be a number from 0 to below 1"))
        return float(raw)


@dataclass(frozen=True, slots=True)
class Real:
    """A number whose bounds only the arrows keep; `by` is what one press of them adds."""

    least: float
    most: float
    by: float


@dataclass(frozen=True, slots=True)
class Texts:
    """Several short texts."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The text of a JSON schema; empty for none."""


# Shortcuts by the id of their command, in the order of the ids.
Bindings = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Keys:
    """Shortcuts by command id; empty to unbind a command."""

    def check(self, raw: Any) -> Bindings:
        pairs = raw.items() if isinstance(raw, Mapping) else raw
        try:
            found = {id: tuple(keys) for id, keys in pairs if _are_keys(keys)}
            sound = len(found) == len(raw) <= _MOST_COMMANDS and all(
                isinstance(id, str) for id in found
            )
        except (TypeError, ValueError):
            sound = False
        if not sound:
            raise ValueError(tr("must have a list of keys for each command"))
        return tuple(sorted(found.items()))


def _are_keys(raw: Any) -> bool:
    return (
        isinstance(raw, list | tuple)
        and len(raw) <= _MOST_KEYS
        and all(isinstance(key, str) and 0 < len(key) <= _LONGEST_KEY for key in raw)
    )
