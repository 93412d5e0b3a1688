"""The logic behind the Models window. Without Qt."""
