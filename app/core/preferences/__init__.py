"""What the user sets for the whole program: typed, checked, in one file. Without Qt."""
