"""The debugger: panels around the tree of cached prefixes, on one source and one moment of it."""
