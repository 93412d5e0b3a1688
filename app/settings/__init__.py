"""Settings: the panel of a conversation, and the page of the program."""
