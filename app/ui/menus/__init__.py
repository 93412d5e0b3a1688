"""The menus: every command in one table, an action for each, and what the Edit menu can do."""
