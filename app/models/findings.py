"""Collects what is known of the models, from folders and the hub. Without Qt."""

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
    """Fetch a repository's files and, from its config, the memory it needs. Raises HubError."""
    token = token or stored_token()
    manifest = list_repo(repo, token=token, endpoint=at)
    try:
        config = small_file(manifest, "config.json", most=_CONFIG_BYTES, token=token, endpoint=at)
        return manifest, needs_of_sizes(json.loads(config))
    except HubError as error:
        if error.kind == "gated":
            # Its files can be listed, but need permission to be read.
            return manifest, None
        raise
    except (ValueError, RecursionError):
        sentence = tr("config.json of {repo} cannot be read.").format(repo=repo)
        raise HubError("unsuitable", sentence) from None


def needs_of_folder_here(folder: Path) -> ModelNeeds:
    """What a local model needs. Raises ModelError."""
    # Imports torch, so not on the window's thread.
    from engine.model.needs import needs_of_folder

    return needs_of_folder(folder)


def needs_of_sizes(config: object) -> ModelNeeds:
    """What a model with this parsed config.json needs. Raises HubError."""
    from engine.errors import ModelError
    from engine.model.needs import needs_of_config

    if not isinstance(config, dict):
        raise HubError("unsuitable", tr("config.json is not a model's."))
    try:
        return needs_of_config(config)
    except ModelError as error:
        raise HubError("unsuitable", str(error)) from None


def as_problem(error: Exception | None) -> HubError:
    """A HubError with a sentence for any exception."""
    if isinstance(error, HubError):
        return error
    return HubError(
        "busy", tr("Looking it up failed ({kind}): try again.").format(kind=type(error).__name__)
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question: a value, or an error."""

    key: str
    value: object = None
    error: Exception | None = None


class Asker:
    """A worker thread that runs while there are questions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: deque[tuple[str, Callable[[], object]]] = deque()
        self._answers: deque[Answer] = deque()
        self._thread: threading.Thread | None = None

    def ask(self, key: str, job: Callable[[], object]) -> None:
        """Queue a question; its answer is returned by `take`."""
        with self._lock:
            self._jobs.append((key, job))
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="biplane-models", daemon=True
                )
                self._thread.start()

    def take(self) -> tuple[Answer, ...]:
        """The answers since the last call."""
        made = []
        while self._answers:
            made.append(self._answers.popleft())
        return tuple(made)

    @property
    def busy(self) -> bool:
        """Whether answers are pending, or not taken yet."""
        return self._thread is not None or bool(self._answers)

    def wait(self, timeout_s: float) -> None:
        """Cancel queued questions, and wait for the running one."""
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
    """A repository was looked up; `problem`: why that failed."""

    repo: str
    problem: HubError | None = None


@dataclass(frozen=True, slots=True)
class Trashed:
    """A model was to be moved to the trash; `moved`: whether it was."""

    entry: ShelfEntry
    moved: bool


News = LookedUp | Trashed


class Findings:
    """Queries folders and the hub on its own thread, and caches the answers.

    Attributes:
        entries: the models, in the order of the list.
        needs: of memory, by model key.
        problems: errors by model key, until the next attempt.
        can_keep: whether this machine has a keyring; None until known.
    """

    def __init__(
        self, bundled: Path, recent: Callable[[], Sequence[Path]], library: Callable[[], Library]
    ) -> None:
        """recent: the folders opened before; library: where downloads are."""
        self._bundled, self._recent, self._library = bundled, recent, library
        self.entries: tuple[ShelfEntry, ...] = ()
        self.needs: dict[str, ModelNeeds] = {}
        self.problems: dict[str, HubError] = {}
        self.can_keep: bool | None = None
        self._found: dict[str, Manifest] = {}
        self._asker = Asker()

    @property
    def busy(self) -> bool:
        """Whether any question is pending."""
        return self._asker.busy

    def wait(self, timeout_s: float) -> None:
        """Cancel queued questions, and wait for the running one."""
        self._asker.wait(timeout_s)

    def entry(self, key: str) -> ShelfEntry | None:
        return next((entry for entry in self.entries if entry.key == key), None)

    def begin(self) -> None:
        """Drop what may be outdated, when the window opens."""
        if self.can_keep is None:
            self._asker.ask(_CAN_KEEP, can_store)
        self.needs.clear()
        self.problems.clear()

    def refresh(self, *, again: bool = False) -> None:
        """Rescan local models; `again` also recomputes what each one needs."""
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
        """Look up a repository on the hub."""
        self.problems.pop(repo, None)
        at = endpoint()
        self._asker.ask(f"{_LOOKED}{repo}", lambda: look_up(repo, token, at))

    def throw_away(self, entry: ShelfEntry, folder: Path) -> None:
        """Move the folder of a model to the trash."""
        self._asker.ask(f"{_TRASH}{entry.key}", lambda: to_trash(folder))

    def keep_token(self, token: str) -> None:
        """Save a token in the system's keyring."""
        self._asker.ask(_KEPT, lambda: store_token(token))

    def take(self) -> Iterable[News]:
        """Store the answers since the last call; returns those that the caller must react to."""
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
