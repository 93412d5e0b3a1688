"""The program's settings page: searchable sections of rows."""
