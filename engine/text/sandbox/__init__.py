"""The environment that chat templates run in: everything in it is explicit and bounded."""
