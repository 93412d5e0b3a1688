"""Text to tokens and back: chat template, faithful ids, anchors, streaming detokeniser."""
