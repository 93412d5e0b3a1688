"""What a server offers: its list of models, and which program it runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from engine.field_check import MOST
from engine.net.client import trouble
from engine.net.client.address import Address
from engine.net.client.exchange import Exchange, Patience
from engine.sentence import say

# "plain": it speaks the protocol, but the program cannot be identified.
Program = Literal["biplane", "llama-server", "vllm", "sglang", "plain"]
_OWNERS: dict[str, Program] = {
    "biplane": "biplane",
    "llamacpp": "llama-server",
    "vllm": "vllm",
    "sglang": "sglang",
}
PROGRAM_NAMES: dict[Program, str] = {
    "biplane": "Biplane",
    "llama-server": "llama-server",
    "vllm": "vLLM",
    "sglang": "SGLang",
    "plain": say("the server"),
}
_MOST_BYTES = 8 << 20
_MOST_MODELS = 2000
_LONGEST_NAME = 300


def record(value: object) -> dict[str, Any]:
    """The object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def count(value: object) -> int | None:
    """A whole number from 0; None for anything else, such as what is no number of tokens."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        return None
    return value


def number(value: object) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    made = float(value) if abs(value) < 1e300 else None
    return made if made is not None and made == made else None


def parsed(data: str | bytes) -> dict[str, Any] | None:
    """A JSON object; None if it is not one."""
    try:
        made = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return made if isinstance(made, dict) else None


@dataclass(frozen=True, slots=True)
class Served:
    """One model of a server.

    Attributes:
        name: as used in requests.
        context: the longest sequence in tokens; 0 if the server does not say.
        parameters, weight_bytes: 0 if it does not say.
    """

    name: str
    context: int = 0
    parameters: int = 0
    weight_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Catalog:
    """Attributes:
    program: which server it is, as far as its models show.
    models: in the server's order.
    """

    program: Program
    models: tuple[Served, ...]

    def find(self, name: str) -> Served | None:
        return next((model for model in self.models if model.name == name), None)


def read_catalog(
    address: Address,
    token: str = "",
    patience: Patience | None = None,
    *,
    exchange: Exchange | None = None,
) -> Catalog:
    """Fetch a server's list of models.

    exchange: created for this call, so that another thread can close it.

    Raises:
        RemoteError: there is no server, it refuses, or it speaks another protocol.
        Closed: the exchange was closed.
    """
    with exchange or Exchange(address, patience) as asked:
        asked.ask("GET", f"{address.path}/models", token=token)
        return catalog_of(asked.whole(_MOST_BYTES), address)


def catalog_of(body: bytes, address: Address) -> Catalog:
    """Raises RemoteError if this is not a list of models."""
    found = parsed(body)
    if found is None:
        raise trouble.not_compatible(address, say("its list of models is not JSON"))
    if not isinstance(found.get("data"), list):
        raise trouble.not_compatible(address, say("it has no list of models"))
    models: list[Served] = []
    program: Program = "plain"
    for entry in items(found["data"])[:_MOST_MODELS]:
        one = record(entry)
        name = text(one.get("id"))
        if not name or len(name) > _LONGEST_NAME or not name.isprintable():
            continue
        program = _OWNERS.get(text(one.get("owned_by")).lower(), program)
        meta = record(one.get("meta"))
        windows = (one.get("max_model_len"), one.get("context_length"), meta.get("n_ctx"))
        context = next((n for n in map(count, windows) if n), 0)
        models.append(
            Served(name, context, count(meta.get("n_params")) or 0, count(meta.get("size")) or 0)
        )
    if not models:
        raise trouble.not_compatible(address, say("its list of models is empty"))
    return Catalog(program, tuple(models))
