"""Caches of engines that run elsewhere, rebuilt from the events that they publish."""
