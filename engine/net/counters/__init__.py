"""Counters that engines elsewhere publish for Prometheus, as tracks over time."""
