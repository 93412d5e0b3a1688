"""The memory lab: what the cache holds at any length, and what other designs would hold."""
