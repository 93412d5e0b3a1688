"""The main window around the three panes, its startup and its shutdown."""
