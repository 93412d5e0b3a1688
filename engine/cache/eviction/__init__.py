"""Eviction: which checkpoints and nodes go, in which order, and why."""
