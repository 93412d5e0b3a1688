"""Idle work, step by step: forgetting, claims, then saving to disk."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from engine.cache.journal.changes import Disowned, Forgot
from engine.cache.node import Tokens
from engine.cache.owners import Owners, claimed, owned_record
from engine.cache.tree import as_tokens, common_prefix
from engine.commands import Claim, Forget, Prompt
from engine.errors import BiplaneError, unexpected
from engine.events import Forgotten
from engine.message import Message
from engine.run.prepared import messages_of
from engine.run.store import Store
from engine.sentence import say
from engine.text.text_model import TextModel

Emit = Callable[[Forgotten], None]
# Interval and maximum number of polls for a file that is still being written.
WAIT_S, WAITS = 0.05, 200
# More claims at once are a mistake; the first ones are the most recent conversations.
MOST_CLAIMS = 64

log = logging.getLogger(__name__)


class Forgetting:
    """Carries out Forget commands in small steps, between requests."""

    def __init__(self, store: Store, text: TextModel, owners: Owners) -> None:
        self._store, self._text, self._owners = store, text, owners
        self._waiting: deque[tuple[Forget, Emit]] = deque()
        self._steps: Iterator[None] = iter(())

    def add(self, command: Forget, emit: Emit) -> None:
        """Queue a command; `emit` gets the answer."""
        self._waiting.append((command, emit))

    def step(self) -> bool:
        """One step; False if nothing is left to forget."""
        if next(self._steps, self) is None:
            return True
        if not self._waiting:
            return False
        self._steps = self._contained(*self._waiting.popleft())
        return True

    def _contained(self, command: Forget, emit: Emit) -> Iterator[None]:
        """A failure ends this command with a sentence, and affects nothing else."""
        held = self._store.tiers.held_bytes()
        try:
            yield from self._forget(command, emit)
        except BaseException as error:
            # A panic in Rust code is not an Exception.
            log.error("A conversation could not be removed from the cache.", exc_info=error)
            freed = max(held - self._store.tiers.held_bytes(), 0)
            sentence = unexpected(say("Removing a conversation from the cache"), error)
            emit(Forgotten(number=command.number, bytes=freed, files=0, sentence=sentence))

    def _forget(self, command: Forget, emit: Emit) -> Iterator[None]:
        kept: list[Tokens] = []
        gone: list[Tokens] = []
        unread = 0
        for found, prompts in ((kept, (*command.kept, *_SCAFFOLDS)), (gone, command.gone)):
            for prompt in prompts:
                rendered = self._rendered(prompt, command)
                unread += found is gone and not rendered
                found += rendered
                yield
        # What ran in this window is known exactly, including system texts of earlier turns.
        kept += self._owners.of_others(command.owner)
        gone += self._owners.sequences(command.owner)
        self._owners.drop(command.owner)
        self._store.log_change(Disowned(command.owner))
        files = freed = 0
        prefixes = own_prefixes(gone, kept)
        for prefix in prefixes:
            some = self._drop(prefix)
            files, freed = files + some[0], freed + some[1]
            yield
        yield from self._wait_for_writer()
        lower = self._store.lower
        left = 0 if lower.disk is None else lower.disk.leftovers()
        if lower.others is not None and prefixes:
            names = frozenset(()) if lower.disk is None else lower.disk.names()
            for some in lower.others.forget(prefixes, names):
                files, freed = files + some[0], freed + some[1]
                yield
        sentence = _trouble(unread, left)
        emit(Forgotten(number=command.number, bytes=freed, files=files, sentence=sentence))

    def _drop(self, prefix: Tokens) -> tuple[int, int]:
        """Drop everything that begins with `prefix` on every tier; returns files and bytes."""
        tiers = self._store.tiers
        files, held = _files(self._store), tiers.held_bytes()
        self._store.log_change(Forgot(tuple(prefix.tolist())))
        tiers.forget(prefix)
        return files - _files(self._store), held - tiers.held_bytes()

    def _wait_for_writer(self) -> Iterator[None]:
        """Wait for the file writer, so that files dropped while being written are removed."""
        disk = self._store.lower.disk
        for _ in range(WAITS):
            if disk is None or not disk.leftovers():
                return
            disk.wait(WAIT_S)
            yield

    def _rendered(self, prompt: Prompt, command: Forget) -> list[Tokens]:
        """The token sequences of a prompt; none if this model cannot read it.

        With and without thinking: the conversation may have been asked both ways.
        """
        messages = messages_of(prompt)
        if not messages:
            return [as_tokens(np.array(prompt, np.int64))] if prompt else []
        found: list[Tokens] = []
        for thinking in (False, True) if self._text.supports_thinking else (False,):
            options = replace(command.options, thinking=thinking)
            try:
                found.append(as_tokens(self._text.render(messages, options).ids))
            except BiplaneError as error:
                log.info("A prompt to forget cannot be rendered: %s.", type(error).__name__)
        return found


def own_prefixes(gone: Iterable[Tokens], kept: Sequence[Tokens]) -> list[Tokens]:
    """The shortest prefixes of the `gone` sequences that no kept one shares.

    A sequence that is equal to, or a prefix of, a kept one has none.
    """
    found: dict[bytes, Tokens] = {}
    for one in gone:
        shared = max((common_prefix(one, other) for other in kept), default=0)
        if shared < len(one):
            found.setdefault(one[: shared + 1].tobytes(), one[: shared + 1])
    return list(found.values())


# The template's own tokens, shared by all conversations and never deleted.
_SCAFFOLDS: tuple[Prompt, ...] = (
    (Message("user", ""),),
    (Message("system", ""), Message("user", "")),
)


def _files(store: Store) -> int:
    return 0 if store.tiers.disk is None else store.tiers.disk.view().files


def _trouble(unread: int, left: int) -> str:
    """A sentence about what could not be done; "" if everything was."""
    if left:
        files = say("A cache file") if left == 1 else say("{left:,} cache files", left=left)
        return say(
            "{files} of the conversation could not be removed: close whatever else uses the cache "
            "folder, then clear the cache.",
            files=files,
        )
    if unread:
        branches = say("One branch") if unread == 1 else say("{unread:,} branches", unread=unread)
        return say(
            "{branches} of the conversation could not be read by this model and may still be "
            "cached; clearing the cache removes everything.",
            branches=branches,
        )
    return ""


class Background:
    """Idle work, most urgent first.

    Attributes:
        owners: the conversations of each cached sequence.
    """

    def __init__(self, store: Store, text: TextModel) -> None:
        self._store, self._text = store, text
        self.owners = Owners()
        self._forgetting = Forgetting(store, text, self.owners)
        self._claims: dict[int, Claim] = {}

    def forget(self, command: Forget, emit: Callable[[Forgotten], None]) -> None:
        """Queue it; until it is done, nothing more is written to disk while idle."""
        self._claims.pop(command.owner, None)
        self._forgetting.add(command, emit)

    def claim(self, command: Claim) -> None:
        """Queue it; a later claim of the same owner replaces it."""
        if command.owner in self._claims or len(self._claims) < MOST_CLAIMS:
            self._claims[command.owner] = command

    def step(self) -> bool:
        """One step; False if there is nothing left to do."""
        if self._forgetting.step():
            return True
        if self._claims:
            self._settle(self._claims.pop(next(iter(self._claims))))
            return True
        return self._store.idle()

    def finish(self) -> None:
        """Finish forgetting before everything is written to disk."""
        while self._forgetting.step():
            pass

    def _settle(self, command: Claim) -> None:
        messages = [part for part in command.prompt if isinstance(part, Message)]
        try:
            rendered = self._text.render(messages, command.options)
        except BiplaneError as error:
            log.info("A claimed prompt cannot be rendered: %s.", type(error).__name__)
            return
        spans = [(span.start, span.end) for span in rendered.spans]
        said = [as_tokens(message.token_ids) for message in messages]
        known = len(command.marks) == len(messages)
        marks = command.marks if known else (0,) * len(messages)
        for one in claimed(rendered.ids, spans, said, marks):
            self.owners.add(command.owner, one.tokens, one.request)
            self._store.log_change(owned_record(command.owner, one))
