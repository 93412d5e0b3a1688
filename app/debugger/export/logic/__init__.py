"""Tables and traces to export. Without Qt."""
