"""Conversations on disk: one SQLite file, written by one thread. No Qt, no engine."""
