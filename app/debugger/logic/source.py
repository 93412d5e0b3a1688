"""The data sources of the debugger's panels: the open engine, or a trace file. Without Qt."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Protocol

from app.core.session.acts import Acts
from app.core.session.applied import Values
from app.core.session.counters import Counters
from app.core.session.event_log import EventLog
from app.core.session.model import Session
from app.core.session.names import name_of
from app.core.session.served import Served, is_client
from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.events import InvariantsChecked, ModelInfo, NodeText
from engine.journal.tape import Tape, ignore, read_tape
from engine.snapshot import CacheSnapshot


def forgotten_title(entries: int) -> str:
    """The label of the timeline's left end."""
    return tr("{entries} forgotten").format(entries=fmt.thousands(entries))


def forgotten_sentence(entries: int) -> str:
    """Why nothing is shown before that."""
    first = (
        tr("The first entry was")
        if entries == 1
        else tr("The first {entries:,} entries were").format(entries=entries)
    )
    return tr("{first} forgotten to bound the memory that the record takes.").format(first=first)


def too_early(tape: Tape) -> str:
    """The notice for a moment that is forgotten."""
    return tr(
        "That moment is forgotten: the record goes back to entry {first:,} of "
        "{tape:,}, which is shown instead."
    ).format(first=tape.first + 1, tape=len(tape))


class Source(Protocol):
    """The interface through which the panels read a cache.

    Attributes:
        name: for titles.
        live: it grows, and commands can be sent to its engine.
        tape: all known entries.
    """

    name: str
    live: bool

    @property
    def tape(self) -> Tape: ...

    @property
    def model(self) -> ModelInfo | None:
        """The open model; None for a file, or while none is open."""

    @property
    def checked(self) -> InvariantsChecked | None:
        """The result of the engine's last check of its invariants; None for a file."""

    @property
    def verifying(self) -> frozenset[int]:
        """Nodes whose audits are pending."""

    def newest(self) -> CacheSnapshot | None:
        """The current cache, or that at the end of the file; None while no model is open."""

    def title(self, session: int) -> str:
        """The name of a conversation."""

    def owner_title(self, owner: int) -> str:
        """The name of a conversation as nodes and the running request name it."""

    def also_on(self, node: int) -> str | None:
        """Which other engines have a node's prefix, in words; None if there is only one engine."""

    @property
    def counters(self) -> Counters | None:
        """Polled from a remote engine, on the tape's clock; None if none are polled."""

    @property
    def current(self) -> int | None:
        """The conversation in the chat, as nodes name it; None for a file."""


class LiveSource:
    """The open engine; see Source."""

    name = tr("This engine")
    live = True

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def tape(self) -> Tape:
        """Replaced when another model is opened."""
        return self._session.cache.tape

    @property
    def model(self) -> ModelInfo | None:
        return self._session.engine.here

    @property
    def checked(self) -> InvariantsChecked | None:
        return self._session.cache.checked

    @property
    def verifying(self) -> frozenset[int]:
        return frozenset(self._session.cache.verifying)

    @property
    def log(self) -> EventLog:
        """The notices and evictions of the running program."""
        return self._session.log

    def newest(self) -> CacheSnapshot | None:
        return self._session.cache.snapshot

    @property
    def served(self) -> Served:
        """The clients of the window's server."""
        return self._session.served

    @property
    def acts(self) -> Acts:
        """The manual actions on the cache."""
        return self._session.acts

    @property
    def remembered(self) -> Values:
        """Settings for the next start of the open model, by their names in EngineConfig."""
        return self._session.applied.remembered(self._session.model_folder)

    @property
    def overruled(self) -> frozenset[str]:
        """Those of them that this start's command line overrides."""
        return self._session.applied.overruled(self._session.model_folder)

    @property
    def node_text(self) -> NodeText | None:
        """The answer to the last DescribeNode."""
        return self._session.cache.node_text

    @property
    def current(self) -> int | None:
        return self._session.current.id

    def title(self, session: int) -> str:
        if is_client(session):
            return self._session.served.name(session)
        return name_of(session, self._session.conversations)

    def owner_title(self, owner: int) -> str:
        return self.title(owner)

    def also_on(self, node: int) -> str | None:
        return None

    @property
    def counters(self) -> Counters | None:
        model = self._session.engine.model
        return self._session.counters if model is not None and model.remote else None


class WithoutEngine:
    """What is the same of every source that has no engine of ours."""

    @property
    def model(self) -> ModelInfo | None:
        return None

    @property
    def checked(self) -> InvariantsChecked | None:
        return None

    @property
    def verifying(self) -> frozenset[int]:
        return frozenset()

    @property
    def current(self) -> int | None:
        return None

    def title(self, session: int) -> str:
        return tr("Conversation {session}").format(session=session + 1)


class FileSource(WithoutEngine):
    """A trace file; see Source.

    Attributes:
        whole: it has been read to its end.
    """

    tape: Tape

    live = False

    def __init__(
        self,
        path: Path,
        went: Callable[[float], None] = ignore,
        begun: Callable[[FileSource], None] | None = None,
    ) -> None:
        """Read the file; may take long. Raises TraceError.

        Args:
            went: called now and then with the share read, 0 to 1; it may raise to stop.
            begun: called with this source before its first entry, when it can first be shown.
        """
        self.name = path.name
        self.whole = False

        def begin(tape: Tape) -> None:
            self.tape = tape
            if begun is not None:
                begun(self)

        read_tape(path, went, begun=begin)
        self.whole = True

    @property
    def sentence(self) -> str:
        """What is on screen, in one line."""
        tape, header = self.tape, self.tape.header
        parts = [self.name, f"{fmt.plural(len(tape.requests), 'request')}"]
        parts.append(tr("{tape:,} entries").format(tape=len(tape)))
        if header is not None:
            when = datetime.fromtimestamp(header.started).strftime("%Y-%m-%d %H:%M")
            parts += [header.model, tr("recorded {when}").format(when=when)]
            if not tape.pieces:
                parts.append(tr("without texts"))
        return " · ".join(parts)

    @property
    def problem(self) -> str:
        """What is missing from the file, "" if nothing is."""
        if not self.whole:
            read = tr("its first {tape:,} entries are shown").format(tape=len(self.tape))
            return tr("{name} was not read to its end: {read}.").format(name=self.name, read=read)
        if self.tape.truncated:
            return tr("The last line of {name} is incomplete and was skipped.").format(
                name=self.name
            )
        if self.tape.first:
            return tr("{name} is very long: its first {first:,} entries are not shown.").format(
                name=self.name, first=self.tape.first
            )
        return ""

    def newest(self) -> CacheSnapshot | None:
        return self.tape.snapshot(len(self.tape))

    def owner_title(self, owner: int) -> str:
        # 0 is no owner; if there are several engines, each has its own tree.
        lanes = () if self.tape.header is None else self.tape.header.lanes
        return lanes[owner - 1] if 0 < owner <= len(lanes) else self.title(owner - 1)

    def also_on(self, node: int) -> str | None:
        """None: a file does not say which tokens of two engines are the same."""
        return None

    @property
    def counters(self) -> Counters | None:
        return None
