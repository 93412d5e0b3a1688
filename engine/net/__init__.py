"""Beyond this process: the server, servers elsewhere, and what they tell of their caches."""
