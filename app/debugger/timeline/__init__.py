"""The timeline of cache events: tracks, an interval, markers, and a second trace to compare."""
