"""The texts of the window and the commands, as pure functions of plain data. Without Qt."""
