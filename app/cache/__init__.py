"""The right pane: the two planes, the match ruler and the tree, live."""
