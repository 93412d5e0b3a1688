"""What happened to the cache over time: tracks, an interval, markers, and a second trace beside."""
