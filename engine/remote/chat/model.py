"""A model elsewhere, in the record that the app knows of models."""

from __future__ import annotations

from engine.cache_shape import CacheShape
from engine.events import ModelInfo
from engine.remote.chat.catalog import PROGRAM_NAMES, Catalog, Served
from engine.remote.chat.connection import Connection

# Nothing is known of the layers.
UNKNOWN_SHAPE = CacheShape(
    kinds=(),
    query_heads=0,
    kv_heads=0,
    head_dim=0,
    state_heads=0,
    key_dim=0,
    value_dim=0,
    conv_rows=0,
    conv_channels=0,
    hidden=0,
    dtype="",
    itemsize=0,
    state_dtype="",
    state_itemsize=0,
    window=0,
)


def model_of(connection: Connection, catalog: Catalog, served: Served) -> ModelInfo:
    """What is known; figures that the server does not tell are 0."""
    program = PROGRAM_NAMES[catalog.program]
    return ModelInfo(
        name=connection.name,
        family=program,
        folder=str(connection),
        parameters=served.parameters,
        weight_bytes=0,
        dtype="",
        device=connection.address.place,
        layers=0,
        linear_layers=0,
        full_layers=0,
        vocab_size=0,
        context=served.context,
        kv_bytes_per_token=0,
        checkpoint_bytes=0,
        cache_shape=UNKNOWN_SHAPE,
        # Which switch a server has for it is known of these; others think as they please.
        supports_thinking=catalog.program != "plain",
        remote=program,
    )
