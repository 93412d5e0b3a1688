"""Tables as CSV: plain numbers, with units in the headings. Without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from app.debugger.logic.comparing import FIGURES, SHEET, Compared
from app.debugger.timeline.logic.columns import ran_of
from app.ui.export.table import table
from engine.journal.tape import Tape

_REQUESTS = (
    "request",
    "session",
    "turn",
    "kind",
    "began_s",
    "prompt_tokens",
    "reused",
    "replayed",
    "new",
    "generated",
    "first_token_s",
    "total_s",
    "lookup_ms",
    "restore_ms",
    "replay_ms",
    "prefill_ms",
    "stop",
    "resumed_from",
    "provenance",
    "reason",
)
_EVICTIONS = (
    "entry",
    "time_s",
    "tier",
    "plane",
    "cause",
    "node",
    "start",
    "end",
    "kv_bytes",
    "state_bytes",
    "provenance",
    "copy",
)


def requests_csv(tape: Tape) -> str:
    """One line per request; times are seconds after the first."""
    start = tape.requests[0].began if tape.requests else 0.0
    rows = []
    for taped in tape.requests:
        ran, made = taped.bare, ran_of(taped.bare)
        first = "" if ran.first_token_s is None else f"{ran.first_token_s:.6f}"
        rows.append(
            (
                taped.number + 1,
                taped.session,
                taped.turn,
                ran.kind,
                f"{taped.began - start:.6f}",
                ran.reused + ran.replayed + ran.computed,
                made.reused,
                made.replayed,
                made.computed,
                made.decoded,
                first,
                f"{ran.total_s:.6f}",
                f"{ran.lookup_ms:.3f}",
                f"{ran.restore_ms:.3f}",
                f"{1e3 * made.seconds[2]:.3f}",
                f"{1e3 * made.seconds[3]:.3f}",
                ran.stop,
                ran.resumed_from,
                ran.provenance,
                ran.reason,
            )
        )
    return table(_REQUESTS, rows)


def evictions_csv(tape: Tape) -> str:
    """One line per eviction on any tier."""
    start = tape.time(0)
    return table(
        _EVICTIONS,
        (
            (
                taped.index,
                f"{gone.time - start:.6f}",
                gone.tier,
                gone.plane,
                gone.cause,
                gone.node,
                gone.start,
                gone.end,
                gone.kv_bytes,
                gone.state_bytes,
                gone.provenance,
                gone.copy,
            )
            for taped in tape.evictions
            for gone in (taped.evicted,)
        ),
    )


def comparison_csv(rows: Sequence[Compared]) -> str:
    """One line per request of two tapes; times in seconds."""
    return table(
        SHEET.titles,
        (
            (
                row.number + 1,
                row.session,
                *chain.from_iterable(map(row.values, range(len(FIGURES)))),
            )
            for row in rows
        ),
    )
