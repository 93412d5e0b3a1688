"""Measurements, each named by the command that prints it; only these commands import them."""
