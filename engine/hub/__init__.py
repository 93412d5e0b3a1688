"""Models from Hugging Face: downloads that survive pauses and kills, with each file verified."""
