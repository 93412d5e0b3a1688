"""The menus: a table of all commands, an action for each, and the state of the Edit menu."""
