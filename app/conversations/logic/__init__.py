"""The logic behind the list of conversations. Without Qt."""
