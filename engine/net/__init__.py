"""Engines that run elsewhere: chat with them, and what they tell of their caches."""
