"""The logic behind the debugger's panels. Without Qt."""
