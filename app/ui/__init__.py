"""What every room of the window is made of: theme, widgets, table, dialogs, palette."""
