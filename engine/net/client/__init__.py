"""Chat with an OpenAI-compatible server, reported as the same events as our own engine's."""
