"""What the window and the commands say, as pure functions of plain data. Without Qt."""
