"""The session, what is kept on disk, words and options: without Qt but for the bridge."""
