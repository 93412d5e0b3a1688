"""Measurements of the whole engine, each named by the command that prints it."""
