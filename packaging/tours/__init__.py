"""What packaging/pictures.py takes pictures of: ways through all views of the window."""
