"""Traces: what the cache did, written down, rebuilt, and run again without a model."""
