"""The debugger: panels around the tree of cached prefixes, showing one moment of one source."""
