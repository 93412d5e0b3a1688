"""The main window around the three panes: menus, status line, cards and dialogs."""
