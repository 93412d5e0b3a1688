"""The Models window: local models, models to download, and whether they fit this machine."""
