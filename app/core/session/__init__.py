"""What the window shows, as plain data without Qt: conversations, the engine's state, changes."""
