"""Measurements, each named by the command that prints it; nothing but these commands imports them."""
