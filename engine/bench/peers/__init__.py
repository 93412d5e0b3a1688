"""Other engines on the same questions. Source checkouts have this package, the wheel does not."""
