"""Serving outside callers: programs that use the open model, and second starts."""
