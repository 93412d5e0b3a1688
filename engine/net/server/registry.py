"""The clients and requests of the server, as frozen records for the window and the metrics."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.commands import FIRST_CLIENT, FIRST_ONE_SHOT
from engine.reuse import ReusePlan, ReuseReport

# Client requests are numbered from here; the window numbers its own from 1.
FIRST_REQUEST = 1 << 40
# One server may follow another on the same cache.
_OWNERS = itertools.count(FIRST_CLIENT)
MOST_REQUESTS = 200
MOST_CLIENTS = 100
# Number of colours that distinguish clients.
COLOURS = 8
# Upper bounds in seconds of the first-token histogram.
BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)

State = Literal["waiting", "reading", "writing", "done", "stopped", "refused", "failed"]
OPEN_STATES = ("waiting", "reading", "writing")


@dataclass(frozen=True, slots=True)
class ClientRecord:
    """A program that uses the server, identified by the name it sends.

    Attributes:
        owner: its number in the tree; see Submit.owner and NodeOwner.
        one_shots: its number there for requests without history, which are rarely continued.
        name: for display.
        colour: an index, 0 to 7.
        first_seen, last_seen: in `time.time()` seconds.
        requests: number of requests sent.
        reused, replayed, new: tokens of its prompts.
    """

    owner: int
    name: str
    colour: int
    first_seen: float
    last_seen: float
    requests: int = 0
    reused: int = 0
    replayed: int = 0
    new: int = 0
    one_shots: int = 0


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One request to the model.

    Attributes:
        number: as in events and the journal.
        owner: its client's.
        path: of the interface it used.
        began, ended: in `time.time()` seconds; None while it is open.
        plan: None until it is looked up.
        report: None until it is over.
        notes: sentences for the user, for example about a volatile line.
        sentence: why it failed.
    """

    number: int
    owner: int
    path: str
    state: State
    began: float
    ended: float | None = None
    plan: ReusePlan | None = None
    report: ReuseReport | None = None
    notes: tuple[str, ...] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums since the server was started.

    Attributes:
        requests: number of requests that ended, by their last state.
        reused, replayed, new, generated, drafted, drafts_kept: tokens.
        first_token: number of answers whose first token came within each bound of BUCKETS.
        first_tokens, first_token_s: number and sum of the times to the first token.
    """

    requests: tuple[tuple[State, int], ...] = ()
    reused: int = 0
    replayed: int = 0
    new: int = 0
    generated: int = 0
    drafted: int = 0
    drafts_kept: int = 0
    first_token: tuple[int, ...] = (0,) * len(BUCKETS)
    first_tokens: int = 0
    first_token_s: float = 0.0


@dataclass(frozen=True, slots=True)
class ServerSnapshot:
    """Everything at one moment; `version` grows with every change.

    Attributes:
        clients: most recently seen first.
        requests: the latest 200, newest last.
    """

    version: int = 0
    clients: tuple[ClientRecord, ...] = ()
    requests: tuple[RequestRecord, ...] = ()
    totals: Totals = Totals()

    @property
    def open(self) -> tuple[RequestRecord, ...]:
        """The queued and running requests."""
        return tuple(one for one in self.requests if one.state in OPEN_STATES)


class ClientRegistry:
    """Written on the server's thread; `snapshot` may be read on any.

    Attributes:
        snapshot: the current one; each change replaces it.
    """

    def __init__(self) -> None:
        self.snapshot = ServerSnapshot()
        self._clients: dict[str, ClientRecord] = {}

    def client(self, name: str) -> ClientRecord:
        """The client of that name, marked as seen now."""
        now = time.time()
        known = self._clients.pop(name, None)
        if known is None:
            owner = next(_OWNERS)
            place = owner - FIRST_CLIENT
            known = ClientRecord(
                owner, name, place % COLOURS, now, now, one_shots=FIRST_ONE_SHOT + place
            )
        self._clients[name] = replace(known, last_seen=now)
        while len(self._clients) > MOST_CLIENTS:
            self._clients.pop(next(iter(self._clients)))
        self._publish()
        return self._clients[name]

    def begin(self, number: int, client: ClientRecord, path: str, notes: Sequence[str]) -> None:
        """A request was submitted to the engine."""
        record = RequestRecord(
            number, client.owner, path, "waiting", time.time(), notes=tuple(notes)
        )
        self._count(client.owner, requests=1)
        self._publish((*self.snapshot.requests[-MOST_REQUESTS + 1 :], record))

    def found(self, number: int, plan: ReusePlan) -> None:
        """Its prompt was looked up, and prefill begins."""
        self._change(number, state="reading", plan=plan)

    def writes(self, number: int) -> None:
        """Its first token was generated."""
        self._change(number, state="writing")

    def ended(
        self, number: int, state: State, report: ReuseReport | None = None, sentence: str = ""
    ) -> None:
        """It ended; only the first call counts."""
        record = next((one for one in self.snapshot.requests if one.number == number), None)
        if record is None or record.state not in OPEN_STATES:
            return
        totals = _added(self.snapshot.totals, state, report)
        if report is not None:
            plan = report.plan
            self._count(record.owner, reused=plan.reused, replayed=plan.replayed, new=plan.computed)
            self._change(number, plan=plan, report=report)
        self._change(number, totals, state=state, ended=time.time(), sentence=sentence)

    def _count(self, owner: int, **more: int) -> None:
        for name, client in self._clients.items():
            if client.owner == owner:
                sums = {field: getattr(client, field) + count for field, count in more.items()}
                self._clients[name] = replace(client, **sums)

    def _change(self, number: int, totals: Totals | None = None, **fields: object) -> None:
        requests = tuple(
            replace(one, **fields) if one.number == number else one  # type: ignore[arg-type]
            for one in self.snapshot.requests
        )
        self._publish(requests, totals)

    def _publish(
        self, requests: tuple[RequestRecord, ...] | None = None, totals: Totals | None = None
    ) -> None:
        now = self.snapshot
        self.snapshot = ServerSnapshot(
            now.version + 1,
            tuple(reversed(self._clients.values())),
            now.requests if requests is None else requests,
            now.totals if totals is None else totals,
        )


def _added(totals: Totals, state: State, report: ReuseReport | None) -> Totals:
    counts = dict(totals.requests)
    counts[state] = counts.get(state, 0) + 1
    totals = replace(totals, requests=tuple(counts.items()))
    if report is None:
        return totals
    plan, first = report.plan, report.first_token_s
    totals = replace(
        totals,
        reused=totals.reused + plan.reused,
        replayed=totals.replayed + plan.replayed,
        new=totals.new + plan.computed,
        generated=totals.generated + report.generated,
        drafted=totals.drafted + report.drafts.drafted,
        drafts_kept=totals.drafts_kept + report.drafts.kept,
    )
    if first is None:
        return totals
    return replace(
        totals,
        first_token=tuple(
            count + (first <= most) for count, most in zip(totals.first_token, BUCKETS, strict=True)
        ),
        first_tokens=totals.first_tokens + 1,
        first_token_s=totals.first_token_s + first,
    )
