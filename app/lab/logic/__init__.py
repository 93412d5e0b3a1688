"""The logic behind the memory lab. Without Qt."""
