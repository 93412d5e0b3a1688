"""What is known of the models there are, and how it is asked for. Without Qt."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.store.downloads import endpoint
from app.core.words.tr import tr
from app.models.logic.shelf import FAMILY, ShelfEntry, shelf
from app.ui.trash import to_trash
from engine.hub.failures import HubError
from engine.hub.library import Library
from engine.hub.listing import list_repo, small_file
from engine.hub.manifest import Manifest
from engine.hub.token import can_store, store_token, stored_token

if TYPE_CHECKING:
    from engine.model.needs import ModelNeeds


_CAN_KEEP, _KEPT, _LOOKED, _NEEDS, _TRASH = "can keep", "kept", "looked ", "needs ", "trash "
_CONFIG_BYTES = 4 << 20


def look_up(repo: str, token: str, at: str | None) -> tuple[Manifest, ModelNeeds | None]:
    """Ask the hub for a repository and, from its configuration, what it needs. Raises HubError."""
    token = token or stored_token()
    manifest = list_repo(repo, token=token, endpoint=at)
    try:
        config = small_file(manifest, "config.json", most=_CONFIG_BYTES, token=token, endpoint=at)
        return manifest, needs_of_sizes(json.loads(config))
    except HubError as error:
        if error.kind == "gated":
            # Its files can be listed, and are not to be read yet.
            return manifest, None
        raise
    except (ValueError, RecursionError):
        sentence = tr("config.json of {repo} cannot be read.").format(repo=repo)
        raise HubError("unsuitable", sentence) from None


def needs_of_folder_here(folder: Path) -> ModelNeeds:
    """Of a model that is here. Raises ModelError."""
    # Imports torch, which is not done on the window's thread.
    from engine.model.needs import needs_of_folder

    return needs_of_folder(folder)


def needs_of_sizes(config: object) -> ModelNeeds:
    """Of a decoded config.json. Raises HubError."""
    from engine.errors import ModelError
    from engine.model.needs import needs_of_config

    if not isinstance(config, dict):
        raise HubError("unsuitable", tr("config.json is not a model's."))
    try:
        return needs_of_config(config)
    except ModelError as error:
        raise HubError("unsuitable", str(error)) from None


def as_problem(error: Exception | None) -> HubError:
    """The sentence for whatever a question ended with."""
    if isinstance(error, HubError):
        return error
    return HubError(
        "busy", tr("Looking it up failed ({kind}): try again.").format(kind=type(error).__name__)
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a question: a value, or the error that it ended with."""

    key: str
    value: object = None
    error: Exception | None = None


class Asker:
    """A thread that lives as long as there are questions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: deque[tuple[str, Callable[[], object]]] = deque()
        self._answers: deque[Answer] = deque()
        self._thread: threading.Thread | None = None

    def ask(self, key: str, job: Callable[[], object]) -> None:
        """Put a question; its answer comes from `take`."""
        with self._lock:
            self._jobs.append((key, job))
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="biplane-models", daemon=True
                )
                self._thread.start()

    def take(self) -> tuple[Answer, ...]:
        """What has been answered since the last time."""
        made = []
        while self._answers:
            made.append(self._answers.popleft())
        return tuple(made)

    @property
    def busy(self) -> bool:
        """Whether answers are still to come, or to be taken."""
        return self._thread is not None or bool(self._answers)

    def wait(self, timeout_s: float) -> None:
        """Give up what has not begun, and wait for the rest."""
        with self._lock:
            self._jobs.clear()
            thread = self._thread
        if thread is not None:
            thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._thread = None
                    return
                key, job = self._jobs.popleft()
            try:
                self._answers.append(Answer(key, job()))
            except Exception as error:
                self._answers.append(Answer(key, error=error))


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A repository was asked for; `problem`: why nothing is known of it."""

    repo: str
    problem: HubError | None = None


@dataclass(frozen=True, slots=True)
class Trashed:
    """A model was to go to the trash; `moved`: whether it did."""

    entry: ShelfEntry
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
        self.entries: tuple[ShelfEntry, ...] = ()
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

    def entry(self, key: str) -> ShelfEntry | None:
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

    def throw_away(self, entry: ShelfEntry, folder: Path) -> None:
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

    def _ask_needs(self, entry: ShelfEntry) -> None:
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

    def _trashed(self, entry: ShelfEntry, answer: Answer) -> Trashed:
        if answer.value:
            self.needs.pop(entry.key, None)
        else:
            sentence = tr("There is no trash for {folder}: delete that folder yourself.")
            self.problems[entry.key] = HubError("refused", sentence.format(folder=entry.folder))
        return Trashed(entry, bool(answer.value))
