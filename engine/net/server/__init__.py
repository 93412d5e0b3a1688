"""The server: other programs on this computer use the cache through standard interfaces."""

from engine.net.server.config import ServeConfig
from engine.net.server.problem import ServeError
from engine.net.server.registry import ClientRecord, RequestRecord, ServerSnapshot
from engine.net.server.server import Server

__all__ = [
    "ClientRecord",
    "RequestRecord",
    "ServeConfig",
    "ServeError",
    "Server",
    "ServerSnapshot",
]
