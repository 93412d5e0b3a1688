"""What if: replays the recorded requests with other settings in the background."""
