"""The journal outside the cache: tape, mirror and trace files. Needs no model."""
