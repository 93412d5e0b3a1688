"""The panel of a conversation's settings."""
