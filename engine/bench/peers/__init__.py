"""Other engines on the same tasks. Source checkouts have this package, the wheel does not."""
