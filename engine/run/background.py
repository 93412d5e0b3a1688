"""What is done while no request runs, step by step: forgetting, claims, then saving to disk."""

from __future__ import annotations

import logging
from collections.abc import Callable

from engine.cache.tree import as_tokens
from engine.cache.view.owners import Owners, claimed, owned_record
from engine.commands import Claim, Forget
from engine.errors import BiplaneError
from engine.events import Forgotten
from engine.message import Message
from engine.run.forgetting import Forgetting
from engine.run.store import Store
from engine.text.text_model import TextModel

# More claims at once are a mistake; the first ones are the most recent conversations.
MOST_CLAIMS = 64

log = logging.getLogger(__name__)


class Background:
    """Work for a quiet moment, the most urgent first.

    Attributes:
        owners: whose each cached sequence is.
    """

    def __init__(self, store: Store, text: TextModel) -> None:
        self._store, self._text = store, text
        self.owners = Owners()
        self._forgetting = Forgetting(store, text, self.owners)
        self._claims: dict[int, Claim] = {}

    def forget(self, command: Forget, emit: Callable[[Forgotten], None]) -> None:
        """Queue it; before it is done, nothing more is written to disk while idle."""
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
        """Forget all that is to be forgotten, before everything is written to disk."""
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
