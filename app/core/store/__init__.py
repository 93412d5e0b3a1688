"""Storage of conversations: one SQLite file, written by one thread. No Qt, no engine."""
