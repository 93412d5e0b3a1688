"""A trial connection, on a thread of its own: which models does a server have? Without Qt."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from app.store.tokens import Tokens
from app.words.tr import tr
from engine.errors import RemoteError
from engine.remote.chat.address import Address
from engine.remote.chat.catalog import Catalog, read_catalog
from engine.remote.chat.exchange import Closed, Exchange, Patience

# Nobody looks at a dialog for longer.
_PATIENCE = Patience(connect_s=5, read_s=15)


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of it.

    Attributes:
        address: that was tried.
        token: that was sent, "" for none.
        catalog: the models; None if there is a problem.
        problem: what is wrong, in one sentence; "" if nothing is.
    """

    address: Address
    token: str
    catalog: Catalog | None = None
    problem: str = ""


class Trial:
    """Connects once. `stop` ends it."""

    def __init__(self, address: Address, token: str, tokens: Tokens) -> None:
        """token: "" takes the one that is known for the server, if there is one."""
        self._address, self._token, self._tokens = address, token, tokens
        self._tried: Tried | None = None
        self._exchange = Exchange(address, _PATIENCE)
        self._thread = threading.Thread(target=self._run, name="biplane-trial", daemon=True)
        self._thread.start()

    def done(self) -> Tried | None:
        """None while it is still trying."""
        return self._tried

    def stop(self) -> None:
        """Nobody waits for it any more."""
        self._exchange.close()

    def _run(self) -> None:
        address = self._address
        token = self._token or self._tokens.of(address)
        try:
            catalog = read_catalog(address, token, exchange=self._exchange)
            self._tried = Tried(address, token, catalog)
        except Closed:
            self._tried = Tried(address, token, problem=tr("The trial was stopped."))
        except RemoteError as error:
            self._tried = Tried(address, token, problem=str(error))
        except BaseException as error:
            # Whoever waits has to learn of it.
            self._tried = Tried(
                address, token, problem=tr("The connection failed: {error}.").format(error=error)
            )
