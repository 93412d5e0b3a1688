"""Building blocks of the whole window: theme, widgets, table, dialogs, palette."""
