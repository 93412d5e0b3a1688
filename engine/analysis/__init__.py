"""Journal analysis: why a request was slow, which evictions were regretted, and replays."""
