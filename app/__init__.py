"""The desktop program and the command line. It knows the engine; nothing else knows it."""
