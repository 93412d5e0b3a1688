"""Finds the evicted states that a later request would have resumed from.

A request needed what an eviction removed if its prompt continues from exactly the tokens of that
state, it could only resume earlier, and no other tier had the state. Then it recomputed those
tokens. Prefixes are compared by hash, so that a prompt is read once even for a thousand evictions.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from hashlib import blake2b

from engine.cache.journal.request_ran import RequestRan

DIGEST = 16


@dataclass(frozen=True, slots=True)
class Need:
    """The first request that had to recompute what an eviction removed.

    Attributes:
        request: its number on the tape, from 0.
        after: how many requests after the eviction; 1 is the next one that began.
        tokens: how many more it ran than with that state.
    """

    request: int
    after: int
    tokens: int


class Witness:
    """A request whose sequence passes through some nodes; its tokens are known once it ends.

    Attributes:
        ran: None before its end, or if the tape does not have its end.
        over: nothing more will become known.
        number: its number on the tape, from 0.
    """

    __slots__ = ("number", "over", "ran")

    def __init__(self) -> None:
        self.ran: RequestRan | None = None
        self.over = False
        self.number = 0

    def key(self, end: int) -> bytes | None:
        """The hash of its first `end` tokens; None if they are unknown."""
        ran = self.ran
        if ran is None or end > len(ran.prompt) + len(ran.decoded):
            return None
        digest = blake2b(ran.prompt[:end].tobytes(), digest_size=DIGEST)
        digest.update(ran.decoded[: max(end - len(ran.prompt), 0)].tobytes())
        return digest.digest()


@dataclass(slots=True)
class PlacedState:
    """A state on a tier: where, and a request with its sequence; None: unknown."""

    tier: str
    end: int
    has_hidden: bool
    witness: Witness | None
    digest: bytes | None = None

    @property
    def ready(self) -> bool:
        return self.witness is None or self.witness.over

    def key(self) -> bytes | None:
        if self.digest is None and self.witness is not None:
            self.digest = self.witness.key(self.end)
        return self.digest


@dataclass(frozen=True, slots=True)
class Stored:
    state: PlacedState


@dataclass(frozen=True, slots=True)
class Gone:
    """`eviction`: the caller's number; `copy`: a tier below that still has the state, or ""."""

    eviction: int
    state: PlacedState
    copy: str


@dataclass(frozen=True, slots=True)
class Began:
    request: Witness


@dataclass(frozen=True, slots=True)
class _Open:
    eviction: int
    began: int
    has_hidden: bool


class Needs:
    """Consumes state changes in order; resolves them once the tokens are known.

    Attributes:
        found: the first need of each eviction, by its number.
        unknown: evictions of states whose tokens the tape does not have.
    """

    def __init__(self) -> None:
        self.found: dict[int, Need] = {}
        self.unknown: set[int] = set()
        self._waiting: deque[Stored | Gone | Began] = deque()
        self._resident: dict[bytes, set[str]] = {}
        self._open: dict[int, dict[bytes, _Open]] = {}
        self._began = 0

    def take(self, what: Stored | Gone | Began) -> None:
        self._waiting.append(what)

    def settle(self) -> None:
        """Process queued changes as far as their tokens are known."""
        while self._waiting and _ready(self._waiting[0]):
            match self._waiting.popleft():
                case Stored(state):
                    self._stored(state)
                case Gone(eviction, state, copy):
                    self._gone(eviction, state, copy)
                case Began(request):
                    self._begins(request)

    def _stored(self, state: PlacedState) -> None:
        key = state.key()
        if key is not None:
            self._resident.setdefault(key, set()).add(state.tier)
            self._open.get(state.end, {}).pop(key, None)

    def _gone(self, eviction: int, state: PlacedState, copy: str) -> None:
        key = state.key()
        if key is None:
            self.unknown.add(eviction)
            return
        tiers = self._resident.get(key, set())
        tiers.discard(state.tier)
        if not tiers:
            self._resident.pop(key, None)
        if not tiers and not copy:
            one = _Open(eviction, self._began, state.has_hidden)
            self._open.setdefault(state.end, {})[key] = one

    def _begins(self, request: Witness) -> None:
        self._began += 1
        ran = request.ran
        if ran is None:
            return
        total, digest, at = len(ran.prompt), blake2b(digest_size=DIGEST), 0
        for end in sorted(self._open):
            if end > total:
                break
            digest.update(ran.prompt[at:end].tobytes())
            at = end
            if end <= ran.reused:
                continue
            lost = self._open[end].get(digest.digest())
            if lost is None or (end == total and not lost.has_hidden):
                continue
            after = self._began - lost.began
            self.found[lost.eviction] = Need(request.number, after, end - ran.reused)
            del self._open[end][digest.digest()]
        self._open = {end: held for end, held in self._open.items() if held}


def _ready(what: Stored | Gone | Began) -> bool:
    return what.request.over if isinstance(what, Began) else what.state.ready
