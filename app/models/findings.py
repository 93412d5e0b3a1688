"""Collects what is known of the models, from folders and the hub. Without Qt."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.core.store.downloads import endpoint
from app.core.words.tr import tr
from app.models.logic.places import gguf_files, known_folders
from app.models.logic.shelf import FAMILY, ShelfEntry, shelf
from app.ui.trash import to_trash
from engine.hub.failures import HubError
from engine.hub.library import Library
from engine.hub.listing import beginning, list_repo, small_file
from engine.hub.manifest import Manifest
from engine.hub.search import MOST, Match, search
from engine.hub.token import can_store, store_token, stored_token

if TYPE_CHECKING:
    from engine.model.needs import ModelNeeds


_CAN_KEEP, _KEPT, _LOOKED, _NEEDS, _TRASH = "can keep", "kept", "looked ", "needs ", "trash "
_CONFIG, _MATCHES = "config ", "matches "
_FILES = "files"
_CONFIG_BYTES = 4 << 20
# The sizes of a model lie in the first few kilobytes of its file.
_BEGINNING_BYTES = 1 << 16
Config = dict[str, Any]


def look_up(repo: str, token: str, at: str | None) -> tuple[Manifest, Config | None]:
    """Fetch a repository's list of files, and its config.json. Raises HubError."""
    token = token or stored_token()
    manifest = list_repo(repo, token=token, endpoint=at)
    if manifest.choices:
        # What config.json would say is in the files.
        return manifest, None
    try:
        return manifest, config_of(repo, manifest.commit, token, at)
    except HubError as error:
        if error.kind == "gated":
            # Its files can be listed, but need permission to be read.
            return manifest, None
        raise


def config_of(repo: str, commit: str, token: str, at: str | None) -> Config:
    """Fetch the config.json of a model that can be opened. Raises HubError."""
    content = small_file(
        repo, commit, "config.json", most=_CONFIG_BYTES, token=token or stored_token(), endpoint=at
    )
    try:
        config = json.loads(content)
    except (ValueError, RecursionError):
        sentence = tr("config.json of {repo} cannot be read.").format(repo=repo)
        raise HubError("unsuitable", sentence) from None
    needs_of_sizes(config)
    return config  # type: ignore[no-any-return]


def search_hub(words: str, at: str | None) -> tuple[Match, ...]:
    """The most downloaded models that can be opened, of every architecture. Raises HubError."""
    from engine.model.config import MODEL_TYPES

    token = stored_token()
    found = {
        match.repo: match
        for kind in MODEL_TYPES
        for match in search(words, kind, token=token, endpoint=at)
    }
    return tuple(sorted(found.values(), key=lambda match: -match.downloads)[:MOST])


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


def needs_of_remote(manifest: Manifest, token: str, at: str | None) -> ModelNeeds:
    """What a GGUF file on the hub needs, from its first bytes. Raises HubError."""
    from engine.errors import ModelError
    from engine.model.needs import needs_of_begun

    token = token or stored_token()
    raw = beginning(
        manifest.repo,
        manifest.commit,
        manifest.first,
        size=_BEGINNING_BYTES,
        token=token,
        endpoint=at,
    )
    try:
        return needs_of_begun(Path(manifest.first), raw, manifest.bytes)
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

    def ask(self, key: str, job: Callable[[], object], *, first: bool = False) -> None:
        """Queue a question, or put it `first`; its answer is returned by `take`."""
        with self._lock:
            (self._jobs.appendleft if first else self._jobs.append)((key, job))
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


@dataclass(frozen=True, slots=True)
class Searched:
    """The last search has been answered; `problem`: why it could not be."""

    problem: HubError | None = None


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The folders of other programs have been looked through; `count`: of models in them."""

    count: int


News = LookedUp | Trashed | Searched | FoundFiles


class Findings:
    """Queries folders and the hub on threads of its own, and caches the answers.

    Attributes:
        entries: the models, in the order of the list, with the matches of all searches.
        searching: whether the last search is still to be answered.
        needs: of memory, by model key.
        problems: errors by model key, until the next attempt.
        can_keep: whether this machine has a keyring; None until known.
        elsewhere: whether the files that other programs keep are listed.
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
        self.searching = self.elsewhere = False
        self._files: tuple[Path, ...] = ()
        self._found: dict[str, Manifest] = {}
        self._matches: dict[str, Match] = {}
        self._configs: dict[str, Config] = {known.repo: known.config for known in FAMILY}
        self._words = ""
        self._asker = Asker()
        # Threads of their own: the fit of what is here waits for no network and no large folder.
        self._searcher = Asker()
        self._finder = Asker()

    @property
    def busy(self) -> bool:
        """Whether any question is pending."""
        return self._asker.busy or self._searcher.busy or self._finder.busy

    def wait(self, timeout_s: float) -> None:
        """Cancel queued questions, and wait for the running ones."""
        self._asker.wait(timeout_s)
        self._searcher.wait(timeout_s)
        self._finder.wait(timeout_s)

    def entry(self, key: str) -> ShelfEntry | None:
        return next((entry for entry in self.entries if entry.key == key), None)

    def begin(self) -> None:
        """Drop what may be outdated, when the window opens."""
        if self.can_keep is None:
            self._asker.ask(_CAN_KEEP, can_store)
        self.look_elsewhere(self.elsewhere)
        self.needs.clear()
        self.problems.clear()
        self._matches.clear()

    def look_elsewhere(self, on: bool) -> None:
        """List the GGUF files that other programs keep, from the next refresh on, or stop it."""
        self.elsewhere = on
        if on:
            self._finder.ask(_FILES, lambda: gguf_files(known_folders()))
        else:
            self._files = ()

    def refresh(self, *, again: bool = False) -> None:
        """Rescan local models; `again` also recomputes what each one needs."""
        library = self._library()
        self.entries = shelf(
            self._bundled,
            self._recent(),
            library.downloaded(),
            library.unfinished(),
            self._found,
            sorted(self._matches.values(), key=lambda match: -match.downloads),
            self._files,
        )
        for entry in self.entries:
            if again or entry.key not in self.needs:
                self._ask_needs(entry)

    def choices(self, repo: str) -> tuple[str, ...]:
        """The models in GGUF of a repository that was looked up."""
        found = self._found.get(repo)
        return () if found is None else tuple(found.choices)

    def look_up(self, repo: str, token: str) -> None:
        """Look up a repository on the hub."""
        self.problems.pop(repo, None)
        at = endpoint()
        self._asker.ask(f"{_LOOKED}{repo}", lambda: look_up(repo, token, at))

    def search(self, words: str) -> None:
        """Search the hub for names with these words; the answer to an earlier search is dropped."""
        self._words, self.searching = words, True
        at = endpoint()

        def job() -> tuple[Match, ...]:
            # It may have been given up while it waited.
            wanted = self.searching and words == self._words
            return search_hub(words, at) if wanted else ()

        self._searcher.ask(f"{_MATCHES}{words}", job, first=True)

    def stop_search(self) -> None:
        """Drop the answer to a search that is no longer wanted."""
        self.searching = False

    def throw_away(self, entry: ShelfEntry, folder: Path) -> None:
        """Move the folder of a model to the trash."""
        self._asker.ask(f"{_TRASH}{entry.key}", lambda: to_trash(folder))

    def keep_token(self, token: str) -> None:
        """Save a token in the system's keyring."""
        self._asker.ask(_KEPT, lambda: store_token(token))

    def take(self) -> Iterable[News]:
        """Store the answers since the last call; returns those that the caller must react to."""
        for answer in (*self._asker.take(), *self._searcher.take(), *self._finder.take()):
            kind, _, key = answer.key.partition(" ")
            if answer.key == _CAN_KEEP:
                self.can_keep = bool(answer.value)
            elif answer.key == _FILES and self.elsewhere and isinstance(answer.value, tuple):
                self._files = answer.value
                yield FoundFiles(len(self._files))
            elif f"{kind} " == _NEEDS:
                self._take_needs(key, answer)
            elif f"{kind} " == _CONFIG:
                self._take_config(key, answer)
            elif f"{kind} " == _MATCHES and self.searching and key == self._words:
                yield self._searched(answer)
            elif f"{kind} " == _LOOKED:
                yield self._looked_up(key, answer)
            elif f"{kind} " == _TRASH and (entry := self.entry(key)) is not None:
                yield self._trashed(entry, answer)

    def _ask_needs(self, entry: ShelfEntry) -> None:
        key, place, manifest = f"{_NEEDS}{entry.key}", entry.place, entry.manifest
        if entry.here and place is not None:
            self._asker.ask(key, lambda: needs_of_folder_here(place))
            return
        if manifest is not None and manifest.first:
            at = endpoint()
            self._searcher.ask(key, lambda: needs_of_remote(manifest, "", at))
            return
        config = self._configs.get(entry.repo)
        if config is not None:
            self._asker.ask(key, lambda: needs_of_sizes(config))
        elif entry.kind == "begun":
            path = self._library().aside(entry.repo) / "config.json"
            self._asker.ask(key, lambda: needs_of_sizes(json.loads(path.read_bytes())))

    def _searched(self, answer: Answer) -> Searched:
        """Add the matches, and ask for the sizes of those that are new."""
        self.searching = False
        if not isinstance(answer.value, tuple):
            return Searched(as_problem(answer.error))
        for match in answer.value:
            if match.repo not in self._matches and match.repo not in self._configs:
                self._ask_config(match)
            self._matches[match.repo] = match
        return Searched()

    def _ask_config(self, match: Match) -> None:
        at, repo = endpoint(), match.repo
        self._searcher.ask(f"{_CONFIG}{repo}", lambda: config_of(repo, match.commit, "", at))

    def _take_config(self, repo: str, answer: Answer) -> None:
        if not isinstance(answer.value, dict):
            self.problems.setdefault(repo, as_problem(answer.error))
            return
        self._configs[repo] = answer.value
        if (entry := self.entry(repo)) is not None:
            self._ask_needs(entry)

    def _take_needs(self, key: str, answer: Answer) -> None:
        if answer.error is None and answer.value is not None:
            self.needs[key] = answer.value  # type: ignore[assignment]
        elif (entry := self.entry(key)) is not None and (entry.here or entry.choice):
            self.problems.setdefault(key, HubError("refused", str(answer.error)))

    def _looked_up(self, repo: str, answer: Answer) -> LookedUp:
        if not isinstance(answer.value, tuple):
            return LookedUp(repo, as_problem(answer.error))
        manifest, config = answer.value
        self._found[repo] = manifest
        if config is not None:
            self._configs[repo] = config
        return LookedUp(repo)

    def _trashed(self, entry: ShelfEntry, answer: Answer) -> Trashed:
        if answer.value:
            self.needs.pop(entry.key, None)
        else:
            sentence = tr("There is no trash for {folder}: delete that folder yourself.")
            self.problems[entry.key] = HubError("refused", sentence.format(folder=entry.folder))
        return Trashed(entry, bool(answer.value))
