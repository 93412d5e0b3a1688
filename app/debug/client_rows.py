"""The tables of the server's clients and of their requests, a row for each. Without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.debug.why.request_rows import clock
from app.words import format as fmt
from app.words.engine_words import said
from app.words.tr import tr
from engine.reuse import Reason

if TYPE_CHECKING:
    from engine.serve.book import ClientRecord, RequestRecord

_REUSE = (tr("Reused"), tr("Replayed"), tr("New"))
CLIENT_COLUMNS = (tr("Client"), tr("Requests"), *_REUSE, tr("Last seen"))
REQUEST_COLUMNS = (tr("Time"), tr("Client"), tr("State"), *_REUSE, tr("First token"), tr("Why"))
# Of either table, those that are read as figures.
CLIENT_FIGURES = (1, 2, 3, 4)
REQUEST_FIGURES = (0, 3, 4, 5, 6)
_STATES = {
    "waiting": tr("waiting"),
    "reading": tr("reading"),
    "writing": tr("writing"),
    "done": tr("done"),
    "stopped": tr("stopped"),
    "refused": tr("refused"),
    "failed": tr("failed"),
}
_NOT_YET = "–"


def client_cells(client: ClientRecord) -> tuple[str, ...]:
    """The row of a client."""
    figures = (client.requests, client.reused, client.replayed, client.new)
    return (client.name, *(fmt.count(one) for one in figures), clock(client.last_seen))


def request_cells(request: RequestRecord, name: str) -> tuple[str, ...]:
    """The row of a request; `name`: of its client."""
    plan, report = request.plan, request.report
    figures = (_NOT_YET,) * 3
    if plan is not None:
        figures = (fmt.count(plan.reused), fmt.count(plan.replayed), fmt.count(plan.computed))
    first = None if report is None else report.first_token_s
    return (
        clock(request.began),
        name,
        _STATES[request.state],
        *figures,
        _NOT_YET if first is None else fmt.seconds(first),
        why(request),
    )


def why(request: RequestRecord) -> str:
    """Why it did not reuse more, in a few words, and what of its system text is to blame."""
    plan = request.plan
    reason = "" if plan is None or plan.reason is Reason.NONE else said(plan.reason.value)
    return " · ".join(part for part in (reason, *map(said, request.notes)) if part)


def sentences(request: RequestRecord) -> str:
    """All that is known about a request, a sentence a line."""
    plan = request.plan
    found = [said(request.sentence), "" if plan is None else said(plan.detail)]
    found += map(said, request.notes)
    at = None if plan is None else plan.divergence
    # Those of the system text are all there are.
    if request.notes and plan is not None and at is not None and at.message in (None, 0):
        words = tr("It could have reused {tokens} more, at most, if they had stayed the same.")
        found.append(words.format(tokens=fmt.plural(plan.total - plan.reused, "token")))
    return "\n".join(one for one in found if one)
