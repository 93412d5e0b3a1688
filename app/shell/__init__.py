"""The main window around the three panes: status line, cards and dialogs."""
