"""Whoever comes from outside: programs that use the open model, and second starts."""
