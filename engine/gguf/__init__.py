"""Reads GGUF files: their metadata and where their tensors are. Knows no model and takes no memory for weights."""
