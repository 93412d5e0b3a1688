"""The downloads of this run, which continue while the Models window is closed."""

from __future__ import annotations

from collections.abc import Callable

from app.core.store.downloads import endpoint
from engine.hub.download import Download, Progress
from engine.hub.library import Library
from engine.hub.token import stored_token


class Downloads:
    """At most one download per repository.

    Attributes:
        tokens: entered by the user, by repository.
    """

    def __init__(self, library: Callable[[], Library]) -> None:
        self.tokens: dict[str, str] = {}
        self._library = library
        self._known: dict[str, Download] = {}

    @property
    def progress(self) -> dict[str, Progress]:
        """The progress of each, by repository."""
        return {repo: download.progress for repo, download in self._known.items()}

    @property
    def running(self) -> bool:
        """Whether any download is running."""
        return any(map(self._runs, self._known))

    def start(self, repo: str, choice: str = "") -> None:
        """Start or resume a download, unless it is running; choice: of several GGUF files."""
        if not self._runs(repo):
            given = self.tokens.get(repo, "")
            self._known[repo] = Download(
                self._library(),
                repo,
                only=choice,
                token=given or stored_token,
                endpoint=endpoint(),
            )
            self._known[repo].start()

    def pause(self, repo: str) -> None:
        if repo in self._known:
            self._known[repo].pause()

    def cancel(self, repo: str) -> bool:
        """Cancel a download and delete its files. False if it is still ending; raises OSError."""
        if self._runs(repo):
            self._known[repo].cancel()
            return False
        self._known.pop(repo, None)
        self._library().discard(repo)
        return True

    def take_ended(self) -> dict[str, Progress]:
        """The downloads that ended since the last call, by repository."""
        ended = [
            repo
            for repo, download in self._known.items()
            if download.progress.over and download.join(0)
        ]
        return {repo: self._known.pop(repo).progress for repo in ended}

    def close(self, timeout_s: float) -> None:
        """Pause all of them, and wait until each has ended."""
        for download in self._known.values():
            download.pause()
        for download in self._known.values():
            download.join(timeout_s)

    def _runs(self, repo: str) -> bool:
        return repo in self._known and not self._known[repo].progress.over
