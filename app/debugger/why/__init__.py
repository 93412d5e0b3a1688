"""Explains why a request ran what it ran, and what would have helped."""
