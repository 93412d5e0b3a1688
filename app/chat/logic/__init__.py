"""The logic behind the chat's views. Without Qt."""
