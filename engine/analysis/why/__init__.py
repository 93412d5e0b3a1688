"""Explains a request of a trace: why it ran the tokens it ran, and what would have helped."""
