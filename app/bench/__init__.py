"""The measurements of `biplane bench gui`, one module each, in the real window."""
