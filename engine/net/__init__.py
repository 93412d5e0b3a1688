"""Networking: our own server, clients of other servers, and subscribers to their cache events."""
