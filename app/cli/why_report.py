"""The report of `biplane trace why`: for people in 80 columns, and for scripts as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from textwrap import wrap
from typing import Any

from app.core.options.shared import UsageError
from app.core.words import format as shown
from app.debugger.why.logic import words
from app.debugger.why.logic.advice import advice, effect_words, options
from app.debugger.why.logic.request_rows import SHEET, RequestLine
from app.debugger.why.logic.sides import THIS_PROMPT, other_head, sides_note, spoken, visible
from app.ui.filter import FilterError, Query, parse
from engine.analysis.why.cause import NORMAL
from engine.analysis.why.causes import CauseSum, causes_of
from engine.analysis.why.divergence import Sides, SideToken
from engine.analysis.why.evidence import Evidence, Investigator
from engine.analysis.why.suggestion import Suggestion, suggest
from engine.errors import TraceError
from engine.journal.tape import read_tape

JSON_FORMAT = 1
WIDTH = 80


def asked_for(text: str) -> Query:
    """A filter of requests. Raises UsageError if it cannot be understood."""
    try:
        return parse(text, SHEET.fields)
    except FilterError as error:
        raise UsageError(str(error)) from None


class Explained:
    """A recording with every request explained.

    Attributes:
        tape: the recording.
        all: the evidence about each request, in order.
    """

    def __init__(self, path: Path, *, remedies: bool) -> None:
        """Raises TraceError if the file cannot be read, or has nothing to explain.

        remedies: whether to simulate what would have helped.
        """
        self._name, self._remedies = path.name, remedies
        self.tape = read_tape(path)
        if not self.tape.requests:
            raise TraceError("{name} has no request to explain.", name=path.name)
        if self.tape.header is None:
            raise TraceError(
                "{name} has requests, but not what a cache did with them: run them on one with "
                "biplane trace replay.",
                name=path.name,
            )
        self._investigator = Investigator(self.tape)
        self._investigator.follow()
        self.all = [self._investigator.explain(n) for n in range(len(self.tape.requests))]

    def numbered(self, number: int) -> Evidence:
        """A request by its number, from 1. Raises UsageError if there is none."""
        if number > len(self.all):
            requests = shown.plural(len(self.all), "request")
            raise UsageError(f"There is no request {number:,}: {self._name} has {requests}.")
        return self.all[number - 1]

    def having(self, wanted: Query) -> list[Evidence]:
        """The requests that a filter accepts."""
        lines = (
            RequestLine(one.request, _title(one.request.session), one, 0.0) for one in self.all
        )
        rows = [SHEET.line(line.request.number, line) for line in lines]
        return [self.all[row.number] for row in rows if wanted.accepts(row)]

    # ---- for people

    def lines(self, chosen: Sequence[Evidence], *, whole: bool) -> Iterator[str]:
        """The report on some requests, or about a single one if it is not about the whole file."""
        if not whole:
            for one in chosen:
                yield from self._request(one)
            return
        yield from self._head(chosen)
        causes = causes_of(chosen)
        for found in causes:
            if found.notable:
                yield from self._cause(found)
        yield from _quiet([found for found in causes if not found.notable])

    def _head(self, chosen: Sequence[Evidence]) -> Iterator[str]:
        sums = _sums(chosen)
        requests, total = shown.plural(len(chosen), "request"), sums["tokens"]
        yield f"{self._name}: {requests}, {shown.plural(total, 'prompt token')}"
        if not chosen:
            return
        yield (
            f"{sums['reused']:,} reused ({sums['reused'] / total:.0%}), "
            f"{sums['replayed']:,} replayed, {sums['computed']:,} computed; "
            f"{sums['lost']:,} lost: they had run before"
        )
        header = self.tape.header
        if header is not None and not header.complete:
            yield from _wrapped("The recording began on a cache that had run requests already.")

    def _cause(self, found: CauseSum) -> Iterator[str]:
        requests = shown.plural(len(found.requests), "request")
        yield ""
        yield f"{found.cause.value}: {shown.plural(found.lost, 'token')} lost in {requests}"
        for line in self._request(found.worst):
            yield f"  {line}" if line else ""

    def _request(self, one: Evidence) -> Iterator[str]:
        known = words.context_of(self._investigator, one, _title)
        yield from _wrapped(words.request_line(one, known))
        yield from _wrapped(words.sentence(one, known))
        if one.sides is not None:
            yield from _texts(one, one.sides)
        remedy = self._remedy(one)
        if remedy is not None:
            yield from _wrapped(advice(remedy, one), "Remedy: ")
            if effect := effect_words(remedy):
                yield from _wrapped(effect, "Effect: ")

    def _remedy(self, one: Evidence) -> Suggestion | None:
        """The simulated remedy; None if none is wanted, or nothing needs one."""
        if not self._remedies or one.cause in NORMAL:
            return None
        return suggest(self._investigator.lives, one)

    # ---- for scripts

    def as_json(self, chosen: Sequence[Evidence], *, whole: bool) -> dict[str, Any]:
        """Plain data, as the help of `biplane trace why` documents it."""
        header = self.tape.header
        about = {
            "format": JSON_FORMAT,
            "file": self._name,
            "model": None if header is None else header.model,
            "complete": header is not None and header.complete,
            "truncated": self.tape.truncated,
            "requests": len(chosen),
            **_sums(chosen),
        }
        if not whole:
            return about | {"request": self._request_json(chosen[0])}
        causes = [
            {
                "cause": found.cause.value,
                "normal": found.cause in NORMAL,
                "requests": [number + 1 for number in found.requests],
                "lost": found.lost,
                "worst": self._request_json(found.worst),
            }
            for found in causes_of(chosen)
        ]
        return about | {"causes": causes}

    def _request_json(self, one: Evidence) -> dict[str, Any]:
        known = words.context_of(self._investigator, one, _title)
        remedy = self._remedy(one)
        return {
            "request": one.request.number + 1,
            "conversation": one.request.session + 1,
            "turn": one.request.turn + 1,
            **_sums([one]),
            "known": one.known,
            "cause": one.cause.value,
            "sentence": words.sentence(one, known),
            "needed": one.needed,
            "texts": None if one.sides is None else _texts_json(one, one.sides),
            "remedy": None if remedy is None else _remedy_json(remedy, one),
        }


def _title(session: int) -> str:
    return f"Conversation {session + 1}"


def _sums(chosen: Sequence[Evidence]) -> dict[str, int]:
    return {
        "tokens": sum(one.total for one in chosen),
        "reused": sum(one.reused for one in chosen),
        "replayed": sum(one.replayed for one in chosen),
        "computed": sum(one.computed for one in chosen),
        "lost": sum(one.again for one in chosen),
    }


def _quiet(causes: Sequence[CauseSum]) -> Iterator[str]:
    """One sentence about the requests that lost nothing."""
    if not causes:
        return
    requests = shown.plural(sum(len(found.requests) for found in causes), "request")
    counts = ", ".join(f"{len(found.requests):,} {found.cause.value}" for found in causes)
    yield ""
    yield from _wrapped(f"Nothing was lost in {requests}: {counts}.")


def _texts(one: Evidence, sides: Sides) -> Iterator[str]:
    """Both texts with what differs in brackets, and where they part."""
    if sides.known:
        for name, side in ((other_head(one), sides.cached), (THIS_PROMPT, sides.prompt)):
            yield f"{name}:"
            yield from _wrapped(visible(spoken(side)), "  ", hanging="  ")
    legend = " What differs is in brackets." if sides.known else ""
    yield from _wrapped(f"{sides_note(one, sides)}{legend}")


def _texts_json(one: Evidence, sides: Sides) -> dict[str, Any]:
    return {
        "at": sides.at,
        "request": None if one.nearest is None else one.nearest + 1,
        "in_answer": one.in_answer,
        "same_after": sides.same_after,
        "earlier": _text(sides.cached) if sides.known else None,
        "prompt": _text(sides.prompt) if sides.known else None,
    }


def _text(side: Sequence[SideToken]) -> str:
    return "".join(token.text for token in side)


def _remedy_json(remedy: Suggestion, one: Evidence) -> dict[str, Any]:
    return {
        "advice": advice(remedy, one),
        "change": None if remedy.change is None else remedy.change.given,
        "options": "" if remedy.change is None else options(remedy.whole),
        "behaviour": None if remedy.behaviour is None else remedy.behaviour.value,
        "tried": remedy.tried,
        "effect": None if remedy.effect is None else asdict(remedy.effect),
    }


def _wrapped(text: str, first: str = "", *, hanging: str = "") -> list[str]:
    """Lines that fit into 80 columns below a cause."""
    return wrap(
        text,
        WIDTH - 2,
        initial_indent=first,
        subsequent_indent=hanging,
        break_on_hyphens=False,
    )
