"""The page of the program's settings: sections of rows, all of them searchable."""
