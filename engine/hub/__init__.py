"""Models from Hugging Face: downloads that can be paused and killed, each file verified."""
