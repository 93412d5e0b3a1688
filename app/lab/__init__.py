"""The memory lab: what the cache holds at any length, and what other layers would hold."""
