"""Runs requests: the prompt, the live sequence, prefill, decode, and the core."""
