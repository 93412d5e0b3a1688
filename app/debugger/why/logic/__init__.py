"""Without Qt: what the views here show, worked out."""
