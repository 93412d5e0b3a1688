"""The left pane: the conversations of this session."""
