"""What if: the recorded requests with other settings, replayed in the background."""
