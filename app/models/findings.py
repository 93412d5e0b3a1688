"""What is known of the models there are, and how it is found out. Without Qt."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.models.asker import Answer, Asker
from app.models.family import FAMILY
from app.models.lookup import as_problem, look_up, needs_of_folder_here, needs_of_sizes
from app.models.shelf import Entry, shelf
from app.store.downloads import endpoint
from app.trash import to_trash
from app.words.tr import tr
from engine.hub.failures import HubError
from engine.hub.library import Library
from engine.hub.manifest import Manifest
from engine.hub.token import can_store, store_token

if TYPE_CHECKING:
    from engine.model.needs import ModelNeeds

_CAN_KEEP, _KEPT, _LOOKED, _NEEDS, _TRASH = "can keep", "kept", "looked ", "needs ", "trash "


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A repository was asked for; `problem`: why nothing is known of it."""

    repo: str
    problem: HubError | None = None


@dataclass(frozen=True, slots=True)
class Trashed:
    """A model was to go to the trash; `moved`: whether it did."""

    entry: Entry
    moved: bool


News = LookedUp | Trashed


class Findings:
    """Asks folders and the hub on a thread of its own, and remembers what they said.

    Attributes:
        entries: the models, in the order of the list.
        needs: of memory, by the key of the model.
        problems: what went wrong with one, by its key; whoever tries again takes it away.
        can_keep: whether this machine keeps secrets; None while that is not known.
    """

    def __init__(
        self, bundled: Path, recent: Callable[[], Sequence[Path]], library: Callable[[], Library]
    ) -> None:
        """recent: folders that were opened; library: where downloads are."""
        self._bundled, self._recent, self._library = bundled, recent, library
        self.entries: tuple[Entry, ...] = ()
        self.needs: dict[str, ModelNeeds] = {}
        self.problems: dict[str, HubError] = {}
        self.can_keep: bool | None = None
        self._found: dict[str, Manifest] = {}
        self._asker = Asker()

    @property
    def busy(self) -> bool:
        """Whether something is still to be found out."""
        return self._asker.busy

    def wait(self, timeout_s: float) -> None:
        """Give up what has not begun, and wait for the rest."""
        self._asker.wait(timeout_s)

    def entry(self, key: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.key == key), None)

    def begin(self) -> None:
        """Forget what may have changed while nobody looked."""
        if self.can_keep is None:
            self._asker.ask(_CAN_KEEP, can_store)
        self.needs.clear()
        self.problems.clear()

    def refresh(self, *, again: bool = False) -> None:
        """Look again at what is here; `again` also at what each one needs."""
        library = self._library()
        self.entries = shelf(
            self._bundled,
            self._recent(),
            library.downloaded(),
            library.unfinished(),
            self._found,
        )
        for entry in self.entries:
            if again or entry.key not in self.needs:
                self._ask_needs(entry)

    def look_up(self, repo: str, token: str) -> None:
        """Ask the hub what a repository holds."""
        self.problems.pop(repo, None)
        at = endpoint()
        self._asker.ask(f"{_LOOKED}{repo}", lambda: look_up(repo, token, at))

    def throw_away(self, entry: Entry, folder: Path) -> None:
        """Move the folder of a model to the trash."""
        self._asker.ask(f"{_TRASH}{entry.key}", lambda: to_trash(folder))

    def keep_token(self, token: str) -> None:
        """Leave a token to the system's keyring."""
        self._asker.ask(_KEPT, lambda: store_token(token))

    def take(self) -> Iterable[News]:
        """Remember what was answered since the last time; what somebody waits for."""
        for answer in self._asker.take():
            kind, _, key = answer.key.partition(" ")
            if answer.key == _CAN_KEEP:
                self.can_keep = bool(answer.value)
            elif f"{kind} " == _NEEDS:
                self._take_needs(key, answer)
            elif f"{kind} " == _LOOKED:
                yield self._looked_up(key, answer)
            elif f"{kind} " == _TRASH and (entry := self.entry(key)) is not None:
                yield self._trashed(entry, answer)

    def _ask_needs(self, entry: Entry) -> None:
        key, folder = f"{_NEEDS}{entry.key}", entry.folder
        if entry.here and folder is not None:
            self._asker.ask(key, lambda: needs_of_folder_here(folder))
            return
        known = next((known for known in FAMILY if known.repo == entry.repo), None)
        if known is not None:
            config = known.config
            self._asker.ask(key, lambda: needs_of_sizes(config))
        elif entry.kind == "begun":
            path = self._library().aside(entry.repo) / "config.json"
            self._asker.ask(key, lambda: needs_of_sizes(json.loads(path.read_bytes())))

    def _take_needs(self, key: str, answer: Answer) -> None:
        if answer.error is None and answer.value is not None:
            self.needs[key] = answer.value  # type: ignore[assignment]
        elif (entry := self.entry(key)) is not None and entry.here:
            self.problems.setdefault(key, HubError("refused", str(answer.error)))

    def _looked_up(self, repo: str, answer: Answer) -> LookedUp:
        if not isinstance(answer.value, tuple):
            return LookedUp(repo, as_problem(answer.error))
        manifest, needs = answer.value
        self._found[repo] = manifest
        if needs is not None:
            self.needs[repo] = needs
        return LookedUp(repo)

    def _trashed(self, entry: Entry, answer: Answer) -> Trashed:
        if answer.value:
            self.needs.pop(entry.key, None)
        else:
            sentence = tr("There is no trash for {folder}: delete that folder yourself.")
            self.problems[entry.key] = HubError("refused", sentence.format(folder=entry.folder))
        return Trashed(entry, bool(answer.value))
