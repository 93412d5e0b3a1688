"""Session, storage, wording and options: without Qt except for the bridge."""
