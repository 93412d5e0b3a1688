"""What was typed into the search field of the Models window, and which models it means. No Qt."""

from __future__ import annotations

import contextlib
import math
import re
from dataclasses import dataclass

from app.core.words.tr import tr
from app.models.logic.shelf import ShelfEntry
from engine.hub.failures import HubError
from engine.hub.names import repo_id

# In parameters: what runs on most machines, and what on few.
_SMALL, _LARGE = 4.5e9, 20e9
# "4B" is said of 3.5 to 4.5 billion parameters.
_NEAR = 1 / 8
_SIZE = re.compile(r"(\d+(?:\.\d+)?)(b|m)")
_UNITS = {"b": 1e9, "m": 1e6}
# In the language of the window, and in English, in which others write of models.
_FITS = frozenset({"fits", "fit", tr("fits")})
_SMALL_WORDS = frozenset({"small", "tiny", tr("small")})
_LARGE_WORDS = frozenset({"large", "big", tr("large")})


@dataclass(frozen=True, slots=True)
class Sought:
    """A search.

    Attributes:
        words: in lower case; each must occur in a model's name, or in what is said of it.
        sizes: such as "4b"; each must be the model's.
        least, most: of parameters.
        fits: only what fits this machine, if only in part.
    """

    words: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    least: float = 0.0
    most: float = math.inf
    fits: bool = False

    @property
    def on_hub(self) -> str:
        """The words for the hub, which knows names alone."""
        return " ".join((*self.words, *self.sizes))

    def finds(self, entry: ShelfEntry, parameters: int, *, said: str, fits: bool) -> bool:
        """parameters: 0 if not known; said: the texts about it."""
        text = f"{entry.name} {entry.repo} {said}".casefold()
        if not all(word in text for word in self.words) or (self.fits and not fits):
            return False
        if not all(_is_of_size(entry.name, parameters, size) for size in self.sizes):
            return False
        bounded = self.least > 0 or self.most < math.inf
        return not bounded or (parameters > 0 and self.least <= parameters <= self.most)


EVERYTHING = Sought()


def sought(text: str) -> Sought:
    """The search of a text: words, sizes such as "4b", "small", "large", "fits", in any order."""
    if "://" in text:
        with contextlib.suppress(HubError):
            text = repo_id(text)
    words, sizes, least, most, fits = [], [], 0.0, math.inf, False
    for word in text.casefold().split():
        if word in _FITS:
            fits = True
        elif word in _SMALL_WORDS:
            most = _SMALL
        elif word in _LARGE_WORDS:
            least = _LARGE
        elif _SIZE.fullmatch(word):
            sizes.append(word)
        else:
            words.append(word)
    return Sought(tuple(words), tuple(sizes), least, most, fits)


def named_repo(text: str) -> str:
    """The repository that a text names; "" if it is a search."""
    with contextlib.suppress(HubError):
        return repo_id(text)
    return ""


def _is_of_size(name: str, parameters: int, size: str) -> bool:
    if re.search(rf"(?<![\w.]){re.escape(size)}(?!\w)", name.casefold()):
        return True
    number, unit = size[:-1], size[-1]
    wanted = float(number) * _UNITS[unit]
    return abs(parameters - wanted) <= _NEAR * wanted
