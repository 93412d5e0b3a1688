"""The command palette: one field that finds commands, settings, models and conversations."""
