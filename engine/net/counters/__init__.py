"""Prometheus counters of other engines, as tracks over time."""
