"""The logic behind the views of the cache pane. Without Qt."""
