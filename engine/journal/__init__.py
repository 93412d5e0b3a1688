"""Traces: cache activity recorded, rebuilt, and replayed without a model."""
