"""The server: other programs on this computer use the cache through interfaces they know."""

from engine.serve.config import ServeConfig
from engine.serve.problem import ServeError
from engine.serve.registry import ClientRecord, RequestRecord, ServerSnapshot
from engine.serve.server import Server

__all__ = [
    "ClientRecord",
    "RequestRecord",
    "ServeConfig",
    "ServeError",
    "Server",
    "ServerSnapshot",
]
