"""One tree over all tiers to look at, and what left it."""
