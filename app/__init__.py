"""The desktop program and the command line. It uses the engine; nothing depends on it."""
