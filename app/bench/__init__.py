"""What `biplane bench gui` measures, a figure at a time, in the real window."""
