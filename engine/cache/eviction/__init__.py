"""Eviction: which checkpoints and nodes are evicted, in which order, and why."""
