"""The Models window: what is here, what can be downloaded, and what fits this machine."""
