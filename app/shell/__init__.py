"""The window around the three panes, its start and its end."""
