"""Validated fields of one line of a trace file, which is untrusted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar, get_args

import numpy as np

from engine.cache.journal import changes
from engine.cache.journal.request_ran import TokenArray
from engine.config import StateFormat
from engine.errors import TraceError
from engine.stored_state import Provenance, StoredState, TierName, Why
from engine.verdict import Verdict, VerdictStatus

MOST = 2**63
LONGEST_TEXT = 1 << 20
TOKEN_LIMIT = 2**31
# Of the bytes of one token, two digits each.
LONGEST_PIECE = 1 << 16
T = TypeVar("T")
# In files that say only that a state was exact, and not for which cuts.
SOME_CUTS = 0
BEYOND = 1e18


class Fields:
    """The fields of a JSON object, read by name and type.

    Every method raises TraceError naming the field if it is missing or has another type.
    """

    def __init__(self, raw: object) -> None:
        if not isinstance(raw, Mapping):
            raise TraceError("it is not a JSON object")
        self._raw: Mapping[str, Any] = raw

    def has(self, name: str) -> bool:
        """Whether it is present and not null."""
        return self._raw.get(name) is not None

    def whole(self, name: str) -> int:
        """A non-negative integer."""
        value = self._get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < MOST:
            raise TraceError(f'"{name}" is not a whole number')
        return value

    def maybe_whole(self, name: str) -> int | None:
        return None if self._get(name) is None else self.whole(name)

    def number(self, name: str) -> float:
        """A finite number."""
        value = self._get(name)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise TraceError(f'"{name}" is not a number')
        if not -MOST < value < MOST or not math.isfinite(value):
            raise TraceError(f'"{name}" is out of range')
        return float(value)

    def maybe_number(self, name: str) -> float | None:
        return None if self._get(name) is None else self.number(name)

    def flag(self, name: str) -> bool:
        value = self._get(name)
        if not isinstance(value, bool):
            raise TraceError(f'"{name}" is neither true nor false')
        return value

    def text(self, name: str) -> str:
        value = self._get(name)
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            raise TraceError(f'"{name}" is not a string')
        return value

    def one_of(self, name: str, known: tuple[T, ...]) -> T:
        value = self._get(name)
        for choice in known:
            if value == choice and type(value) is type(choice):
                return choice
        raise TraceError(f'"{name}" is not one of {", ".join(map(str, known))}')

    def texts(self, name: str) -> tuple[str, ...]:
        found = self._list(name)
        if not all(type(item) is str and len(item) <= LONGEST_TEXT for item in found):
            raise TraceError(f'"{name}" is not a list of strings')
        return tuple(found)

    def wholes(self, name: str) -> tuple[int, ...]:
        return tuple(self._array(name).tolist())

    def tokens(self, name: str) -> TokenArray:
        """`[n] int64` token ids or hashes."""
        found = self._array(name)
        if found.size and found.max() >= TOKEN_LIMIT:
            raise TraceError(f'"{name}" has a number that is not a token')
        return found

    def inner(self, name: str) -> Fields:
        return Fields(self._get(name))

    def each(self, name: str) -> tuple[Fields, ...]:
        return tuple(Fields(item) for item in self._list(name))

    def counts(self, name: str) -> tuple[tuple[str, int], ...]:
        """An object with integer values."""
        inner = Fields(self._get(name))
        return tuple((str(key), inner.whole(key)) for key in inner._raw)

    def pieces(self, name: str) -> tuple[tuple[int, bytes], ...]:
        """A list of token ids with their bytes in hexadecimal digits."""
        found = []
        for item in self._list(name):
            if not isinstance(item, list) or [type(part) for part in item] != [int, str]:
                raise TraceError(f'"{name}" is not a list of ids with their bytes')
            one, digits = item
            if not 0 <= one < TOKEN_LIMIT or len(digits) > LONGEST_PIECE:
                raise TraceError(f'"{name}" has a number that is not a token')
            try:
                found.append((one, bytes.fromhex(digits)))
            except ValueError:
                raise TraceError(f'"{name}" has bytes that are not hexadecimal digits') from None
        return tuple(found)

    def _array(self, name: str) -> TokenArray:
        found = self._list(name)
        if not set(map(type, found)) <= {int} or (
            found and not 0 <= min(found) <= max(found) < MOST
        ):
            raise TraceError(f'"{name}" is not a list of whole numbers')
        return np.array(found, np.int64)

    def _list(self, name: str) -> list[Any]:
        value = self._get(name)
        if not isinstance(value, list):
            raise TraceError(f'"{name}" is not a list')
        return value

    def _get(self, name: str) -> Any:
        if name not in self._raw:
            raise TraceError(f'"{name}" is missing')
        return self._raw[name]


def state_fields(state: StoredState) -> dict[str, Any]:
    """What a line says of a state; its verdict, where it is wanted, comes on its own."""
    return {
        "position": state.position,
        "provenance": state.provenance,
        "chain": state.cut_hash,
        "has_hidden": state.has_hidden,
        "stored": state.stored,
        "error": finite(state.error),
        "tier": state.tier,
        "why": state.why,
    }


def verdict_fields(verdict: Verdict, origin: float) -> dict[str, Any]:
    """What a line says of a verdict; its time is seconds after `origin`."""
    return {
        "status": verdict.status,
        "largest": finite(verdict.largest),
        "kl": finite(verdict.kl),
        "time": verdict.time - origin,
    }


def finite(figure: float) -> float:
    """A file of the disk tier may claim an infinite figure, which JSON does not have."""
    return figure if math.isfinite(figure) else BEYOND


def read_state(raw: Fields, tier: TierName = "device") -> StoredState:
    """Raises TraceError naming a field that is missing or wrong.

    Args:
        tier: of a line that does not say it.
    """
    known_cuts = raw.has("chain") or not (raw.has("exact") and raw.flag("exact"))
    return StoredState(
        position=raw.whole("position"),
        provenance=raw.one_of("provenance", get_args(Provenance)),
        cut_hash=(raw.whole("chain") if raw.has("chain") else None) if known_cuts else SOME_CUTS,
        has_hidden=raw.has("has_hidden") and raw.flag("has_hidden"),
        stored=raw.one_of("stored", get_args(StateFormat)),
        error=raw.number("error"),
        tier=raw.one_of("tier", get_args(TierName)) if raw.has("tier") else tier,
        verdict=_verdict(raw.inner("verdict")) if raw.has("verdict") else None,
        why=raw.one_of("why", get_args(Why)) if raw.has("why") else "",
    )


def _verdict(raw: Fields) -> Verdict:
    return Verdict(
        status=raw.one_of("status", get_args(VerdictStatus)),
        largest=raw.number("largest"),
        kl=raw.number("kl"),
        time=raw.number("time"),
    )


def verdict_of(stamped: changes.Stamped, time: float) -> Verdict | None:
    """The record's verdict; None if it is not a known one."""
    status = next((known for known in get_args(VerdictStatus) if known == stamped.status), None)
    return None if status is None else Verdict(status, stamped.largest, stamped.kl, time)
