"""The logic behind the timeline. Without Qt."""
