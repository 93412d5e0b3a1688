"""The logic behind the what-if panel. Without Qt."""
