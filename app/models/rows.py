"""What the list of models says in each row. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.models.fit import USUAL_CONTEXT
from app.models.pace import best, rows_of
from app.models.shelf import Entry
from app.models.words import row_text
from app.words.download_words import progress_line
from app.words.tr import tr
from engine.machine_speed import MachineSpeed

if TYPE_CHECKING:
    from engine.hub.download import Progress
    from engine.model.needs import ModelNeeds


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a heading, which has no entry, or a model.

    Attributes:
        line: the smaller text below the name.
        share: of a download that has come; None where there is none.
        mark: colour token of a dot at the right; "" for none.
    """

    title: str
    entry: Entry | None = None
    line: str = ""
    share: float | None = None
    mark: str = ""
    is_open: bool = False

    @property
    def mark_text(self) -> str:
        """What the dot means."""
        return _MARKS.get(self.mark, "")


def rows_of_list(
    entries: Sequence[Entry],
    needs: Mapping[str, ModelNeeds],
    running: Mapping[str, Progress],
    troubled: Container[str],
    is_open: Callable[[Entry], bool],
    host_bytes: int,
    speed: MachineSpeed | None,
) -> list[Row]:
    """Headings and models; `running` by repository, the others by key."""
    headings = {True: tr("ON THIS COMPUTER"), False: tr("ON HUGGING FACE")}
    rows: list[Row] = []
    told: set[bool] = set()
    for entry in sorted(entries, key=lambda entry: not entry.here):
        if entry.here not in told:
            told.add(entry.here)
            rows.append(Row(headings[entry.here]))
        known, progress = needs.get(entry.key), running.get(entry.repo)
        goes = progress is not None and not progress.over
        share = None
        if progress is not None and goes:
            share = progress.done_bytes / max(progress.total_bytes, 1)
        elif entry.kind == "begun" and entry.manifest is not None:
            share = entry.done_bytes / max(entry.manifest.bytes, 1)
        line = progress_line(progress) if progress is not None and goes else ""
        rows.append(
            Row(
                title=entry.name,
                entry=entry,
                line=row_text(entry, known, line),
                share=share,
                mark=_mark(entry, known, troubled, host_bytes, speed),
                is_open=is_open(entry),
            )
        )
    return rows


_MARKS = {
    "good": tr("fits this machine"),
    "replayed": tr("fits in part"),
    "faint": tr("does not fit this machine"),
    "danger": tr("has a problem"),
}


def _mark(
    entry: Entry,
    needs: ModelNeeds | None,
    troubled: Container[str],
    host_bytes: int,
    speed: MachineSpeed | None,
) -> str:
    """Of the dot: what `_MARKS` says of it."""
    if entry.problem or entry.key in troubled:
        return "danger"
    if needs is None:
        return ""
    found = best(rows_of(needs, USUAL_CONTEXT, host_bytes, speed))
    if found is None:
        return "faint"
    return "replayed" if found.fit.expert_bytes else "good"
