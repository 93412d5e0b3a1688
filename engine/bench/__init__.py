"""Benchmarks, each named after the command that prints it; only these commands import them."""
