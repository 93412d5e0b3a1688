"""The left pane: the list of conversations."""
