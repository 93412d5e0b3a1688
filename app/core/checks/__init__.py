"""What could keep the program from working on this computer, each with a way out. Without Qt."""
