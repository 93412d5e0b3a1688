"""What the debugger says of engines that run elsewhere."""
