"""One tree over all tiers for display, and the evictions from it."""
