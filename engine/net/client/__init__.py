"""Chat with an OpenAI-compatible server, as the events that our own engine would send."""
