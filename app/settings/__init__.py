"""Settings: the panel of a conversation, and the program's settings page."""
