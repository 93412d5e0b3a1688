"""What the user connects to: an address, a model there, and its counters and events."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import RemoteError
from engine.net.client.address import Address

# Never part of an address's path.
_BETWEEN = "#"


@dataclass(frozen=True, slots=True)
class Connection:
    """Has no token: that is stored separately, so that nothing that names a connection can leak it.

    Attributes:
        address: of the protocol, including /v1.
        model: the server's name for it.
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
        """For titles: the model without leading folders."""
        return self.model.rstrip("/").rsplit("/", 1)[-1] or self.model

    @property
    def counters(self) -> Address:
        return self.metrics or self.address.beside("/metrics")

    def __str__(self) -> str:
        """How conversations refer to the engine."""
        return f"{self.address}{_BETWEEN}{self.model}"

    @classmethod
    def parse(cls, known: str) -> Connection | None:
        """Parse a conversation's reference; None if that is the folder of a local model."""
        where, between, model = known.partition(_BETWEEN)
        if "://" not in where or not between or not model:
            return None
        try:
            return cls(Address.parse(where, path=""), model)
        except RemoteError:
            return None
