"""The texts of the list of models. Without Qt."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.words import format as fmt
from app.core.words.download_words import amount, progress_line
from app.core.words.joining import listed
from app.core.words.tr import tr
from app.models.logic.pace import USUAL_CONTEXT, Fit, FormatRow, Pace, best, rows_of
from app.models.logic.seeking import EVERYTHING, Sought
from app.models.logic.shelf import ShelfEntry
from engine.machine_speed import MachineSpeed

if TYPE_CHECKING:
    from engine.hub.download import Progress
    from engine.model.needs import ModelNeeds


_KINDS = {
    "bundled": tr("Bundled: a small demo, not for real questions"),
    "downloaded": tr("Downloaded and verified"),
    "folder": tr("A folder of yours"),
    "file": tr("A GGUF file on this computer"),
    "begun": tr("Download not finished"),
    "found": tr("On Hugging Face"),
    "known": tr("On Hugging Face"),
    "match": tr("On Hugging Face"),
}


def kind_text(entry: ShelfEntry, *, is_open: bool) -> str:
    """A model's location."""
    if is_open:
        return tr("Open now")
    return _KINDS[entry.kind]


def size_text(entry: ShelfEntry, needs: ModelNeeds | None) -> str:
    """ "752 M parameters · 1.40 GiB on disk"."""
    parts = []
    count = entry.parameters if needs is None else needs.parameters
    if needs is not None:
        parts.append(parameters_text(needs))
    elif count:
        parts.append(tr("about {count} parameters").format(count=short_count(count)))
    if entry.manifest is not None:
        what = tr("{size} on disk") if entry.here else tr("{size} to download")
        parts.append(what.format(size=fmt.byte_size(entry.manifest.bytes)))
    elif count and not entry.here:
        # The published text model; parts that Biplane does not use are extra.
        parts.append(tr("about {size} to download").format(size=fmt.byte_size(2 * count)))
    return " · ".join(parts)


def parameters_text(needs: ModelNeeds) -> str:
    """ "34.7 B parameters, 3.45 B active"."""
    whole = tr("{count} parameters").format(count=short_count(needs.parameters))
    if needs.active_parameters == needs.parameters:
        return whole
    return tr("{whole}, {count} active").format(
        whole=whole, count=short_count(needs.active_parameters)
    )


def short_count(value: int) -> str:
    """752,393,024 -> "752 M", 34,660,610,688 -> "34.7 B"."""
    for limit, name in ((10**9, "B"), (10**6, "M"), (10**3, "K")):
        if value >= limit:
            found = value / limit
            return f"{found:.{2 if found < 10 else 1 if found < 100 else 0}f} {name}"
    return str(value)


def licence_text(licence: str) -> str:
    """The licence's usual name; its text is in the model's own files."""
    known = {"apache-2.0": "Apache 2.0", "mit": "MIT", "other": tr("a licence of its own")}
    return known.get(licence, licence) or tr("not stated")


def fit_text(fit: Fit, device: str) -> str:
    """Whether a model fits, in one sentence."""
    where = tr("GPU memory") if device == "cuda" else tr("memory")
    needed, free = fmt.byte_size(fit.needed), fmt.byte_size(fit.free)
    context = tr("{count} tokens of context").format(count=fmt.count(fit.context))
    if fit.longest:
        context = tr("its longest context, {count} tokens").format(count=fmt.count(fit.context))
    if fit.fits and fit.expert_bytes:
        return tr(
            "Fits with {room} of its experts in {where} and the others read from the files: it "
            "would be slower."
        ).format(room=fmt.byte_size(fit.expert_bytes), where=where)
    if fit.fits:
        return tr(
            "Fits: {needed} of the {free} of {where} that other programs leave, for {context}."
        ).format(needed=needed, free=free, where=where, context=context)
    return tr(
        "Does not fit: it needs {needed} for {context}, and other programs leave {free} of {where}."
    ).format(needed=needed, free=free, where=where, context=context)


def part_texts(fit: Fit) -> tuple[tuple[str, str, str], ...]:
    """Colour token, name and size of each part of the bar."""
    names = {
        "faint": tr("other programs"),
        "weights": tr("weights"),
        "kv_cached": tr("keys and values"),
        "state_cached": tr("states"),
        "host": tr("host memory"),
        "workspace": tr("working memory"),
    }
    return tuple(
        (token, names[token], fmt.byte_size(size)) for token, size in fit.parts if size > 0
    )


def pace_text(pace: Pace) -> tuple[str, str]:
    """The speeds of prefill and decode; "~" marks estimates."""
    return tuple(  # type: ignore[return-value]
        "–" if value is None else f"~{fmt.rate(rounded(value))}"
        for value in (pace.read_tok_s, pace.write_tok_s)
    )


def rounded(value: float) -> float:
    """Rounded to two digits: 17,057 -> 17,000. Estimates are no more precise."""
    return float(f"{value:.2g}")


def format_text(row: FormatRow, *, chosen: bool) -> str:
    """A format in one sentence, for screen readers."""
    parts = [row.size.name, fmt.byte_size(row.size.weight_bytes)]
    read, write = pace_text(row.pace)
    if row.pace.read_tok_s is not None:
        parts.append(tr("reads {rate}").format(rate=read))
    if row.pace.write_tok_s is not None:
        parts.append(tr("writes {rate}").format(rate=write))
    parts.append(fits_word(row))
    if chosen:
        parts.append(tr("recommended"))
    return listed(parts)


def fits_word(row: FormatRow) -> str:
    if not row.fit.fits:
        return tr("does not fit")
    return tr("fits in part") if row.fit.expert_bytes else tr("fits")


def advice_text(rows: tuple[FormatRow, ...], chosen: FormatRow | None) -> str:
    """Which format to choose and why, in one sentence."""
    if chosen is None:
        smallest = min(row.fit.needed for row in rows)
        return tr(
            "No format fits: {size} would be needed. Choose a shorter context, close other "
            "programs, or take a smaller model."
        ).format(size=fmt.byte_size(smallest))
    name, first = chosen.size.name, rows[0]
    if len(rows) == 1 and not chosen.fit.expert_bytes:
        return tr("The file's own format is kept: nothing in it is rounded again.")
    if chosen.fit.expert_bytes:
        return tr(
            "No format fits whole. {name} comes closest; with less context or more free memory it "
            "would be faster."
        ).format(name=name)
    if chosen is first:
        slower = [row for row in rows[1:] if row.pace.write_tok_s is not None]
        if chosen.pace.write_tok_s is None or not slower:
            return tr("Choose {name}: it fits, and is the model as published.").format(name=name)
        return tr(
            "Choose {name}: it is the model as published, and fewer bits are hardly faster here."
        ).format(name=name)
    if not first.fit.fits or first.fit.expert_bytes:
        return tr("Choose {name}: {other} does not fit.").format(name=name, other=first.size.name)
    times = (chosen.pace.write_tok_s or 0) / (first.pace.write_tok_s or 1)
    return tr("Choose {name}: it writes about {times} times as fast as {other} here.").format(
        name=name, times=f"{times:.1f}", other=first.size.name
    )


def measured_text(speed: MachineSpeed | None, measuring: bool, rows: tuple[FormatRow, ...]) -> str:
    """The source of the formats' figures, or why there are none."""
    if measuring:
        return tr("Measuring this machine in the background; it stops while an answer is written.")
    if speed is None:
        return tr("This machine has not been measured yet, so speeds are not known.")
    if not any(row.paced for row in rows):
        return (
            tr("Its speed would depend on the disk, from which experts are read.")
            if any(row.fit.expert_bytes for row in rows)
            else tr("It is too small for its speed to be reckoned from this machine's figures.")
        )
    return tr("Speeds are reckoned from a measurement of this machine on {date}.").format(
        date=speed.date
    )


def row_text(entry: ShelfEntry, needs: ModelNeeds | None, line: str) -> str:
    """The second line of a row in the list."""
    if entry.problem:
        return tr("Damaged")
    if line:
        return line
    if entry.kind == "begun" and entry.manifest is not None:
        return tr("Paused at {amount}").format(
            amount=amount(entry.done_bytes, entry.manifest.bytes)
        )
    if entry.kind in ("folder", "file") and needs is None:
        return str(entry.folder)
    count = entry.parameters if needs is None else needs.parameters
    parts = [short_count(count)] if count else []
    if entry.manifest is not None:
        parts.append(fmt.byte_size(entry.manifest.bytes))
    elif count and not entry.here:
        parts.append(f"~{fmt.byte_size(2 * count)}")
    elif entry.kind == "file" and needs is not None:
        # Files of one model differ in little else.
        parts.append(fmt.byte_size(needs.formats[0].weight_bytes))
    # Names alone are often alike.
    more = entry.repo.partition("/")[0] if entry.kind in ("found", "match") else entry.about
    return " · ".join([*parts, *([more] if more and parts else [])])


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A row of the list: a heading, which has no entry, or a model.

    Attributes:
        line: the smaller text below the name, or beside a heading.
        share: downloaded share; None if there is no download.
        mark: colour token of a dot at the right; "" for none.
    """

    title: str
    entry: ShelfEntry | None = None
    line: str = ""
    share: float | None = None
    mark: str = ""
    is_open: bool = False

    @property
    def mark_text(self) -> str:
        """The meaning of the dot."""
        return _MARKS.get(self.mark, "")


def rows_of_list(
    entries: Sequence[ShelfEntry],
    needs: Mapping[str, ModelNeeds],
    running: Mapping[str, Progress],
    troubled: Container[str],
    is_open: Callable[[ShelfEntry], bool],
    host_bytes: int,
    speed: MachineSpeed | None,
    wanted: Sought = EVERYTHING,
    hub: str = "",
) -> list[ModelRow]:
    """Headings and models. `running` is by repository, the others by key.

    wanted: which of them; hub: how the search on the hub is getting on, beside its heading.
    """
    here, there = list[ModelRow](), list[ModelRow]()
    for entry in entries:
        known, progress = needs.get(entry.key), progress_of(entry, running)
        goes = progress is not None and not progress.over
        share = None
        if progress is not None and goes:
            share = progress.done_bytes / max(progress.total_bytes, 1)
        elif entry.kind == "begun" and entry.manifest is not None:
            share = entry.done_bytes / max(entry.manifest.bytes, 1)
        line = progress_line(progress) if progress is not None and goes else ""
        mark = _mark(entry, known, troubled, host_bytes, speed)
        if not wanted.finds(
            entry,
            entry.parameters if known is None else known.parameters,
            said=f"{entry.about} {_KINDS[entry.kind]} {licence_text(entry.licence)}",
            fits=mark in _FITTING,
        ):
            continue
        (here if entry.here else there).append(
            ModelRow(
                title=entry.name,
                entry=entry,
                line=row_text(entry, known, line),
                share=share,
                mark=mark,
                is_open=is_open(entry),
            )
        )
    if wanted != EVERYTHING and not hub and not there:
        hub = tr("nothing found")
    heading = ModelRow(tr("ON HUGGING FACE"), line=hub)
    return [
        *([ModelRow(tr("ON THIS COMPUTER")), *here] if here else []),
        *([heading, *there] if there or hub else []),
    ]


def progress_of(entry: ShelfEntry, running: Mapping[str, Progress]) -> Progress | None:
    """The download of a model; of a repository's GGUF files only the one that is fetched has it."""
    progress = running.get(entry.repo)
    fetched = None if progress is None else progress.manifest
    other = entry.choice and fetched is not None and entry.choice not in fetched.choices
    return None if other else progress


_MARKS = {
    "good": tr("fits this machine"),
    "replayed": tr("fits in part"),
    "faint": tr("does not fit this machine"),
    "danger": tr("has a problem"),
}
_FITTING = ("good", "replayed")


def _mark(
    entry: ShelfEntry,
    needs: ModelNeeds | None,
    troubled: Container[str],
    host_bytes: int,
    speed: MachineSpeed | None,
) -> str:
    """The dot, a key of `_MARKS`."""
    if entry.problem or entry.key in troubled:
        return "danger"
    if needs is None:
        return ""
    found = best(rows_of(needs, USUAL_CONTEXT, host_bytes, speed))
    if found is None:
        return "faint"
    return "replayed" if found.fit.expert_bytes else "good"
