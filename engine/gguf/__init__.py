"""Reads GGUF files: their metadata, and where their tensors are. Knows no model and no weights."""
