"""What the bundled model is known to say, and how far a run here is from it.

Other processors round otherwise, and one that multiplies in float32 where another one does in
bfloat16 is the farthest from it: see `BOUND`.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from engine.message import Message, PromptOptions

if TYPE_CHECKING:
    from engine import Engine

QUESTIONS = ("What is a prefix cache?", "Explain, step by step, what a checkpoint costs.")
SYSTEM = "You are a patient guide to prefix caches. Answer in a few short sentences."
MOST_GREEDY = 24
# Between logits. Measured on an AMD EPYC: 0.04 with the kernels for AVX2, 0.06 with PyTorch's
# operators in bfloat16; the stored ones were computed in float32.
BOUND = 0.25
# The two likeliest tokens have to be this far apart for the choice to be the same everywhere.
MARGIN = 2 * BOUND
_MOST_BYTES = 1 << 22


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the logits after it, and the tokens of the greedy answer.

    Attributes:
        logits: of every token of the vocabulary.
        greedy: up to the first choice that rounding could change.
    """

    question: str
    logits: tuple[float, ...]
    greedy: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A run beside what is stored.

    Attributes:
        largest: between two logits.
        same: how many of the greedy tokens are the same, from the first on; of all.
    """

    question: str
    largest: float
    same: int
    tokens: int

    @property
    def passed(self) -> bool:
        return self.largest <= BOUND and self.same == self.tokens


def stored_file() -> Path:
    """The bundled file."""
    import assets

    return Path(assets.__file__).parent / "demo_logits.json.gz"


def read(path: Path) -> tuple[Case, ...]:
    """Raises OSError and ValueError if it is missing or damaged."""
    with gzip.open(path) as file:
        raw = file.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise ValueError("it is too large")
    return msgspec.json.decode(raw, type=tuple[Case, ...])


def write(cases: tuple[Case, ...], path: Path) -> None:
    """The same bytes each time."""
    packed = gzip.compress(msgspec.json.encode(cases), mtime=0)
    path.write_bytes(packed)


def measured(engine: Engine) -> tuple[Case, ...]:
    """Run the questions cold. Raises BiplaneError."""
    return tuple(_measure(engine, question) for question in QUESTIONS)


def differences(stored: tuple[Case, ...], engine: Engine) -> list[Difference]:
    """Run the stored questions cold, and compare. Raises BiplaneError."""
    return [_compare(case, _logits_of(engine)) for case in stored]


def _measure(engine: Engine, question: str) -> Case:
    logits_after = _logits_of(engine)
    first = logits_after(question, ())
    greedy: list[int] = []
    now = first
    while len(greedy) < MOST_GREEDY:
        likeliest, second = sorted(range(len(now)), key=now.__getitem__)[:-3:-1]
        if now[likeliest] - now[second] < MARGIN:
            break
        greedy.append(likeliest)
        now = logits_after(question, tuple(greedy))
    return Case(question, tuple(round(value, 4) for value in first), tuple(greedy))


def _compare(case: Case, logits_after: Callable[[str, tuple[int, ...]], list[float]]) -> Difference:
    found = logits_after(case.question, ())
    largest = float("inf")
    if len(found) == len(case.logits):
        largest = max(abs(a - b) for a, b in zip(found, case.logits, strict=True))
    same, now = 0, found
    # A value that is not a number is never the largest, and never near.
    for token in case.greedy:
        if max(range(len(now)), key=now.__getitem__) != token:
            break
        same += 1
        now = logits_after(case.question, case.greedy[:same])
    return Difference(
        case.question, largest if largest == largest else float("inf"), same, len(case.greedy)
    )


def _logits_of(engine: Engine) -> Callable[[str, tuple[int, ...]], list[float]]:
    """Logits after a question and some tokens of its answer, without the cache."""

    def after(question: str, answer: tuple[int, ...]) -> list[float]:
        messages = (Message("system", SYSTEM), Message("user", question))
        ids = engine.on_core(lambda core: core.prompt_ids(messages, PromptOptions()))
        logits: list[float] = engine.logits((*ids, *answer), reuse=False).logits.tolist()
        return logits

    return after
