"""What the user connects to: an address, a model there, and where its counters are."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import RemoteError
from engine.net.client.address import Address

# No path of an address has it.
_BETWEEN = "#"


@dataclass(frozen=True, slots=True)
class Connection:
    """No token: that is kept apart, so that nothing that names a connection can tell it.

    Attributes:
        address: of the protocol, with its /v1.
        model: as the server names it.
        metrics: of its counters; None: at /metrics of the same server.
        events: of its KV events, as "tcp://127.0.0.1:5557", after a space that of their replay, and
            after a comma those of the next engine behind the same address; "" for none.
    """

    address: Address
    model: str
    metrics: Address | None = None
    events: str = ""

    @property
    def name(self) -> str:
        """For titles: the model without the folders before it."""
        return self.model.rstrip("/").rsplit("/", 1)[-1] or self.model

    @property
    def counters(self) -> Address:
        return self.metrics or self.address.beside("/metrics")

    def __str__(self) -> str:
        """What conversations know the engine by."""
        return f"{self.address}{_BETWEEN}{self.model}"

    @classmethod
    def parse(cls, known: str) -> Connection | None:
        """From what a conversation knows; None if that is the folder of a model here."""
        where, between, model = known.partition(_BETWEEN)
        if "://" not in where or not between or not model:
            return None
        try:
            return cls(Address.parse(where, path=""), model)
        except RemoteError:
            return None
